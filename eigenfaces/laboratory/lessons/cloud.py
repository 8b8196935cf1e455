"""Points in a few dimensions, that can be dragged: what most lessons are shown on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.arrays import Doubles

_DIGITS = 3
"""Points placed by hand have so many decimals, so that a listing can state them exactly."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Cloud:
    """n points of d numbers.

    Parameters
    ----------
    title
        What they are, for people: “A cloud of 70 points”.
    values
        (n, d) the points.
    columns
        The names of the d numbers.
    labels
        (n,) the group of each, or None.
    code
        Lines of Python that make ``x`` (n, d) and, with labels, ``labels`` (n,), for the listings.
    """

    title: str
    values: Doubles
    columns: tuple[str, ...]
    labels: tuple[str, ...] | None = None
    code: str = ""

    def __post_init__(self) -> None:
        if self.values.shape[1:] != (len(self.columns),):
            raise ValueError("there is not one name for each column")
        self.values.setflags(write=False)

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def made_by(cls, code: str, *, title: str, columns: tuple[str, ...]) -> Cloud:
        """Return the points that lines of our own make: a listing with these lines has the same."""
        made: dict[str, object] = {"np": np}
        exec(code, made)
        labels = tuple(np.asarray(made["labels"]).tolist()) if "labels" in made else None
        values = np.asarray(made["x"], dtype=float)
        return cls(title=title, values=values, columns=columns, labels=labels, code=code)

    @classmethod
    def by_hand(cls, values: Doubles, columns: tuple[str, ...]) -> Cloud:
        """Return points that somebody placed or typed."""
        if len(values) < 2:
            raise EigenfacesError("A lesson needs at least two points.")
        values = np.round(np.asarray(values, dtype=float), _DIGITS)
        title = f"{len(values):,} points of your own"
        rows = ", ".join(f"[{', '.join(f'{each:g}' for each in row)}]" for row in values)
        return cls(title=title, values=values, columns=columns, code=f"x = np.array([{rows}])")

    def moved(self, number: int, to: Doubles) -> Cloud:
        """Return the cloud with one point at another place (d,)."""
        values = self.values.copy()
        values[number] = to
        return self._with(values, self.labels)

    def added(self, at: Doubles) -> Cloud:
        """Return the cloud with one point more, in the last group."""
        labels = None if self.labels is None else (*self.labels, self.labels[-1])
        return self._with(np.vstack([self.values, at]), labels)

    def without(self, number: int) -> Cloud:
        """Return the cloud without a point."""
        labels = self.labels and (*self.labels[:number], *self.labels[number + 1 :])
        return self._with(np.delete(self.values, number, axis=0), labels)

    def _with(self, values: Doubles, labels: tuple[str, ...] | None) -> Cloud:
        made = Cloud.by_hand(values, self.columns)
        code = made.code if labels is None else f"{made.code}\nlabels = np.array({list(labels)})"
        return replace(made, labels=labels, code=code)
