"""Entries of an import under review: the outcome for each photograph, and summaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, cast

from eigenfaces.errors import Fault
from eigenfaces.faces.face_choice import EVERY_FACE, FaceChoice
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.quality import DOUBTS, Concern
from eigenfaces.importing.correct import ReviewReading
from eigenfaces.importing.load import duplicate_reason
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.text import count

State = Literal["waiting", "added", "replaced", "moved", "known", "choice", "left out"]

TO_BE_ADDED = ("added", "replaced", "moved", "waiting", "uncompared")
"""The outcomes of photographs that, as far as is known, will be added."""

_OUTCOMES = {
    "added": ("will be added", "will be added"),
    "replaced": ("replaces an earlier version", "replace an earlier version"),
    "moved": ("was found in its new location", "were found in their new location"),
    "known": ("is already in the gallery", "are already in the gallery"),
    "choice": ("needs your choice", "need your choice"),
    "left out": ("left out", "left out"),
    "waiting": ("not read yet", "not read yet"),
    "uncompared": ("not compared yet", "not compared yet"),
}

_SOURCES = {
    "found": "The program found the face.",
    "guess": "The program guessed which of several faces is the right one.",
    "middle": "The most central face was chosen, as it is unclear which is right.",
    "by hand": "You showed where the face is.",
    "from a file": "A file gives the position of the face.",
}


@dataclass(frozen=True)
class Entry:
    """Photograph in an import: whether it will be added, and if not, why not."""

    key: str
    photo: Photo
    state: State
    reading: ReviewReading | None = None  # the reading, with the choice among its faces if any
    by_hand: bool = False  # whether the user left it out
    # why no face is searched for: the file is not a photograph, or has no name
    passed_over: Skipped | None = None
    original: FacePhoto | None = None  # the first photograph with the same content, if any

    @cached_property
    def concerns(self) -> tuple[Concern, ...]:
        """The problems that need attention, the most serious first."""
        if self.passed_over is not None:
            return (Concern(self.passed_over.kind, self.passed_over.reason),)
        if self.reading is None or self.by_hand:
            return ()
        if self.original is None:
            return self.reading.concerns
        # If names differ, the reason includes the remedy.
        same = self.original.person == self.photo.person
        remedy = "Leave the other photo out if this is the right one." if same else ""
        reason = duplicate_reason(self.original, self.photo.person)
        return (Concern("duplicate", reason, remedy), *self.reading.concerns)

    @property
    def choice(self) -> FaceChoice | None:
        """The choice among the faces, or None if they have not been compared."""
        return None if self.reading is None else self.reading.choice

    @property
    def guessed(self) -> bool:
        """Whether the photograph is in the gallery, or will be added to it, with a guessed face."""
        taken = self.state in ("added", "replaced", "moved", "known")
        return taken and self.choice is not None and self.choice.kind == "guess"

    @property
    def proposed_face(self) -> int | None:
        """The index of the face that the user should confirm, or None if there is none."""
        waits = self.guessed or self.state == "choice"
        return self.reading.main if self.reading is not None and waits else None

    @property
    def to_compare(self) -> bool:
        """Whether the faces have yet to be compared with the person's other photographs."""
        inferable = self.reading is not None and self.reading.face_can_be_inferred
        named = self.photo.person is not None and not (self.by_hand or self.passed_over)
        return inferable and named and self.choice is None and self.original is None

    @property
    def outcome(self) -> str:
        """The state, or ``uncompared`` while other photographs may still settle the choice."""
        return "uncompared" if self.state == "choice" and self.to_compare else self.state

    @property
    def needs_attention(self) -> bool:
        """Whether the user should check the photograph; copies with the same name need no check."""
        twice = self.original is not None and self.original.person == self.photo.person
        poor = not all(concern.is_note for concern in self.concerns)
        return poor and not (self.by_hand or self.passed_over or twice)

    @property
    def decided(self) -> bool:
        """Whether the photograph will be added with a face that is not, or no longer, a guess."""
        return self.state in ("added", "replaced") and not (self.to_compare or self.guessed)

    @property
    def urgency(self) -> int:
        """The priority for checking the photograph: 1 is highest, and 0 means no check is needed.

        Guesses come first, then faces that look wrong, several faces, no face, and the rest.
        """
        if self.guessed:
            return 1
        if not self.needs_attention:
            return 0
        kind = self.concerns[0].kind
        return 2 if kind in DOUBTS else {"several faces": 3, "no face": 4}.get(kind, 5)

    @property
    def status(self) -> tuple[Literal["ok", "warn", "neutral"], str]:
        """The status of the photograph, and text saying what the import will do with it."""
        if self.by_hand:
            return "neutral", "You left it out. It will not be added."
        if self.passed_over is not None:
            return "neutral", f"It will not be added. {self.passed_over.reason}"
        if self.reading is None:
            return "neutral", "It is being read…"
        turned = " The program turned it upright." if self.reading.turned_by_program else ""
        if self.concerns:
            return "warn", "\n".join(concern.sentence for concern in self.concerns) + turned
        if self.state == "moved":
            return "ok", "It is in the gallery, and this is its new location."
        if self.state == "known":
            return "neutral", "It is already in the gallery. Correct it to crop it again."
        if self.choice is EVERY_FACE:
            every = "Nobody is named, so all faces will be added, or only the one you choose."
            return "ok", every + turned
        placement = self.reading.photo.placement
        assert placement is not None  # without a face there would be a concern
        whole = "The whole photo is the face."
        source = whole if placement.eyes is None else _SOURCES[placement.source]
        replaced = " It replaces the earlier version." if self.state == "replaced" else ""
        return "ok", source + turned + replaced

    @property
    def size_words(self) -> str:
        """The size of the photograph as text; "" until the photograph has been read."""
        height, width = self.reading.size if self.reading else (0, 0)
        return f"{width:,} × {height:,} pixels" if height and width else ""

    @property
    def skipped(self) -> Skipped:
        """The record saying that the photograph will not be added, and why."""
        path, person = self.photo.path, self.photo.person
        turned = self.photo.turned if self.reading is None else self.reading.turned
        if self.by_hand:
            return Skipped(path, "You left it out.", person, "left out", turned)
        worst = self.concerns[0]
        return Skipped(path, worst.reason, person, cast("Fault", worst.kind), turned)


