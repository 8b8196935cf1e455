"""Pictures from a folder, an .npz and IDX files: read as they are, or refused in a sentence."""

import gzip
import struct
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


def idx(*dimensions: int, content: bytes) -> bytes:
    return struct.pack(f">HBB{len(dimensions)}I", 0, 8, len(dimensions), *dimensions) + content


IMAGES, NUMBERS = idx(12, 5, 4, content=GREY.tobytes()), idx(12, content=bytes(LABELS.tolist()))


def mnist(folder: Path, images: bytes = IMAGES, labels: bytes | None = NUMBERS) -> Path:
    """Write two files by the names that MNIST has, packed."""
    (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
    if labels is not None:
        (folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))
    return folder / "train-images-idx3-ubyte.gz"


def npz(folder: Path, **arrays: object) -> Path:
    np.savez_compressed(folder / "some.npz", **arrays)  # type: ignore[arg-type]
    return folder / "some.npz"


def check_listing(pictures: ImageSet) -> None:
    """The lines of the listing read the same."""
    found: dict = {"np": np}
    exec(pictures.code, found)
    np.testing.assert_allclose(found["x"], pictures.values, atol=1e-7)
    if pictures.labels is not None:
        assert tuple(found["labels"]) == pictures.labels


def test_a_folder_in_natural_order_with_sub_folders_as_labels(tmp_path: Path) -> None:
    names = [f"s{who}/{number}.png" for who in (2, 10) for number in (1, 2, 10)]
    folder = save(tmp_path / "all", names, GREY)
    pictures = read_pictures(folder)
    np.testing.assert_array_equal(pictures.pictures, np.float32(GREY[:6]) / np.float32(255))
    assert pictures.labels == ("s2",) * 3 + ("s10",) * 3
    assert pictures.title == "6 pictures of all"
    assert pictures.notes == ()
    check_listing(pictures)
    (folder / "s2" / "3.png").write_bytes(b"no picture")  # is left out and counted
    (note,) = read_pictures(folder).notes
    assert note.startswith("1 file cannot be read and is left out. “3.png”: ")


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
    mixed = "1 picture of 3 is in colour, so all are read in colour"
    assert [note[: len(mixed)] for note in images.notes] in ([], [mixed])
    check_listing(images)


