"""Pictures from a folder and an .npz: read as they are, or refused in a sentence."""

from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.laboratory import picture_files
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.picture_files import read_pictures

RNG = np.random.default_rng(0)
GREY = RNG.integers(0, 256, (12, 5, 4), np.uint8)
COLOUR = RNG.integers(0, 256, (12, 5, 4, 3), np.uint8)
LABELS = np.arange(12) % 3


def save(folder: Path, names: list[str], pictures: np.ndarray) -> Path:
    for name, picture in zip(names, pictures, strict=False):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(folder / name)
    return folder


def npz(folder: Path, **arrays: object) -> Path:
    np.savez_compressed(folder / "some.npz", **arrays)  # type: ignore[arg-type]
    return folder / "some.npz"


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def checked(path: Path) -> ImageSet:
    """Return the pictures at a path, which the lines of their listing read as well."""
    pictures, names = read_pictures(path), {"np": np}
    exec(pictures.code, names)
    np.testing.assert_array_equal(names["x"], pictures.values)
    assert pictures.labels == (tuple(names["labels"]) if "labels" in names else None)
    return pictures


def test_a_folder_in_natural_order_with_sub_folders_as_labels(tmp_path: Path) -> None:
    names = [f"s{who}/{number}.png" for who in (2, 10) for number in (1, 2, 10)]
    folder = save(tmp_path / "all", names, GREY)
    pictures = checked(folder)
    np.testing.assert_array_equal(pictures.pictures, np.float32(GREY[:6]) / np.float32(255))
    assert pictures.labels == ("s2",) * 3 + ("s10",) * 3
    assert (pictures.title, pictures.notes) == ("6 pictures of all", ())
    (folder / "s2" / "3.png").write_bytes(b"no picture")  # is left out and counted
    (note,) = read_pictures(folder).notes
    assert note.startswith("Left out: 1 file that cannot be read. “3.png”: ")


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        (COLOUR[:3], COLOUR[:3]),
        (np.repeat(GREY[:3, :, :, None], 3, axis=3), GREY[:3]),  # all channels are the same
        (
            [GREY[0], COLOUR[1], GREY[2]],
            np.stack([np.dstack([GREY[0]] * 3), COLOUR[1], np.dstack([GREY[2]] * 3)]),
        ),
    ],
    ids=["colour", "grey", "mixed"],
)
def test_a_folder_is_in_colour_if_one_of_its_pictures_is(
    tmp_path: Path, pictures: np.ndarray, expected: np.ndarray
) -> None:
    images = read_pictures(save(tmp_path / "some", ["a.png", "b.png", "c.png"], pictures))
    np.testing.assert_allclose(images.pictures, expected / 255, atol=1e-6)
    assert images.labels is None


def test_pictures_are_upright_on_white_and_of_the_size_of_most(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.fromarray(np.rot90(GREY[0]).copy()).save(tmp_path / "a.png", exif=exif)
    alpha = np.dstack([GREY[1], np.where(np.arange(20).reshape(5, 4) < 10, 255, 0)])
    Image.fromarray(alpha.astype(np.uint8)).save(tmp_path / "b.png")
    save(tmp_path, ["c.png"], [np.full((10, 16), 51, np.uint8)])
    pictures = checked(tmp_path)
    np.testing.assert_allclose(pictures.pictures[0], GREY[0] / 255, atol=1e-6)
    assert (pictures.pixels[1, 10:] == 1).all()
    np.testing.assert_allclose(pictures.pixels[2], 0.2)
    assert pictures.notes == (
        "1 picture of another size: cropped in the middle, resized to 4 × 5 pixels.",
    )


@pytest.mark.parametrize(
    ("images", "shape", "white"),
    [
        (GREY, (5, 4), 255),
        (GREY[..., None], (5, 4), 255),
        (GREY.reshape(12, 20)[:, :16], (4, 4), 255),
        (COLOUR, (5, 4, 3), 255),
        (GREY > 99, (5, 4), 1),
        (np.maximum(GREY % 17, GREY // 255 * 16).astype(float), (5, 4), 16),
        (GREY / 512, (5, 4), 1),
    ],
)
def test_an_npz_has_bytes_or_numbers_that_are_divided_by_the_largest(
    tmp_path: Path, images: np.ndarray, shape: tuple[int, ...], white: int
) -> None:
    pictures = checked(npz(tmp_path, images=images, labels=LABELS))
    assert pictures.shape == shape
    np.testing.assert_allclose(pictures.values, images.reshape(12, -1) / white, atol=1e-7)
    assert pictures.labels == tuple(map(str, LABELS))
    noted = ("Values of 0 to 16 are divided by 16.",) if white == 16 else ()
    assert pictures.notes == noted


BAD = {
    "nothing there": (lambda at: at / "none", "does not exist"),
    "an empty folder": (lambda at: at, "no pictures in"),
    "no picture in it": (lambda at: written(at / "a.png", b"?").parent, "No picture in .* can"),
    "one in a folder": (lambda at: save(at, ["a.png"], GREY), "there is one picture"),
    "one picture": (lambda at: save(at, ["a.png"], GREY) / "a.png", "Choose the folder of the"),
    "all the same": (lambda at: save(at, ["a.png", "b.png"], GREY[[0, 0]]), "All 2 .* same"),
    "an empty npz": (lambda at: written(at / "a.npz", b""), "not an .npz of pictures"),
    "half an npz": (
        lambda at: written(at / "a.npz", npz(at, x=GREY).read_bytes()[:200]),
        "is damaged",
    ),
    "an npz of texts": (lambda at: npz(at, x=[["a"] * 4] * 3), "are not numbers"),
    "an npz of objects": (lambda at: npz(at, x=np.array([None, 1])), "Python objects"),
    "an npz without pictures": (lambda at: npz(at, faces=GREY), "“images”.* has “faces”"),
    "an npz below zero": (lambda at: npz(at, x=GREY - 100.0), "values from -100 to 15"),
    "an npz of no squares": (lambda at: npz(at, x=np.ones((7, 8))), "7 × 8 .*height, width"),
    "few labels": (lambda at: npz(at, x=GREY, y=[1, 2]), "some.npz” do not match: 2 .*12 pictures"),
    "labels that are a table": (lambda at: npz(at, x=GREY, y=np.eye(12)), "match: 12 × 12 of them"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_holds_no_pictures_that_fit_is_a_sentence(tmp_path: Path, bad: str) -> None:
    make, sentence = BAD[bad]
    with pytest.raises(EigenfacesError, match=rf"{sentence}.*\.$"):
        read_pictures(make(tmp_path))


def test_too_many_pictures_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive, names = npz(tmp_path, x=GREY), [f"{number:02}.png" for number in range(12)]
    monkeypatch.setattr(picture_files, "MOST_VALUES", 7 * 20)
    for path in (archive, save(tmp_path / "some", names, GREY)):
        with pytest.raises(EigenfacesError, match="at most 140 are read"):
            read_pictures(path)
    monkeypatch.setattr(picture_files, "MOST_BYTES", 100)
    with pytest.raises(EigenfacesError, match="too large"):
        read_pictures(archive)


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read_pictures(save(tmp_path, ["a.png", "b.png"], GREY), stop)
