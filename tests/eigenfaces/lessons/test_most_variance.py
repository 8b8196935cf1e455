"""Most variance, least error: Pythagoras, and the eigenvector of the covariance."""

import numpy as np

from eigenfaces.lessons.most_variance import LESSON, best_angle
from eigenfaces.lessons.subjects import SUBJECTS

POINTS = SUBJECTS["cloud"].make(0).values


def numbers(**settings: float) -> dict[str, float]:
    return dict(LESSON.picture(POINTS, **settings).numbers)


def test_kept_and_lost_add_up_at_every_angle() -> None:
    totals = [
        (found := numbers(angle=angle))["kept"] + found["error"] for angle in range(0, 181, 15)
    ]
    np.testing.assert_allclose(totals, np.cov(POINTS.T, bias=True).trace(), rtol=1e-12)


def test_greatest_where_the_error_is_least_and_at_the_first_component() -> None:
    from sklearn.decomposition import PCA

    angles = np.arange(180)
    kept = [numbers(angle=float(angle))["kept"] for angle in angles]
    error = [numbers(angle=float(angle))["error"] for angle in angles]
    first = PCA(1).fit(POINTS).components_[0]
    angle = np.degrees(np.arctan2(first[1], first[0])) % 180
    assert np.argmax(kept) == np.argmin(error) == round(angle)
    assert best_angle(POINTS) == round(angle)


def test_a_longer_direction_breaks_the_sum() -> None:
    found = numbers(unit_length=False)
    assert abs(found["kept"] + found["error"] - found["total"]) > 0.1


def test_without_a_zero_mean_the_best_line_points_at_the_mean() -> None:
    mean = (POINTS + 4 * np.array([1, -0.5])).mean(axis=0)
    towards = np.degrees(np.arctan2(mean[1], mean[0])) % 180
    assert (
        abs(best_angle(POINTS, offset=4.0, centred=False) - towards) < 5
    )  # the best direction of all: 31°
    assert best_angle(POINTS, offset=4.0) == best_angle(POINTS)