def test_pictures_are_upright_and_see_through_ones_stand_on_white(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.fromarray(np.rot90(GREY[0]).copy()).save(tmp_path / "a.png", exif=exif)
    alpha = np.dstack([GREY[1], np.where(np.arange(20).reshape(5, 4) < 10, 255, 0)])
    Image.fromarray(alpha.astype(np.uint8)).save(tmp_path / "b.png")
    pictures = read_pictures(tmp_path)
    np.testing.assert_allclose(pictures.pictures[0], GREY[0] / 255, atol=1e-6)
    assert (pictures.pixels[1, 10:] == 1).all()
    check_listing(pictures)


def test_different_sizes_are_counted_and_may_be_made_one(tmp_path: Path) -> None:
    save(tmp_path, ["a.png", "b.png", "c.png"], GREY)
    save(tmp_path, ["d.png"], [RNG.integers(0, 256, (8, 8), np.uint8)])
    with pytest.raises(EigenfacesError, match=r"2 different sizes \(3 of 4 × 5, 1 of 8 × 8 pix"):
        read_pictures(tmp_path)
    with pytest.raises(EigenfacesError, match="too large: 9,999,800,001 values each"):
        read_pictures(tmp_path, size=(99_999, 99_999))  # before any is made so large
    pictures = read_pictures(tmp_path, size=(5, 4))
    np.testing.assert_allclose(pictures.pictures[:3], GREY[:3] / 255, atol=1e-6)
    assert pictures.notes == ("All are cut in the middle and resized to 4 × 5 pixels.",)
    check_listing(pictures)


@pytest.mark.parametrize(
    ("images", "shape"),
    [
        (GREY, (5, 4)),
        (GREY[..., None], (5, 4)),
        (GREY.reshape(12, 20)[:, :16], (4, 4)),
        (COLOUR, (5, 4, 3)),
        (GREY > 99, (5, 4)),
    ],
)
def test_an_npz_of_bytes(tmp_path: Path, images: np.ndarray, shape: tuple[int, ...]) -> None:
    pictures = read_pictures(npz(tmp_path, images=images, labels=LABELS))
    assert pictures.shape == shape
    white = 1 if images.dtype == bool else 255
    np.testing.assert_allclose(pictures.values, images.reshape(12, -1) / white, atol=1e-7)
    assert pictures.labels == tuple(map(str, LABELS))
    check_listing(pictures)


def test_an_npz_of_numbers_that_exceed_1_is_divided_by_the_largest(tmp_path: Path) -> None:
    x = RNG.integers(0, 17, (9, 4, 4)).astype(float)
    x[0, 0, 0] = 16
    pictures = read_pictures(npz(tmp_path, x=x, y=np.array(list("abcabcabc"))))
    np.testing.assert_array_equal(pictures.values, x.reshape(9, -1) / 16)
    assert pictures.notes == ("Values of 0 to 16 are divided by 16.",)
    assert pictures.labels == tuple("abcabcabc")
    check_listing(pictures)
    shares = read_pictures(npz(tmp_path, x=x / 32))
    np.testing.assert_allclose(shares.values, x.reshape(9, -1) / 32)
    assert shares.notes == ()


def test_idx_files_packed_or_plain_with_the_labels_beside_them(tmp_path: Path) -> None:
    packed = read_pictures(mnist(tmp_path))
    np.testing.assert_array_equal(packed.pictures, np.float32(GREY) / np.float32(255))
    assert packed.labels == tuple(map(str, LABELS))
    check_listing(packed)
    plain = tmp_path / "t10k-images.idx3-ubyte"
    plain.write_bytes(IMAGES)
    alone = read_pictures(plain)
    assert alone.labels is None
    assert "no “t10k-labels.idx1-ubyte” beside it" in alone.notes[0]
    check_listing(alone)
    (tmp_path / "t10k-labels.idx1-ubyte").write_bytes(NUMBERS)
    assert read_pictures(plain).labels == packed.labels
    check_listing(read_pictures(plain))


@pytest.mark.parametrize("kind", ["idx", "npz", "folder"])
def test_of_too_many_pictures_a_seeded_sample_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    made = {
        "idx": lambda: mnist(tmp_path),
        "npz": lambda: npz(tmp_path, x=GREY, y=LABELS),
        "folder": lambda: save(tmp_path, [f"{n % 3}/{n:02}.png" for n in range(12)], GREY),
    }[kind]()
    whole = read_pictures(made)
    monkeypatch.setattr(picture_files, "MOST_VALUES", 7 * 20)
    some = read_pictures(made, seed=3)
    rows = [int(np.flatnonzero((whole.pixels == row).all(axis=1))[0]) for row in some.pixels]
    assert rows == sorted(set(rows))
    assert len(rows) == 7
    assert some.labels == tuple((whole.labels or ())[row] for row in rows)
    assert "A sample of 7 of 12 pictures, drawn by chance with the seed 3." in some.notes
    check_listing(some)
    other = read_pictures(made, seed=4)
    assert (other.pixels != some.pixels).any()


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


BAD = {
    "nothing there": (lambda at: at / "none", "does not exist"),
    "an empty folder": (lambda at: at, "no pictures in"),
    "no picture in it": (lambda at: written(at / "a.png", b"?").parent, "No picture in .* can"),
    "one in a folder": (lambda at: save(at, ["a.png"], GREY), "there is one picture"),
    "one picture": (lambda at: save(at, ["a.png"], GREY) / "a.png", "Choose the folder in which"),
    "all the same": (lambda at: save(at, ["a.png", "b.png"], GREY[[0, 0]]), "All 2 .* same"),
    "an empty npz": (lambda at: written(at / "a.npz", b""), "no set of pictures that can be read"),
    "half an npz": (
        lambda at: written(at / "a.npz", npz(at, x=GREY).read_bytes()[:200]),
        "it is damaged",
    ),
    "an npz of texts": (lambda at: npz(at, x=[["a"] * 4] * 3), "hold no numbers"),
    "an npz of objects": (lambda at: npz(at, x=np.array([None, 1])), "Python objects"),
    "an npz without pictures": (lambda at: npz(at, faces=GREY), "“images”.* holds “faces”"),
    "an npz below zero": (lambda at: npz(at, x=GREY - 100.0), "values from -100 to 15"),
    "an npz of no squares": (lambda at: npz(at, x=np.ones((7, 8))), "7 × 8 .*height, width"),
    "few labels in an npz": (
        lambda at: npz(at, x=GREY, y=[1, 2]),
        "some.npz” do not fit: 2 .*12 pictures",
    ),
    "labels that are a table": (lambda at: npz(at, x=GREY, y=np.eye(12)), "fit: 12 × 12 of them"),
    "an IDX cut short": (lambda at: mnist(at, IMAGES[:-1]), "cut short"),
    "an IDX too long": (lambda at: mnist(at, IMAGES + b"?"), "too long"),
    "another magic number": (
        lambda at: mnist(at, b"\0\0\x0d" + IMAGES[3:]),
        "00 00 0d 03, and 00 00 08 03 are expected",
    ),
    "an IDX that promises too much": (
        lambda at: written(at / "a-images-idx3-ubyte", idx(2**32 - 1, 999, 999, content=b"")),
        "too large: over 1000 megabytes",
    ),
    "labels instead": (lambda at: mnist(at, NUMBERS), "00 00 08 01, and 00 00 08 03 are"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_holds_no_pictures_that_fit_is_a_sentence(tmp_path: Path, bad: str) -> None:
    make, sentence = BAD[bad]
    with pytest.raises(EigenfacesError, match=sentence) as said:
        read_pictures(make(tmp_path))
    assert str(said.value).endswith(".")


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    for made in (save(tmp_path / "all", ["a.png", "b.png"], GREY), mnist(tmp_path)):
        with pytest.raises(Cancelled):
            read_pictures(made, stop)
