"""What a face space cannot stand, and where it sees faces: on the sample."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenfaces.errors import no_tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import cannot_stand, sees_faces
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.space.arrays import Doubles

RNG = np.random.default_rng(0)
NONE = {"turn": 0.0, "shift": 0.0, "scale": 1.0, "blur": 0.0, "light": 0.0, "cover": 0.0}


@pytest.fixture(scope="module")
def sample() -> cannot_stand._Known:
    return cannot_stand.prepare(SUBJECTS["sample"].make(0), no_tick)


def test_harm_is_what_it_is_called() -> None:
    face: Doubles = RNG.random((11, 9))
    assert_allclose(cannot_stand.harmed(face, **NONE), face)
    assert_allclose(cannot_stand.harmed(face, **NONE | {"turn": 180}), face[::-1, ::-1], atol=1e-9)
    moved = cannot_stand.harmed(face, **NONE | {"shift": 1 / 9})
    assert_allclose(moved[:, 1:], face[:, :-1])  # to the right
    lit = cannot_stand.harmed(face, **NONE | {"light": 0.5}) - face
    assert (lit[:, 5:] >= 0).all()
    assert (lit[:, :4] <= 0).all()
    assert (cannot_stand.harmed(face, **NONE | {"cover": 0.5})[6:] == 0.5).all()


def test_the_name_changes_with_a_turn(sample: cannot_stand._Known) -> None:
    upright, turned = (cannot_stand.picture(sample, turn=angle) for angle in (0, 40))
    assert upright.numbers["own"] < upright.numbers["other"]
    assert turned.numbers["own"] > turned.numbers["other"]
    assert upright.words["named"] == "Person 01" != turned.words["named"]


def test_a_face_that_nobody_has_named_is_called_so() -> None:
    labels = ("Ada", "Ada", "", "Ada")
    images = ImageSet(
        title="x", pixels=RNG.random((4, 30)).astype("f4"), shape=(6, 5), labels=labels
    )
    shown = cannot_stand.picture(cannot_stand.prepare(images, no_tick), cover=0.8, light=1)
    assert shown.upper.rows[0][3].caption == "somebody without a name"


def test_the_face_is_among_the_nearest_places_and_lost_with_more_components() -> None:
    lesson = sees_faces.LESSON
    ready = lesson.prepared(SUBJECTS["sample"].make(0), lesson.settings)
    assert sees_faces.picture(ready).words["alarms"] == "7 false alarms"  # of eight places
    assert sees_faces.picture(ready, k=40).words["alarms"] == "8 false alarms"
    coffee = lesson.renew(ready, {**lesson.settings, "photo": "coffee"}, no_tick)
    assert sees_faces.picture(coffee, "coffee", marked=3).words["alarms"] == "3 false alarms"


def test_places_lie_apart_and_the_nearest_is_first() -> None:
    far: Doubles = RNG.random((80, 70))
    found = sees_faces.nearest_places(far, 6)
    assert found[0] == np.unravel_index(far.argmin(), far.shape)
    values = [far[each] for each in found]
    assert values == sorted(values)
    for at, (row, column) in enumerate(found):
        for up, aside in found[:at]:
            assert abs(row - up) >= 12 or abs(column - aside) >= 10
