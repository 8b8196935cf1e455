"""The history of undo and redo: all that a person can change, before and after, with titles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from eigenfaces.project.unused import Unused
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import ProbeList

AT_ONCE = 1000  # photographs that an edit may change while the window waits for it

MOST_STEPS = 50
MOST_UNDO_BYTES = 100_000_000  # of the arrays that steps hold; the last step is always kept


@dataclass(frozen=True, eq=False)
class Step:
    """A change, and what undo or redo returns to: the gallery, and the faces to recognise."""

    title: str
    gallery: Gallery
    probe_list: ProbeList
    removed: Unused = ()  # what the change took from the photographs that are not used …
    added: Unused = ()  # … and what it added to them


@dataclass(frozen=True, eq=False)
class History:
    """The steps of undo and those of redo; the next one is the last."""

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

    def remember(
        self,
        title: str,
        before: Gallery,
        probe_list: ProbeList,
        removed: Unused = (),
        added: Unused = (),
    ) -> History:
        """Return the history after a new change; the steps of redo are dropped."""
        past = (*self.past, Step(title, before, probe_list, removed, added))[-MOST_STEPS:]
        while len(past) > 1 and _bytes_of(past) > MOST_UNDO_BYTES:
            past = past[1:]
        return History(past)

    def undo(self, now: Gallery, probe_list: ProbeList) -> tuple[Step, History] | None:
        """Return the step of undo from the current state, and the history after it."""
        if not self.past:
            return None
        *past, step = self.past
        undone = replace(step, gallery=now, probe_list=probe_list)
        return step, History(tuple(past), (*self.future, undone))

    def redo(self, now: Gallery, probe_list: ProbeList) -> tuple[Step, History] | None:
        """Return the step of redo from the current state, and the history after it."""
        if not self.future:
            return None
        *future, step = self.future
        done = replace(step, gallery=now, probe_list=probe_list)
        return step, History((*self.past, done), tuple(future))


def is_large(before: Gallery, after: Gallery) -> bool:
    """Return whether a change takes longer than a person would wait for."""
    if before.faces.pixels is not after.faces.pixels or before.training is not after.training:
        return True
    pairs = zip(before.index.photos, after.index.photos, strict=True)
    return sum(one is not other for one, other in pairs) > AT_ONCE


def _bytes_of(steps: tuple[Step, ...]) -> int:
    """Return the bytes of all faces and face spaces in some steps, each array counted once."""
    galleries = [step.gallery for step in steps]
    arrays: list[NDArray[Any]] = [p.image for step in steps for p in step.probe_list.probes]
    arrays += [gallery.faces.pixels.source for gallery in galleries]
    for training in (gallery.training for gallery in galleries if gallery.training):
        arrays += training.space.components, training.coordinates, training.matching_coordinates
    return sum(array.nbytes for array in {id(array): array for array in arrays}.values())
