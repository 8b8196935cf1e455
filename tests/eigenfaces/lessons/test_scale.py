"""Scale: the covariance turns with the unit, the correlation stays; σ comes before the mean."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from eigenfaces.errors import no_tick
from eigenfaces.lessons.scale import LESSON, prepare
from eigenfaces.lessons.subjects import SUBJECTS, Cloud

BODIES = SUBJECTS["bodies"].make(0)
every_subject = pytest.mark.parametrize("key", ["bodies", "digits"])


def in_units(key: str, power: float) -> np.ndarray:
    subject = SUBJECTS[key].make(0)
    return subject.values * prepare(subject, no_tick).factors(10**power)


@every_subject
@pytest.mark.parametrize("power", [0.0, 1.3, 3.0])
def test_both_kinds_of_axes_are_those_of_scikit_learn(key: str, power: float) -> None:
    x = in_units(key, power)
    numbers = LESSON.show(SUBJECTS[key].make(0), factor=10**power).numbers
    measured, standard = PCA().fit(x), PCA().fit(StandardScaler().fit_transform(x))
    np.testing.assert_allclose(numbers["first"], np.abs(measured.components_[0]), atol=1e-6)
    np.testing.assert_allclose(
        numbers["first_standardised"], np.abs(standard.components_[0]), atol=1e-6
    )
    np.testing.assert_allclose(numbers["share"], measured.explained_variance_ratio_[0])


@every_subject
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_point_is_put_back_as_scikit_learn_undoes_its_scaling(key: str, k: int) -> None:
    x = in_units(key, 2.0)
    scaler = StandardScaler().fit(x)
    z = scaler.transform(x)
    components = PCA().fit(z).components_[:k]
    theirs = scaler.inverse_transform(z @ components.T @ components)
    numbers = LESSON.show(SUBJECTS[key].make(0), factor=100.0, k=k).numbers
    np.testing.assert_allclose(numbers["put_back"], theirs[0], atol=1e-6)


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
