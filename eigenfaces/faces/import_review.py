"""The photographs of an import under review: their readings, corrections, states, and undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from eigenfaces.errors import Fault
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.guesses import Guesses, Undecided
from eigenfaces.faces.incoming import UNCORRECTED, Correction, IncomingPhoto, Task
from eigenfaces.faces.intake import Loaded, Originals, repeated
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.preparation import Preparation
from eigenfaces.faces.quality import Concern
from eigenfaces.faces.recurrence import FaceChoice
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes
from eigenfaces.wording import count

State = Literal["waiting", "added", "replaced", "known", "choice", "left out"]

_SAID: dict[State, tuple[str, str]] = {
    "added": ("will be added", "will be added"),
    "replaced": ("replaces an earlier version", "replace an earlier version"),
    "known": ("is in the gallery already", "are in the gallery already"),
    "choice": ("needs your choice", "need your choice"),
    "left out": ("left out", "left out"),
    "waiting": ("not looked at yet", "not looked at yet"),
}
_BY_HAND = "You left it out."


@dataclass(frozen=True, eq=False)
class Entry:
    """One photograph of an import: whether it will be added, and why not.

    ``by_hand``: a person left it out. ``passed_over``: no face was searched for, since it is not a
    photograph or has no name. ``first``: the first photograph with the same content, if any.
    ``choice``: which of its several faces is likely to be meant.
    """

    key: str
    photo: Photo
    state: State
    reading: IncomingPhoto | None = None
    concerns: tuple[Concern, ...] = ()
    by_hand: bool = False
    passed_over: bool = False
    first: FacePhoto | None = None
    choice: FaceChoice | None = None

    @property
    def guessed(self) -> bool:
        """Whether it is added, or in the gallery, and which face is meant is only a guess."""
        taken = self.state in ("added", "replaced", "known")
        return taken and self.choice is not None and self.choice.kind == "guess"

    @property
    def to_compare(self) -> bool:
        """Whether there are several faces, and they were not compared with other photographs yet.

        Until then, a face that is much larger than the others is no more than the largest one.
        """
        several = self.reading is not None and self.reading.undecided
        named = self.photo.person is not None and not (self.by_hand or self.passed_over)
        return several and named and self.choice is None

    @property
    def needs_attention(self) -> bool:
        """Whether a person should check it."""
        return bool(self.concerns) and not self.by_hand and not self.passed_over

    @property
    def coming(self) -> bool:
        """Whether it will be added, as far as is known so far."""
        return self.state in ("added", "replaced", "waiting")

    @property
    def skipped(self) -> Skipped:
        """Why it is not added."""
        path, person = self.photo.path, self.photo.person
        if self.by_hand:
            return Skipped(path, _BY_HAND, person, "left out")
        first = self.concerns[0]
        return Skipped(path, first.reason, person, cast("Fault", first.kind))

    @property
    def reason(self) -> str:
        """Why it is not added, as a sentence."""
        return self.skipped.reason


@dataclass(frozen=True, eq=False)
class Plan:
    """The photographs to import, with the placements of their faces, and their readings."""

    found: FoundPhotos
    readings: Mapping[Path, IncomingPhoto]

    def face(self, photo: Photo) -> Loaded | None:
        """Return the face of a photograph, if it was read already."""
        reading = self.readings.get(photo.path)
        return None if reading is None else reading.loaded(photo.person)


class Review:
    """The photographs found, their readings, and the corrections by a person, with undo."""

    def __init__(self, found: FoundPhotos, enrolled: FaceSet, preparation: Preparation) -> None:
        self.found, self.enrolled, self.preparation = found, enrolled, preparation
        self.said: Mapping[Path, Correction] = {}
        self.left_out: frozenset[Path] = frozenset()
        self._readings: dict[tuple[Path, Correction, bool], IncomingPhoto] = {}
        self._undo: list[tuple[str, Mapping[Path, Correction], frozenset[Path]]] = []
        self._photos = {photo.path: photo for photo in found.photos}
        self._begun: dict[tuple[Path, Correction, Preparation], Task] = {}
        self._made: dict[Path, Entry] = {}  # a cache: there may be thousands
        self.guesses = Guesses()

    # Readings

    def correction(self, path: Path) -> Correction:
        """Return the correction of a photograph."""
        return self.said.get(path, UNCORRECTED)

    def turned(self, path: Path) -> int:
        """Return by how many quarter turns clockwise a photograph is shown."""
        last = self._last(path)
        return self.correction(path).turned if path in self.said or last is None else last.turned

    def reading(self, path: Path) -> IncomingPhoto | None:
        """Return the last reading, or None if it must be read again."""
        last = self._last(path)
        return last if last is not None and last.preparation == self.preparation else None

    def keep(self, reading: IncomingPhoto) -> None:
        """Store the reading of a photograph."""
        self._begun.pop((reading.photo.path, reading.correction, reading.preparation), None)
        key = (reading.photo.path, reading.correction, reading.preparation.already_cropped)
        if key not in self._readings or reading.preparation == self.preparation:
            self._readings[key] = reading

    def tasks(self, paths: Collection[Path] | None = None) -> list[Task]:
        """Return the photographs still to be read, corrected ones first."""
        wanted = self._photos if paths is None else [path for path in paths if path in self._photos]
        missing = [path for path in wanted if self.reading(path) is None]
        missing.sort(key=lambda path: path not in self.said)
        return [Task(self._photos[p], self.correction(p), self._last(p)) for p in missing]

    def begin(self, task: Task, preparation: Preparation) -> bool:
        """Mark a photograph as being read; return False if it is already. Safe in any thread."""
        key = (task.photo.path, task.correction, preparation)
        return self._begun.setdefault(key, task) is task

    def release(self, tasks: Collection[Task]) -> None:
        """Unmark photographs whose reading was not finished."""
        ended = set(map(id, tasks))
        for key, task in list(self._begun.items()):
            if id(task) in ended:
                self._begun.pop(key, None)

    def faces(self, path: Path) -> list[Eyes]:
        """Return all faces found in a photograph, in the turned picture."""
        searched = self._searched(path)
        return [] if searched is None else [face.eyes for face in searched.faces]

    def _searched(self, path: Path) -> IncomingPhoto | None:
        """Return the reading with all faces found in a photograph, if any were."""
        turned, cropped = self.turned(path), self.preparation.already_cropped
        for correction in (
            self.correction(path),
            Correction(turned=turned),
            Correction(cropped=False, turned=turned),
        ):
            reading = self._readings.get((path, correction, cropped))
            if reading is not None and reading.correction.turned == turned and reading.faces:
                return reading
        return None

    def _last(self, path: Path) -> IncomingPhoto | None:
        return self._readings.get((path, self.correction(path), self.preparation.already_cropped))

    # Corrections

    def correct(self, title: str, corrections: Mapping[Path, Correction]) -> None:
        """Store the corrections that a person made."""
        self._remember(title)
        said = {**self.said, **corrections}
        self.said = {path: each for path, each in said.items() if each != UNCORRECTED}

    def choose(self, title: str, numbers: Mapping[Path, int]) -> None:
        """Store which of the faces found on each photograph a person chose."""
        said = {}
        for path, number in numbers.items():
            searched = self._searched(path)
            assert searched is not None
            said[path] = Correction(searched.faces[number].eyes, turned=self.turned(path))
            if searched.crops is not None and searched.preparation == self.preparation:
                self.keep(searched.with_face(number, said[path]))  # it need not be read again
        self.correct(title, said)

    def leave_out(self, paths: Collection[Path], out: bool) -> None:
        """Leave photographs out, or include them again."""
        self._remember(f"{'leaving out' if out else 'taking back'} {count(len(paths))}")
        self.left_out = self.left_out | set(paths) if out else self.left_out - set(paths)

    @property
    def can_undo(self) -> str | None:
        """The title of the change that undo would revert, or None."""
        return self._undo[-1][0] if self._undo else None

    def undo(self) -> list[Path]:
        """Revert the last correction; return its photographs."""
        if not self._undo:
            return []
        said, left = self.said, self.left_out
        _, self.said, self.left_out = self._undo.pop()
        return [
            path
            for path in self._photos
            if said.get(path) != self.said.get(path) or (path in left) != (path in self.left_out)
        ]

    def _remember(self, title: str) -> None:
        self._undo.append((title, self.said, self.left_out))

    # Results

    def entries(self, named: FoundPhotos) -> list[Entry]:
        """Return an entry for every photograph, with the names given in ``named``."""
        people = {photo.path: photo for photo in named.photos}
        unnamed = {file.path: file for file in named.skipped}
        made: list[Entry] = []
        originals = Originals(self.enrolled.index)
        for photo in self.found.photos:
            if photo.path in people:
                made.append(self._entry(people[photo.path], originals))
            else:
                nobody = Skipped(photo.path, "Nobody is named on it.", kind="unnamed")
                file = unnamed.get(photo.path, nobody)
                made.append(self._passed_over(str(photo.path), file))
        made += (
            self._passed_over(f"{number} {file.path}", file)
            for number, file in enumerate(self.found.skipped)
        )
        return made

    def _passed_over(self, key: str, file: Skipped) -> Entry:
        concern = Concern(file.kind, file.reason)
        photo, reading = Photo(file.path, file.person), self.reading(file.path)
        return Entry(key, photo, "left out", reading, (concern,), passed_over=True)

    def _entry(self, photo: Photo, originals: Originals) -> Entry:
        reading, choice = self.guesses.apply(self.reading(photo.path), photo.person)
        by_hand, first = photo.path in self.left_out, None
        asked = choice is not None and choice.kind == "ask"
        if reading is not None and reading.levels is not None and not (by_hand or asked):
            # It is already enrolled, whatever its name.
            known = self.enrolled.index.row_of(reading.key) is not None
            person = None if known else photo.person
            first = originals.of(reading.described(person))
        now = Entry(
            *(str(photo.path), photo, "left out", reading),
            by_hand=by_hand,
            first=first,
            choice=choice,
        )
        made = self._made.get(photo.path)
        if made is None or _inputs(made) != _inputs(now):
            made = self._made[photo.path] = self._with_state(now)
        return made

    def _with_state(self, entry: Entry) -> Entry:
        reading = entry.reading
        if entry.by_hand:
            return entry
        if reading is None:
            return replace(entry, state="waiting")
        if entry.choice is not None and entry.choice.kind == "ask":
            return replace(entry, state="choice", concerns=reading.concerns)
        if entry.first is None:
            return replace(entry, state=self._state(reading), concerns=reading.concerns)
        twice = _duplicate_concern(entry.first, reading.described(entry.photo.person))
        return replace(entry, concerns=(twice, *reading.concerns))

    def _state(self, reading: IncomingPhoto) -> State:
        if reading.unreadable:
            return "left out"
        if reading.levels is None:
            return "choice"
        if reading.enrolled:
            return "known"
        held = self.enrolled.index
        row = held.row_of(reading.key)
        if row is None:
            return "replaced" if reading.photo.path in held.by_path else "added"
        return "known" if held.photos[row].placement == reading.photo.placement else "replaced"

    def undecided(self, entries: Sequence[Entry]) -> Undecided:
        """Return the photographs of named people on which a face has to be chosen."""
        several, alone = [], []
        for entry in entries:
            reading, person = self.reading(entry.photo.path), entry.photo.person
            if person is None or reading is None or entry.passed_over or entry.by_hand:
                continue
            if reading.undecided:
                several.append((person, reading))
            elif entry.state in ("added", "replaced"):
                alone.append((person, reading))
        return Undecided(tuple(several), tuple(alone), self.enrolled)

    @property
    def settled(self) -> bool:
        """Return whether all corrections have been applied."""
        return all(self._last(path) is not None for path in self.said)

    def plan(self, entries: Sequence[Entry]) -> Plan:
        """Return the plan of the import."""
        photos, skipped, readings = [], [], {}
        for entry in entries:
            photo = entry.photo
            if entry.to_compare:  # while others are read: the import itself will choose
                photos.append(photo)
                continue
            if entry.state in ("choice", "left out"):
                skipped.append(entry.skipped)
                continue
            # It is already enrolled, whatever its name is now.
            person = None if entry.state == "known" else photo.person
            # What was read before another size was chosen is known, too.
            last = entry.reading or self._last(photo.path)
            placement = photo.placement if last is None else last.photo.placement
            photos.append(replace(photo, person=person, placement=placement))
            if entry.reading is not None:
                readings[photo.path] = entry.reading
        return Plan(FoundPhotos(tuple(photos), tuple(skipped)), readings)


def _inputs(entry: Entry) -> tuple[object, ...]:
    """Return all that the state and the concerns of an entry follow from."""
    return entry.photo, entry.reading, entry.by_hand, entry.first, entry.choice


def _duplicate_concern(first: FacePhoto, photo: FacePhoto) -> Concern:
    # If names differ, the reason includes the remedy.
    remedy = "Leave the other one out if this is the right one." * (first.person == photo.person)
    return Concern("duplicate", repeated(first, photo), remedy)


@dataclass(frozen=True)
class Tally:
    """The numbers of photographs: all of them, in each state, and added with a guess."""

    found: int
    of: Mapping[State, int]
    guesses: int = 0

    @classmethod
    def among(cls, entries: Sequence[Entry]) -> Tally:
        """Return the numbers of entries in each state."""
        guesses = sum(entry.guessed and entry.state == "added" for entry in entries)
        return cls(len(entries), Counter(entry.state for entry in entries), guesses)

    def sentence(self) -> str:
        """Return all numbers in one line."""
        return f"{count(self.found)} found: {', '.join(self._parts())}."

    def _parts(self) -> Iterator[str]:
        for state, (one, many) in _SAID.items():
            number = self.of.get(state, 0)
            if number:
                yield f"{number:,} {one if number == 1 else many}{self._guessed(state)}"

    def _guessed(self, state: State) -> str:
        guesses = self.guesses if state == "added" else 0
        return f" ({count(guesses, 'guess', 'guesses')})" * bool(guesses)
