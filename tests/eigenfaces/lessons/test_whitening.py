"""Whitening: white indeed, as scikit-learn does it, and ZCA the nearest of all."""

import numpy as np
import pytest
from made_subjects import cloud, noise

from eigenfaces.errors import no_tick
from eigenfaces.lessons.subjects import SUBJECTS, Cloud
from eigenfaces.lessons.whitening import LESSON, distances, prepare, turned

DIGITS = SUBJECTS["digits"].make(0)


def drawn(d: int) -> Cloud:
    generator = np.random.default_rng(d)
    return cloud(generator.normal(size=(80, d)) @ generator.normal(size=(d, d)) + 3)


def whitened(values: np.ndarray, epsilon: float) -> np.ndarray:
    """Return ZCA-whitened points, by W itself, for full rank."""
    x = values - values.mean(axis=0)
    lam, u = np.linalg.eigh(np.cov(x.T, bias=True))
    return x @ (u / np.sqrt(lam + epsilon * lam[-1])) @ u.T


@pytest.mark.parametrize("d", [2, 3, 5])
def test_without_epsilon_the_covariance_is_the_identity_before_and_after_any_turn(d: int) -> None:
    subject = drawn(d)
    for turn in (0.0, 40.0, -130.0):
        picture = LESSON.show(subject, epsilon=0.0, turn=turn)
        raw, _, pca, zca = (panel.values for panel in picture.upper.rows[1])
        np.testing.assert_allclose(raw, np.cov(subject.values.T, bias=True))
        for white in (pca, zca):
            np.testing.assert_allclose(white, np.eye(d), atol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0])
def test_distances_are_those_between_the_points_themselves(d: int, epsilon: float) -> None:
    subject = drawn(d)
    ready, turns = prepare(subject, no_tick), np.arange(-180, 181, 15.0)
    x = subject.values - subject.values.mean(axis=0)
    zca = whitened(subject.values, epsilon)
    direct = [((x - turned(zca, turn)) ** 2).sum(axis=1).mean() for turn in turns]
    np.testing.assert_allclose(distances(ready, epsilon, turns), direct, rtol=1e-9)
    assert turns[int(np.argmin(direct))] == 0


def test_pixels_without_variance_stay_at_0() -> None:
    picture = LESSON.show(DIGITS, epsilon=0.0)
    dead = DIGITS.values.std(axis=0) == 0
    assert dead.sum() == 3
    assert np.abs(picture.numbers["first"][dead]).max() < 1e-9
    assert picture.lower.note == "3 of 64 have no variance: left at 0"


def test_more_pixels_than_pictures() -> None:
    """The n pictures span n − 1 directions: there they become white, as far as that is possible."""
    subject = noise(12, 30, 20)
    picture = LESSON.show(subject, epsilon=0.0)
    np.testing.assert_allclose(picture.numbers["whitened"], np.ones(11))
    last = picture.upper.rows[0][3]
    x = subject.values - subject.values.mean(axis=0)
    u, _, vt = np.linalg.svd(x, full_matrices=False)
    zca = np.sqrt(len(x)) * u[:, :11] @ vt[:11]  # X (XᵀX/n)^−½ = √n UVᵀ
    np.testing.assert_allclose(picture.numbers["first"], zca[0], atol=1e-6)
    apart = np.abs(zca - last.pictures[0].ravel()).max(axis=1)
    assert apart.min() < 1e-6 < apart.max()
