"""History for undo and redo, which keeps the content before and after each change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from numpy.typing import NDArray

from eigenfaces.project.content import Content

T = TypeVar("T")

MOST_STEPS = 50
MOST_UNDO_BYTES = 100_000_000  # of arrays in all steps together; the last step is always kept


@dataclass(frozen=True, eq=False)
class Step:
    """Change with its title and the content before and after it."""

    title: str
    before: Content
    after: Content

    def undo(self, now: Content) -> Content:
        """Return the current content with this step undone."""
        return _between(now, self.after, self.before)

    def redo(self, now: Content) -> Content:
        """Return the current content with this step redone."""
        return _between(now, self.before, self.after)


def _between(now: Content, start: Content, end: Content) -> Content:
    """Apply the differences between two states of the content to its current state.

    Everything else stays as it is now: evaluations that have been saved since, photographs that
    an import could not use, and the calibration if it is still valid.
    """
    gallery = now.gallery
    if start.gallery is not end.gallery:
        gallery = end.gallery.with_calibration(now.gallery.calibration)
    return Content(
        gallery,
        _list_between(now.unused, start.unused, end.unused),
        now.probe_list if start.probe_list is end.probe_list else end.probe_list,
        _list_between(now.runs, start.runs, end.runs),
        _list_between(now.files, start.files, end.files),
        _list_between(now.folders, start.folders, end.folders),
        now.forgotten,
    )


def _list_between(now: Sequence[T], start: Sequence[T], end: Sequence[T]) -> tuple[T, ...]:
    """Return ``now`` minus the items found only in ``start``, plus the items only in ``end``."""
    if start is end:
        return tuple(now)
    if tuple(now) == tuple(start):
        return tuple(end)
    gone = {*start}.difference(end)
    kept = [one for one in now if one not in gone]
    return (*kept, *(one for one in end if one not in {*start, *kept}))


@dataclass(frozen=True, eq=False)
class History:
    """Steps that can be undone and redone. The next step is the last in each tuple."""

    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()

    @property
    def undo_title(self) -> str | None:
        """The title of the change that undo would revert, or None."""
        return self.past[-1].title if self.past else None

    @property
    def redo_title(self) -> str | None:
        """The title of the change that redo would repeat, or None."""
        return self.future[-1].title if self.future else None

    @property
    def contents(self) -> list[Content]:
        """The states of the content that undo and redo can restore."""
        steps = (*self.past, *self.future)
        return [content for step in steps for content in (step.before, step.after)]

    def remember(self, title: str, before: Content, after: Content) -> History:
        """Return the history after a new change, without any steps to redo."""
        past = (*self.past, Step(title, before, after))[-MOST_STEPS:]
        while len(past) > 1 and _bytes_of(past) > MOST_UNDO_BYTES:
            past = past[1:]
        return History(past)

    def amend(self, now: Content) -> History:
        """Return the history with the last step changed so that it leads to the current content.

        An automatic result of a change, such as training, is then undone together with the change.
        """
        if not self.past:
            return self
        *past, step = self.past
        return replace(self, past=(*past, replace(step, after=now)))

    def undo(self, now: Content) -> tuple[Step, History] | None:
        """Return the step to undo, and the history after undoing it."""
        if not self.past:
            return None
        *past, step = self.past
        # Keep a calibration that was made since, so that redo restores it.
        after = replace(step.after, gallery=now.gallery)
        return step, History(tuple(past), (*self.future, replace(step, after=after)))

    def redo(self, now: Content) -> tuple[Step, History] | None:
        """Return the step to redo, and the history after redoing it."""
        if not self.future:
            return None
        *future, step = self.future
        before = replace(step.before, gallery=now.gallery)
        return step, History((*self.past, replace(step, before=before)), tuple(future))


def _bytes_of(steps: tuple[Step, ...]) -> int:
    """Return the size of all faces and face spaces in the steps, each counted once.

    Appended rows share their memory with the rows before them.
    """
    arrays: list[NDArray[Any]] = []
    listed = {id(step.before.probe_list.probes): step.before.probe_list.probes for step in steps}
    probes = {id(probe): probe for some in listed.values() for probe in some}
    arrays += [probe.image for probe in probes.values()]
    for content in (step.before for step in steps):
        gallery = content.gallery
        arrays.append(gallery.faces.pixels.source)
        if (training := gallery.training) is not None:
            arrays += (
                training.space.components,
                training.coordinates,
                training.matching_coordinates,
            )
    sizes = dict[int, int]()
    for array in arrays:
        start = array.ctypes.data
        sizes[start] = max(array.nbytes, sizes.get(start, 0))
    return sum(sizes.values())
