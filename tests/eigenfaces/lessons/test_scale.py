"""Scale: the covariance turns with the unit, the correlation stays; σ comes before the mean."""

import numpy as np

from eigenfaces.lessons.scale import LESSON
from eigenfaces.lessons.subjects import SUBJECTS, Cloud

BODIES = SUBJECTS["bodies"].make(0)


def test_in_metres_the_first_axis_is_weight_and_in_millimetres_height() -> None:
    metres, millimetres = (
        LESSON.show(BODIES, factor=10**power).numbers["first"] for power in (0.0, 3.0)
    )
    np.testing.assert_allclose(metres, [0, 1], atol=0.01)
    np.testing.assert_allclose(millimetres, [1, 0], atol=0.1)


def test_the_unit_is_named() -> None:
    notes = [LESSON.show(BODIES, factor=10**power).upper.note for power in (0.0, 2.0, 0.5)]
    assert notes == ["height (m); k = 1", "height (cm); k = 1", "height (m) × 3.16; k = 1"]


def test_two_points_and_one_constant_feature() -> None:
    names = ("a", "b")
    two = LESSON.show(Cloud.by_hand(np.array([[0.0, 1], [2, 5]]), names), k=2)
    np.testing.assert_allclose(two.numbers["put_back"], [0, 1], atol=1e-12)
    constant = LESSON.show(Cloud.by_hand(np.array([[0.1, 1], [0.1, 5], [0.1, 2]]), names))
    np.testing.assert_allclose(constant.numbers["first_standardised"], [0, 1], atol=1e-9)
