"""The progress of work in several stages, each with a name and a share of the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eigenfaces.errors import Tick

WHOLE = 100
"""What the total is, whatever is counted inside a stage: per cent."""

Enter = Callable[[str], None]
"""``enter(name)``: called as a stage begins."""


def no_enter(name: str) -> None:
    """Do nothing: the default if nobody watches the stages."""


class Stages:
    """Turns the progress of the stages into a percentage of the whole, which never falls.

    Parameters
    ----------
    parts
        Name of each stage, in order, and its approximate share of the whole. A stage that does
        not happen is skipped by the next one.
    tick
        Gets the percentage done, out of `WHOLE`.
    enter
        Gets the name of each stage.

    Examples
    --------
    >>> stages = Stages({"baking": 3, "eating": 1}, lambda done, total: print(done, "of", total))
    >>> baking = stages.begin("baking")
    0 of 100
    >>> baking(1, 2), stages.begin("eating")(200, 200)
    37 of 100
    75 of 100
    100 of 100
    (None, None)
    """

    def __init__(self, parts: Mapping[str, float], tick: Tick, enter: Enter = no_enter) -> None:
        self._parts, self._tick, self._enter = dict(parts), tick, enter
        self._done = 0

    def begin(self, name: str) -> Tick:
        """Begin a stage and return its tick; a stage that begins again counts from 0."""
        names = list(self._parts)
        before = sum(self._parts[each] for each in names[: names.index(name)])
        share, whole = self._parts[name], sum(self._parts.values())

        def tick(done: int, total: int) -> None:
            inside = min(done / total, 1.0) if total else 0.0
            self._done = max(self._done, int(WHOLE * (before + share * inside) / whole))
            self._tick(self._done, WHOLE)

        self._enter(name)
        tick(0, 1)
        return tick
