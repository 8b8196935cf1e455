"""The library at a prompt: what cannot be is answered by a sentence, and nothing is silent."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from synthetic import gallery as trained_gallery

from eigenfaces import (
    EigenfacesError,
    EvaluationSetting,
    FaceSet,
    FaceSpace,
    FirstPhotos,
    Gallery,
    Preparation,
    Project,
    Recipe,
    evaluate,
    find_photos,
    identify,
    identify_all,
    load_face,
    load_faces,
    read_pictures,
)

ROWS = np.random.default_rng(0).random((5, 6), np.float32)
SPACE = FaceSpace.fit(ROWS, (2, 3))


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Four people with five photographs each, trained."""
    return trained_gallery(rng)


def test_every_value_is_a_line(gallery: Gallery, tmp_path: Path) -> None:
    (verdict,) = identify_all(gallery, gallery.faces.pixels[:1])
    result = evaluate(gallery.faces, EvaluationSetting(Recipe(), FirstPhotos(3)))
    space = gallery.training.space if gallery.training else SPACE
    measured = gallery.calibrate().calibration
    assert measured is not None
    values = [gallery, gallery.faces, gallery.training, gallery.index, verdict, space, result]
    values += [verdict.decision, measured, measured.held_out, measured.likeness]
    for value in values:
        assert "\n" not in repr(value)
        assert 20 < len(repr(value)) < 400
        assert type(value).__name__ in repr(value)
    for path in ("x.png", tmp_path / "x.png"):
        with pytest.raises(EigenfacesError, match="load_face"):
            identify(gallery, path)  # type: ignore[arg-type]


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "faces not in rows": (lambda: FaceSpace.fit(ROWS.reshape(5, 2, 3), (2, 3)), r"\(5, 2, 3\)"),
    "rows of text": (lambda: FaceSpace.fit(np.array([["a"], ["b"]]), (1, 1)), "not as <U1"),
    "another shape": (lambda: FaceSpace.fit(ROWS, (3, 3)), r"6 numbers, and a face .* has 9"),
    "half a component": (lambda: SPACE.first(2.5), "4 components, not 2.5"),  # type: ignore[arg-type]
    "a flag for a count": (lambda: SPACE.first(True), "not True"),
    "a share in words": (lambda: SPACE.components_for("95 %"), "not for 95 %"),  # type: ignore[arg-type]
    "no share": (lambda: SPACE.components_for(0.0), "above 0"),
    "no component": (lambda: SPACE.components_for(0), "1 component or more"),
    "fewer than none": (lambda: SPACE.components_for(-3), "not for -3"),
    "more than all": (lambda: SPACE.components_for(1.5), "up to 1.0"),
    "too few coordinates": (lambda: SPACE.reconstruct(ROWS[:, :3]), r"not the shape \(5, 3\)"),
    "one coordinate": (lambda: SPACE.reconstruct(1.0), r"not the shape \(\)"),  # type: ignore[arg-type]
    "rows of two lengths": (lambda: FaceSpace.fit([[1, 2], [3]], (1, 2)), "of the same length"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_is_answered_by_a_sentence(case: str) -> None:
    run, words = WRONG[case]
    with pytest.raises(EigenfacesError, match=words):
        run()


def test_lists_and_whole_numbers_are_faces_too() -> None:
    numbers = np.random.default_rng(1).integers(0, 9, (5, 6))
    for given in (numbers, numbers.tolist()):
        space = FaceSpace.fit(given, (2, 3)).first(2)
        np.testing.assert_allclose(space.mean, numbers.mean(axis=0), rtol=1e-6)
    assert numbers.flags.writeable


def test_faces_asked_about_are_as_large_as_the_gallery_s(gallery: Gallery) -> None:
    rows = gallery.faces.pixels[:3]
    for given in (rows.tolist(), rows.reshape(3, *gallery.faces.shape)):
        verdicts = identify_all(gallery, given)  # type: ignore[arg-type]
        assert [verdict.rows[0] for verdict in verdicts] == [0, 1, 2]
    for wrong in (rows[:, 1:], rows[0], rows[None]):
        with pytest.raises(EigenfacesError, match="Prepare it in the same way"):
            identify_all(gallery, wrong)


def test_a_face_that_is_loaded_can_be_identified(gallery: Gallery, tmp_path: Path) -> None:
    levels = (255 * gallery.faces.image(7)).round().astype(np.uint8)
    Image.fromarray(levels).save(tmp_path / "face.png")
    face = load_face(tmp_path / "face.png", gallery.preparation)
    assert identify(gallery, face).rows[0] == 7
    assert identify_all(gallery, [face])[0].rows[0] == 7  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8])
def test_whole_numbers_are_names(gallery: Gallery, kind: type) -> None:
    labels = [kind(row // 5) for row in range(20)]
    for people in (labels, np.array(labels)):
        faces = FaceSet.from_arrays(gallery.faces.pixels[:].reshape(20, 16, 16), people)
        assert faces.index.people == ("0", "1", "2", "3")
        assert all(type(photo.person) is str for photo in faces.index.photos)


@pytest.mark.parametrize("label", [1.0, np.nan, b"Ada", ("Ada", "B"), True, "", " ", ["Ada"]])
def test_what_is_no_name_is_refused(label: object) -> None:
    with pytest.raises(EigenfacesError, match="name as text, or None"):
        FaceSet.from_arrays(np.zeros((2, 16, 16)), ["Ada", label])  # type: ignore[list-item]


def test_a_mask_chooses_the_faces_that_it_is_true_of(gallery: Gallery) -> None:
    faces, mask = gallery.faces, [row in (3, 7) for row in range(len(gallery.faces))]
    for chosen in (faces.select(mask), faces.select(np.array(mask))):
        assert chosen.index.photos == (faces.index.photos[3], faces.index.photos[7])
        np.testing.assert_array_equal(chosen.pixels[:], faces.pixels[[3, 7]])
    with pytest.raises(EigenfacesError, match="A mask for 20 faces needs 20 values"):
        faces.select([True, False])


def test_a_set_of_faces_is_made_again_from_its_arrays(gallery: Gallery) -> None:
    first = gallery.faces.index.photos[0]
    faces = gallery.faces.with_photos({first.id: replace(first, person=None)})
    again = FaceSet.from_arrays(faces.images, faces.people)
    np.testing.assert_array_equal(again.images, faces.images)
    assert again.images.dtype == np.float32
    assert [*again.people] == [photo.person for photo in faces.index.photos]
    assert again.people[0] is None


def test_a_path_may_be_text(tmp_path: Path, gallery: Gallery) -> None:
    folder = tmp_path / "people" / "Ada"
    folder.mkdir(parents=True)
    for number in range(2):
        levels = np.random.default_rng(number).integers(0, 255, (16, 16), np.uint8)
        Image.fromarray(levels).save(folder / f"{number}.png")
    whole = Preparation(16, 16, already_cropped=True)
    found = find_photos(str(tmp_path / "people"))
    assert found == find_photos(tmp_path / "people")
    faces = load_faces(found, whole)
    assert isinstance(faces, FaceSet)
    crop = load_face(str(folder / "0.png"), whole)
    np.testing.assert_allclose(crop, faces.image(0), atol=1 / 255)
    assert len(read_pictures(str(tmp_path / "people"))) == 2
    path = str(tmp_path / "some.eigenfaces")
    Project.create(path, gallery).close()
    with closing(Project.open(path)) as project:
        assert project.path == Path(path)
