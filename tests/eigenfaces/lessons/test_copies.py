"""Copies count double: variances by the closed form, and directions as scikit-learn has them."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from eigenfaces.lessons.copies import LESSON, with_copies
from eigenfaces.lessons.subjects import SUBJECTS, Cloud

PAIR = SUBJECTS["pair"].make(0)
CORRELATED = SUBJECTS["cloud"].make(0)


@pytest.mark.parametrize("subject", [PAIR, CORRELATED], ids=["pair", "cloud"])
@pytest.mark.parametrize("standardised", [True, False])
@pytest.mark.parametrize("copies", range(9))
def test_variances_are_those_of_the_closed_form(
    subject: Cloud, standardised: bool, copies: int
) -> None:
    """Y is there m times: of the 2 × 2 matrix ((a, √m c), (√m c, mb))."""
    x = subject.values / subject.values.std(axis=0) if standardised else subject.values
    (a, c), (_, b) = np.cov(x.T, bias=True)
    m = 1 + copies
    root = np.sqrt((a - m * b) ** 2 + 4 * m * c**2)
    numbers = LESSON.show(subject, copies=copies, standardised=standardised).numbers
    np.testing.assert_allclose(numbers["lam"], [(a + m * b + root) / 2, (a + m * b - root) / 2])


@pytest.mark.parametrize("noise", [0.3, 2.0])
def test_noisy_copies_as_scikit_learn_has_them(noise: float) -> None:
    x = with_copies(PAIR.values, 5, noise, False)[0]
    assert x.shape == (100, 7)
    theirs, numbers = PCA().fit(x), LESSON.show(PAIR, copies=5, noise=noise).numbers
    np.testing.assert_allclose(numbers["first"], np.abs(theirs.components_[0]), atol=1e-9)
    np.testing.assert_allclose(numbers["lam"] * 100 / 99, theirs.explained_variance_[:2])


def test_the_first_axis_goes_from_x_to_y_where_the_lesson_says_so() -> None:
    def of_x(copies: float) -> float:
        return float(LESSON.show(PAIR, copies=copies).numbers["of_x"])

    said = LESSON.show(PAIR).words["enough"]
    a, b = PAIR.values.var(axis=0)
    enough = next(copies for copies in range(9) if (1 + copies) * b > a)
    assert str(enough) in said
    assert of_x(enough - 1) > 0.5 > of_x(enough)
    assert of_x(8) < 0.1


def test_odd_points() -> None:
    names = ("X", "Y")
    two = LESSON.show(Cloud.by_hand(np.array([[0.0, 1], [2, 5]]), names), copies=2)
    np.testing.assert_allclose(two.numbers["lam"], [1 + 3 * 4, 0], atol=1e-9)
    constant = Cloud.by_hand(np.array([[0.0, 1], [2, 1], [1, 1]]), names)
    picture = LESSON.show(constant, copies=3, standardised=True)
    np.testing.assert_allclose(picture.numbers["of_x"], 1)
    assert picture.words["enough"] == "with no number of copies here"
