"""Copies count double: variances by the closed form, and directions as scikit-learn has them."""

import numpy as np
import pytest

from eigenfaces.lessons.copies import LESSON
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


def test_the_first_axis_goes_from_x_to_y_where_the_lesson_says_so() -> None:
    def of_x(copies: float) -> float:
        return float(LESSON.show(PAIR, copies=copies).numbers["of_x"])

    said = LESSON.show(PAIR).words["enough"]
    a, b = PAIR.values.var(axis=0)
    enough = next(copies for copies in range(9) if (1 + copies) * b > a)
    assert str(enough) in said
    assert of_x(enough - 1) > 0.5 > of_x(enough)
    assert of_x(8) < 0.1
