"""What a person answered about probes: right, somebody else, not these, nobody, no face."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Said = Literal["", "right", "it is", "nobody", "no face"]


@dataclass(frozen=True)
class Answered:
    """What a person answered about one probe.

    Parameters
    ----------
    said
        The verdict was right, it is somebody else, nobody known, or no face; "" if nothing.
    person
        Whom it shows; None unless right or somebody else.
    never
        People whom it does not show: they are not suggested for it again.
    crop
        The grey levels of a stranger's face, cut as the gallery's are; else nothing.
    held
        Whether the photograph was in the gallery before it was answered whom it shows: it stays
        there where that is taken back.
    before
        Whom it showed there then; None: nobody who was named.
    """

    said: Said = ""
    person: str | None = None
    never: frozenset[str] = frozenset()
    crop: bytes = field(default=b"", repr=False)
    held: bool = False
    before: str | None = None

    def __post_init__(self) -> None:
        if self.crop and self.said != "nobody":
            raise ValueError("an answer has the face of a stranger and is about none")
        if (self.person is not None) != (self.said in ("right", "it is")):
            raise ValueError("an answer has no person, or one that it is not about")
        if (self.held and self.person is None) or (self.before is not None and not self.held):
            raise ValueError("an answer tells of a photograph before, and has not changed it")
        if self.person in self.never:
            raise ValueError("an answer says that it is somebody, and that it is not")

    def renamed(self, person: str, name: str) -> Answered:
        """Return the answer with another name for somebody, perhaps of somebody else in it.

        Where two people are one from now on, what says whom it shows goes before whom it does not.
        """
        named = name if self.person == person else self.person
        before = name if self.before == person else self.before
        never = frozenset(name if each == person else each for each in self.never)
        return replace(self, person=named, never=never - {named}, before=before)

    def among(self, people: Collection[str]) -> Answered:
        """Return what it says about these people only."""
        never = self.never.intersection(people)
        if self.person is None or self.person in people:
            return replace(self, never=never)
        return Answered(never=never)


Answers = Mapping[str, Answered]
"""Answers by the key of the probe; none is empty."""

NOTHING = Answered()
"""No answer."""


def among(answers: Answers, people: Collection[str]) -> Answers:
    """Return what the answers say about these people only."""
    left = {key: each.among(people) for key, each in answers.items()}
    return {key: each for key, each in left.items() if each != NOTHING}