def recurrences(entries: Iterable[Entry], found: FoundPhotos) -> dict[str, list[float]]:
    """Return, for each folder name, how often each face recurs; see `scan.several_people`.

    ``found`` contains the photographs with the names of their folders, before any name was changed.
    """
    folders = {photo.path: photo.person for photo in found.photos}
    seen = dict[str, list[float]]()
    for entry in entries:
        name = folders.get(entry.photo.path)
        share = None if entry.choice is None else entry.choice.recurrence
        if name is not None and share is not None:
            seen.setdefault(name, []).append(share)
    return seen


def proposed_faces(entries: Iterable[Entry], *, guessed: bool) -> dict[Path, int]:
    """Return the index of the proposed face in each photograph that the user should check.

    If ``guessed``, these are photographs with a guessed face; otherwise, those needing a choice.
    """
    return {
        entry.photo.path: entry.proposed_face
        for entry in entries
        if entry.proposed_face is not None and entry.guessed == guessed
    }


def tally_words(entries: Sequence[Entry]) -> str:
    """Return the number of photographs with each outcome, on one line; "" if there are none."""
    parts = []
    for outcome, (one, many) in _OUTCOMES.items():
        those = [entry for entry in entries if entry.outcome == outcome]
        guesses = sum(entry.guessed for entry in those) if outcome == "added" else 0
        brackets = f" ({count(guesses, 'guess', 'guesses')})" if guesses else ""
        if those:
            parts.append(f"{len(those):,} {one if len(those) == 1 else many}{brackets}")
    return f"{count(len(entries))} found: {', '.join(parts)}." if entries else ""


def faces_words(entries: Iterable[Entry]) -> str:
    """Return a sentence about the faces that will be added from photographs without a name.

    The sentence is "" if no photograph without a name shows several faces.
    """
    added = [entry.reading for entry in entries if entry.outcome in TO_BE_ADDED]
    every = [reading for reading in added if reading and reading.choice is EVERY_FACE]
    faces = count(sum(len(reading.faces) for reading in every), "face")
    one = len(every) == 1
    where = "1 photo shows several people" if one else f"{len(every):,} photos show several people"
    return f"{where}: all {faces} in {'it' if one else 'them'} will be added." if every else ""


@dataclass(frozen=True)
class Decisions:
    """Counts of the user's decisions about photographs that need a decision."""

    guesses: int  # guesses to confirm
    chosen: int
    left_out: int
    twice: int  # second copies of a file
    open: int  # neither chosen nor left out, including guesses and ``twice``

    @classmethod
    def among(cls, entries: Sequence[Entry]) -> Decisions:
        """Return the counts for these photographs."""
        chosen = sum(entry.decided for entry in entries)
        left_out = sum(entry.by_hand for entry in entries)
        guesses = sum(entry.guessed for entry in entries)
        twice = sum(entry.original is not None for entry in entries)
        return cls(guesses, chosen, left_out, twice, len(entries) - chosen - left_out)

    @property
    def decided(self) -> int:
        """The number of photographs for which a decision has been made."""
        return self.chosen + self.left_out

    @property
    def verb(self) -> str:
        """The label of the button that applies the decisions."""
        return f"Keep {count(self.decided, 'answer')}" if self.decided else "Keep the answers"

    def sentence(self) -> str:
        """Return all counts as a sentence."""
        kinds = (
            (self.guesses, "to confirm"),
            (self.chosen, "chosen"),
            (self.left_out, "to leave out"),
            (self.twice, "found twice"),
            (self.open - self.guesses - self.twice, "still to decide"),
        )
        parts = ", ".join(f"{number:,} {word}" for number, word in kinds if number)
        return f"{parts}." if parts else ""
