"""Finding the line: V is the line's at n = 1000, and off before as theory has it."""

import numpy as np
import pytest

from eigenfaces.lessons.noisy_line import LESSON, expected
from eigenfaces.lessons.subjects import SUBJECTS

DRAWN = SUBJECTS["line"].make(0).values
FIRST = {
    (False, False): np.array([1, 2]) / np.sqrt(5),
    (False, True): np.array([1, 1]) / np.sqrt(2),
    (True, False): np.array([1, 2, 0]) / np.sqrt(5),
    (True, True): np.array([1, 1, 0]) / np.sqrt(2),
}
every_case = pytest.mark.parametrize(("third", "scaled"), FIRST)


@every_case
@pytest.mark.parametrize("noise", [0.0, 0.4, 0.9])
def test_with_a_thousand_points_v_is_the_line(third: bool, scaled: bool, noise: float) -> None:
    """To 1e-2, for ten draws."""
    for seed in range(10):
        numbers = LESSON.show(
            SUBJECTS["line"].make(seed), noise=noise, n=1000, third=third, scaled=scaled
        ).numbers
        np.testing.assert_allclose(numbers["v"][:, 0], FIRST[third, scaled], atol=1e-2)
        assert numbers["away"] < 0.5


@every_case
@pytest.mark.parametrize("n", [5, 50, 700])
def test_v_is_that_of_scikit_learn(third: bool, scaled: bool, n: int) -> None:
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    t, *noises = DRAWN[:n].T
    points = np.column_stack([t + 0.4 * noises[0], 2 * t + 0.4 * noises[1], noises[2]])
    points = points if third else points[:, :2]
    pca = PCA().fit(StandardScaler().fit_transform(points) if scaled else points)
    numbers = LESSON.picture(DRAWN, n=n, third=third, scaled=scaled).numbers
    cosines = np.abs((numbers["v"] * pca.components_.T).sum(axis=0))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)
    np.testing.assert_allclose(numbers["variances"], pca.explained_variance_ * (n - 1) / n)


@every_case
def test_fewer_points_are_typically_as_far_off_as_theory_has_it(third: bool, scaled: bool) -> None:
    """Over 300 draws of 150, and of numbers that are independent, not made uncorrelated."""
    drawn = np.random.default_rng(0).normal(size=(300, 150, 4))
    shown = (LESSON.picture(each, n=150, third=third, scaled=scaled) for each in drawn)
    away = [each.numbers["away"] for each in shown]
    theory = expected(DRAWN, np.array([150.0]), 0.4, third, scaled)[0] / np.sqrt(0.85)
    assert np.sqrt(np.mean(np.square(away))) == pytest.approx(theory, rel=0.12, abs=1e-9)
