"""Points with labels: a ring, two moons, a spiral, a Gaussian cloud, three groups in space."""

from __future__ import annotations

from collections.abc import Callable

from eigenfaces.laboratory.lessons.cloud import Cloud

_RING = """\
rng = np.random.default_rng({seed})
angle = np.linspace(0, 2 * np.pi, 160, endpoint=False)
x = np.column_stack([np.cos(angle), np.sin(angle)]) * rng.normal(1, 0.04, (160, 1))
labels = np.array(["east", "north", "west", "south"])[np.round(angle * 2 / np.pi).astype(int) % 4]
"""

_MOONS = """\
rng = np.random.default_rng({seed})
angle = rng.uniform(0, np.pi, 160)
x = np.column_stack([np.cos(angle), np.sin(angle)])
x[80:] = np.array([1, 0.5]) - x[80:]
x = x + rng.normal(0, 0.06, (160, 2))
labels = np.repeat(["upper", "lower"], 80)
"""

_SPIRAL = """\
rng = np.random.default_rng({seed})
angle = 2.5 * np.pi * np.sqrt(rng.uniform(0.04, 1, (240, 1)))
x = angle * np.hstack([np.cos(angle), np.sin(angle)]) * np.repeat([[1], [-1]], 120, axis=0)
x = x + rng.normal(0, 0.15, (240, 2))
labels = np.repeat(["one arm", "other arm"], 120)
"""

_GAUSSIAN = """\
rng = np.random.default_rng({seed})
x = rng.normal(size=(400, 2)) @ [[1.6, 0.9], [0, 0.8]]
labels = np.where(x[:, 0] > 0, "right", "left")
"""


_GROUPS = """\
rng = np.random.default_rng({seed})
labels = np.repeat(["A", "B", "C"], 50)
x = np.repeat([[-2.5, 0, 0], [2.5, 0, 0], [0, 0, 5]], 50, axis=0)
x = x + rng.normal(size=(150, 3)) * [1, 1.3, 0.7]
"""


def _shape(
    title: str, code: str, columns: tuple[str, ...] = ("first", "second")
) -> tuple[str, Callable[[int], Cloud]]:
    def draw(seed: int) -> Cloud:
        return Cloud.made_by(code.format(seed=seed).strip(), title=title, columns=columns)

    return title, draw


SHAPES = {
    "ring": _shape("A ring", _RING),
    "moons": _shape("Two moons", _MOONS),
    "spiral": _shape("A spiral with two arms", _SPIRAL),
    "gaussian": _shape("A Gaussian cloud", _GAUSSIAN),
    "groups": _shape("Three groups in space", _GROUPS, ("first", "second", "third")),
}
"""Title, and what draws the points by a seed, by the keys of the subjects."""
