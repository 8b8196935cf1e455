"""A linear auto-encoder: what gradient descent finds is the space of the components."""

import numpy as np
import pytest
from made_subjects import images, noise
from sklearn.decomposition import PCA

from eigenfaces.errors import no_tick
from eigenfaces.lessons.auto_encoder import LESSON, STEPS, Descent
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.space.arrays import Doubles
from tests.synthetic import principal_angles, truth

DIGITS = SUBJECTS["digits"].make(0).values


def made_up_faces() -> Doubles:
    """60 faces of 16 × 16 pixels, fewer than pixels, each with noise."""
    rng = np.random.default_rng(1)
    of = truth(rng, components=8)
    return 0.1 * of.draw(rng, 60) + 0.002 * rng.normal(size=(60, 256))


def trained(x: Doubles, k: int, *, tied: bool = True) -> tuple[PrincipalComponents, Descent]:
    principal = pca(x)
    return principal, Descent.of(principal, k, 1.0, tied)


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "not tied"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("x", [DIGITS, made_up_faces()], ids=["digits", "faces"])
def test_the_space_turns_into_that_of_the_components(x: Doubles, k: int, tied: bool) -> None:
    """scikit-learn finds the components."""
    principal, found = trained(x, k, tied=tied)
    pca = PCA(k).fit(x)
    columns = found.weights[STEPS, -1].T @ principal.components
    assert principal_angles(columns, pca.components_).max() < 1e-3
    lost = ((x - pca.inverse_transform(pca.transform(x))) ** 2).sum(axis=1).mean()
    np.testing.assert_allclose(found.losses[-1], lost, rtol=1e-5)


def test_the_loss_never_lies_below_that_of_the_components() -> None:
    for tied in (True, False):
        principal, found = trained(DIGITS, 5, tied=tied)
        assert found.losses.min() > principal.variances[5:].sum() * (1 - 1e-12)
        assert found.losses[0] > 0.9 * principal.variances.sum()


def test_descent_commutes_with_the_rotation() -> None:
    """In pixels, with the gradient by finite differences of the loss of the pictures."""
    x = DIGITS[:50] - DIGITS[:50].mean(axis=0)
    principal, found = trained(x, 2)
    w = np.linalg.pinv(x) @ x @ np.random.default_rng(0).normal(size=(64, 2)) * 0.1 / 8
    speed = np.zeros_like(w)

    def loss(weights: Doubles) -> float:
        return float(((x - x @ weights @ weights.T) ** 2).sum(axis=1).mean())

    for _ in range(7):
        slope = np.zeros_like(w)
        for at in np.ndindex(w.shape):
            step = np.zeros_like(w)
            step[at] = 1e-6
            slope[at] = (loss(w + step) - loss(w - step)) / 2e-6
        speed = 0.9 * speed - slope / (8 * principal.variances[0])
        w = w + speed
    np.testing.assert_allclose(principal.components.T @ found.weights[7, 0], w, atol=1e-6)
    assert found.losses[7] == pytest.approx(loss(w), rel=1e-6)


def test_too_long_a_step_diverges_and_the_picture_says_so() -> None:
    ready = LESSON.prepare(SUBJECTS["digits"].make(0), no_tick)
    fast = LESSON.picture(ready, step=STEPS, rate=3.0).lower
    assert fast.note.startswith("diverged by step")
    losses = fast.rows[0][0]
    assert all(np.isfinite(curve.y).all() and curve.y.max() < 1.3 for curve in losses.curves)
    usual = LESSON.picture(ready, step=STEPS)
    share = 100 * usual.numbers["loss"] / DIGITS.var(axis=0).sum()
    assert usual.lower.note == f"loss {share:.2f} % of the variance"


def test_fewer_directions_than_columns() -> None:
    three = images(np.eye(4)[:3], 2, 2)
    shown = LESSON.show(three, k=6)
    assert len(shown.upper.rows[2][0].pictures) == 1
    controls = LESSON.controls_for(LESSON.prepare(three, no_tick))
    assert [each.name for each in controls] == ["step", "rate"]


def test_directions_of_colour_pictures_are_colours() -> None:
    panel = LESSON.show(noise(5, 2, 2, 3)).upper.rows[0][0]
    assert panel.pictures.shape == (3, 2, 2, 3)
    assert panel.visible.min() >= 0
    assert panel.visible.max() <= 1
