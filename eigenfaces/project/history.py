"""What can be taken back and done again: the galleries before and after, each with a title."""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.recognition.gallery import Gallery

MOST_STEPS = 50
MOST_BYTES = 1_000_000_000
"""Galleries share their arrays, but each import makes new ones: the oldest are let go of."""


@dataclass(frozen=True, eq=False)
class Step:
    """A change, and the gallery on its other side."""

    title: str
    gallery: Gallery


@dataclass(frozen=True, eq=False)
class History:
    """The steps that lead back, and those that lead forward again; the next one comes last."""

    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()

    @property
    def can_undo(self) -> str | None:
        """What undo would take back, or None."""
        return self.past[-1].title if self.past else None

    @property
    def can_redo(self) -> str | None:
        """What redo would do again, or None."""
        return self.future[-1].title if self.future else None

    def remember(self, title: str, before: Gallery) -> History:
        """Return the history after a new change; what could be done again is forgotten."""
        past = (*self.past, Step(title, before))[-MOST_STEPS:]
        while _bytes_of(past) > MOST_BYTES:
            past = past[1:]
        return History(past)

    def back(self, now: Gallery) -> tuple[Step, History] | None:
        """Return the step that undo takes from the gallery as it is now, and the history then."""
        if not self.past:
            return None
        *past, step = self.past
        return step, History(tuple(past), (*self.future, Step(step.title, now)))

    def forward(self, now: Gallery) -> tuple[Step, History] | None:
        """Return the step that redo takes from the gallery as it is now, and the history then."""
        if not self.future:
            return None
        *future, step = self.future
        return step, History((*self.past, Step(step.title, now)), tuple(future))


def _bytes_of(steps: tuple[Step, ...]) -> int:
    """Return the bytes of the faces and face spaces of all galleries, each array counted once."""
    galleries = [step.gallery for step in steps]
    arrays = [gallery.faces.pixels.held for gallery in galleries]
    arrays += [gallery.training.space.components for gallery in galleries if gallery.training]
    return sum(array.nbytes for array in {id(array): array for array in arrays}.values())
