"""Picture sets: what fits together, and the faces of a gallery as one."""

from pathlib import Path

import numpy as np
import pytest

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.project.project import Project
from eigenfaces.recognition.features import PixelFeatures
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe


def noise(n: int = 6, shape: tuple[int, ...] = (4, 3), **given: object) -> ImageSet:
    pixels = np.random.default_rng(0).random((n, int(np.prod(shape))), np.float32)
    return ImageSet(**{"title": "Noise", "pixels": pixels, "shape": shape, **given})


def a_gallery(recipe: Recipe | None = None) -> Gallery:
    faces = np.random.default_rng(1).random((6, 20, 16))
    people = ["Ada", "Ada", None, "Grace", "Grace", "Grace"]
    gallery = Gallery(FaceSet.from_arrays(faces, people), Preparation(20, 16), recipe or Recipe())
    return gallery.exclude([gallery.index.photos[3].id])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"n": 1}, "at least two pictures, but there is one picture"),
        ({"n": 0}, "there is no picture"),
        ({"pixels": np.full((5, 12), 0.5, np.float32)}, "All 5 pictures are the same"),
        ({"pixels": np.full((5, 12), np.nan, np.float32)}, "not numbers"),
        (
            {"pixels": np.zeros((5, 13), np.float32)},
            "3 × 4 pixels have 12 values each, but these have 13",
        ),
        ({"shape": (2, 2, 3), "pixels": np.zeros((5, 13), np.float32)}, "2 × 2 pixels in colour"),
        ({"shape": (4, 3, 2)}, "in colour, three channels"),
        ({"shape": (12,)}, "a height, a width"),
        ({"labels": ("a",) * 5}, "labels do not match: 5 of them for 6 pictures"),
    ],
)
def test_what_does_not_fit_is_a_sentence(given: dict, sentence: str) -> None:
    with pytest.raises(EigenfacesError, match=sentence):
        noise(**given)


def test_the_faces_that_train_a_gallery_are_seen_in_the_light_of_its_face_space() -> None:
    recipe = Recipe(features=PixelFeatures(lighting="mean and variance"))
    untrained = a_gallery(recipe)
    gallery = untrained.train()
    before = gallery.faces.pixels.array.copy()
    pictures = ImageSet.of_gallery(gallery)
    assert pictures.labels == ("Ada", "Ada", "", "Grace", "Grace")  # not the one left out
    assert pictures.shape == (20, 16)
    space = gallery.trained.space
    np.testing.assert_allclose(
        space.project(pictures.pixels),
        gallery.trained.coordinates[list(gallery.included)],
        atol=1e-5,
    )
    np.testing.assert_allclose(pictures.fit_space().components, space.components, atol=1e-6)
    np.testing.assert_array_equal(ImageSet.of_gallery(untrained).pixels, pictures.pixels)
    np.testing.assert_array_equal(gallery.faces.pixels.array, before)


def test_the_listing_of_a_gallery_opens_its_project(tmp_path: Path) -> None:
    gallery, file = a_gallery().train(), tmp_path / "some.eigenfaces"
    Project.create(file, gallery).close()
    pictures = ImageSet.of_gallery(gallery, file=file)
    names: dict = {"np": np}
    exec(pictures.code, names)
    np.testing.assert_array_equal(names["x"], pictures.values)
    assert tuple(names["labels"]) == pictures.labels
    assert "'people.eigenfaces'" in ImageSet.of_gallery(gallery).code


def test_a_gallery_without_names_has_no_labels_and_one_face_is_no_set() -> None:
    gallery = a_gallery()
    keys = [photo.id for photo in gallery.index.photos]
    assert ImageSet.of_gallery(gallery.move(keys, None)).labels is None
    with pytest.raises(EigenfacesError, match="one picture"):
        ImageSet.of_gallery(gallery.remove(keys[1:]))


def test_the_first_components_alone_are_those_of_all() -> None:
    images = ImageSet(
        title="Noise", pixels=np.random.default_rng(0).random((90, 12), np.float32), shape=(3, 4)
    )
    some, every = images.fit_space(k=5), images.fit_space()
    assert (len(some), len(every)) == (5, 12)
    np.testing.assert_allclose(some.variances, every.variances[:5], rtol=1e-5)
    np.testing.assert_allclose(some.components, every.components[:5], atol=1e-4)
    assert some.total_variance == pytest.approx(every.total_variance, rel=1e-5)
