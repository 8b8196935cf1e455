"""A face in a few numbers: what k of them rebuild, and the faces that one or two of them make."""

import numpy as np
import pytest
from made_subjects import noise, panels
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.lessons.drawing import Dots, PlanePanel
from eigenfaces.lessons.few_numbers import FACE, LESSON, LINE, PLANE, prepare

FACES = noise(40, 6, 5, labels=tuple(f"Person {i % 8}" for i in range(40)))
THEIRS = PCA(svd_solver="full").fit(FACES.values)


@pytest.fixture(scope="module")
def ready():
    return prepare(FACES, no_tick)


@pytest.mark.parametrize("k", [0, 3, 30])
def test_a_face_is_rebuilt_as_scikit_learn_does_it(ready, k: int) -> None:
    made = LESSON.draw(ready, k=k, which=7)
    theirs = THEIRS.transform(FACES.values[6:7])
    theirs[:, k:] = 0
    np.testing.assert_allclose(made.numbers["rebuilt"], THEIRS.inverse_transform(theirs)[0])
    face, photo, *added = panels(made)
    np.testing.assert_allclose(photo.pictures.ravel(), FACES.values[6])
    assert len(added) == (k < 30)
    assert face.title == f"From {k} number{'s' * (k != 1)}"


def test_what_the_next_components_add_makes_the_face_of_more_numbers(ready) -> None:
    few, more = (LESSON.draw(ready, k=k, which=2) for k in (4, 10))
    added = panels(few)[2].pictures.reshape(6, -1).sum(axis=0)
    np.testing.assert_allclose(few.numbers["rebuilt"] + added, more.numbers["rebuilt"])


def test_the_ends_of_the_line_are_the_real_faces_farthest_out(ready) -> None:
    drawn = LESSON.draw(ready, view=LINE, first=-2)
    low, made, high, plane = panels(drawn)
    along = ready.places[:, 0]
    for panel, row in ((low, along.argmin()), (high, along.argmax())):
        np.testing.assert_allclose(panel.pictures.ravel(), FACES.values[row])
        assert panel.caption == FACES.labels[row]
    only = (
        THEIRS.mean_
        - 2 * along.std() * np.sqrt(ready.fitted.variances[0]) * (ready.fitted.components[0])
    )
    np.testing.assert_allclose(made.pictures.ravel(), np.clip(only, 0, 1))
    assert isinstance(plane, PlanePanel)
    (dots,) = (layer for layer in plane.layers if isinstance(layer, Dots))
    np.testing.assert_allclose(dots.at[:, 0], along, atol=np.ptp(along) / 100)
    assert len(np.unique(dots.at.round(6), axis=0)) == 40  # none hides another


def test_the_nearest_photo_is_the_one_whose_dot_is_nearest(ready) -> None:
    place = ready.places[11, :2] + 1e-3
    photo = panels(LESSON.draw(ready, view=PLANE, first=place[0], second=place[1]))[2]
    np.testing.assert_allclose(photo.pictures.ravel(), FACES.values[11])


def test_only_controls_that_do_something_are_there() -> None:
    names = {
        view: {field.name for field in LESSON.controls} - {*LESSON.unused_settings({"view": view})}
        for view in (FACE, LINE, PLANE)
    }
    assert names[FACE] == {"view", "k", "which"}
    assert names[LINE] == {"view", "first"}
    assert names[PLANE] == {"view", "first", "second"}


def test_two_pictures_differ_in_one_way_only() -> None:
    with pytest.raises(EigenfacesError, match="only one way"):
        prepare(noise(2, 3, 3), no_tick)
