"""Points in space that the pointer turns."""

import numpy as np
from PySide6.QtCore import QPointF

from gui.plots.turning import Turning

POINTS = np.random.default_rng(0).normal(size=(30, 3))


def lengths(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def test_it_stays_a_rotation_however_long_it_is_turned():
    turning = Turning()
    for step in range(2000):
        turning.turn(QPointF(7 + step % 5, 3 - step % 7))
    assert np.allclose(lengths(turning.seen(POINTS)), lengths(POINTS), atol=1e-12)
    assert np.linalg.det(turning.rotation) > 0, "no mirror"


def test_what_is_near_goes_with_the_pointer():
    for by in (QPointF(20, 0), QPointF(-20, 0), QPointF(0, 20), QPointF(0, -20)):
        turning = Turning()
        near = turning.rotation.T @ (0, 0, 1)  # straight towards whoever looks
        turning.turn(by)
        across, up, _ = turning.seen(near[None])[0]
        assert (np.sign(round(across, 9)), np.sign(round(-up, 9))) == (
            np.sign(by.x()),
            np.sign(by.y()),
        )


def test_half_a_turn_shows_the_other_side():
    turning = Turning()
    before = turning.seen(POINTS)
    for _ in range(36):
        turning.turn(QPointF(10, 0))
    assert np.allclose(turning.seen(POINTS), before * (-1, 1, -1))
