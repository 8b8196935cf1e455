"""The photographs of an import under review: their readings, corrections, states, and undo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.face_choice import ALONE, EVERY, FaceChoice, choose_faces
from eigenfaces.faces.face_set import FacePhoto, FaceSet, file_key
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import DOUBTS, Concern
from eigenfaces.faces.read import describe_faces
from eigenfaces.importing.correct import UNCORRECTED, Correction, ReviewReading, Task
from eigenfaces.importing.entries import Entry, State
from eigenfaces.importing.load import Originals, repeated
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Photo, Skipped
from eigenfaces.text import count

Named = tuple[tuple[str | None, ReviewReading], ...]
"""Readings, each with the person on the photograph."""

FaceChoices = Mapping[tuple[Path, str | None, tuple[FoundFace, ...]], FaceChoice]
"""The choice for a photograph of a person, and the faces among which it was made."""


@dataclass(frozen=True)
class Undecided:
    """Photographs whose face was found, and those that they are compared with.

    Two are equal if nothing has changed: not a reading, and not a name.
    """

    found: Named  # the photographs on which a face has to be chosen, or may be another's
    settled: Named  # those whose face is settled
    enrolled: FaceSet  # the faces of the gallery

    def choices(self, tick: Tick = no_tick) -> FaceChoices:
        """Return the choice for each photograph: it takes a tenth of a second for each."""
        describe_faces(
            [replace(each, photo=replace(each.photo, person=who)) for who, each in self.found], tick
        )
        again = {reading.key for _, reading in self.found}
        photos = self.enrolled.index.photos
        rows = [row for row, photo in enumerate(photos) if file_key(photo.key) not in again]
        held = [self.enrolled if len(rows) == len(photos) else self.enrolled.select(rows)]
        if self.settled:
            cuts = [
                (each.described(who), each.levels)
                for who, each in self.settled
                if each.levels is not None
            ]
            held.append(FaceSet.of(cuts, cuts[0][1].shape))
        people = [(who, each) for who, each in self.found if who is not None]
        made = choose_faces([each.candidates(who) for who, each in people], held)
        keys = [(each.photo.path, who, each.faces) for who, each in people]
        nobody = [(each.photo.path, who, each.faces) for who, each in self.found if who is None]
        return dict(zip(keys, made, strict=True)) | dict.fromkeys(nobody, ALONE)


_WITH_FACE = ("added", "replaced", "known")


@dataclass(frozen=True, eq=False)
class Plan:
    """The photographs to import, with the placements of their faces, and their readings."""

    found: FoundPhotos
    readings: Mapping[Path, ReviewReading]
    others: Mapping[Path, ReviewReading]  # of which all faces are taken, the others without a name


class Review:
    """The photographs found, their readings, and the corrections by a person, with undo.

    ``choices``: the last ones that were made, of which those are used that still hold.
    """

    def __init__(
        self,
        found: FoundPhotos,
        enrolled: FaceSet,
        preparation: Preparation,
        adding: Callable[[Preparation], Preparation] = lambda asked: asked,
    ) -> None:
        self.found, self.enrolled, self.preparation = found, enrolled, preparation
        self.adding = adding
        self.said: Mapping[Path, Correction] = {
            photo.path: Correction(turned=photo.turned)  # by a person, before this review
            for photo in found.photos
            if photo.turned
        }
        self.left_out: frozenset[Path] = frozenset()
        self.left_open: frozenset[Path] = frozenset()
        self.choices: FaceChoices = {}
        self._readings: dict[tuple[Path, Correction, bool], ReviewReading] = {}
        self._undo: list[tuple[str, Mapping[Path, Correction], tuple[frozenset[Path], ...]]] = []
        self._photos = {photo.path: photo for photo in found.photos}
        # There may be thousands: what has not changed is kept.
        self._guessed: dict[Path, tuple[ReviewReading, FaceChoice, ReviewReading]] = {}
        self._made: dict[Path, Entry] = {}

    # Readings

    def correction(self, path: Path) -> Correction:
        """Return the correction of a photograph."""
        return self.said.get(path, UNCORRECTED)

    def turned(self, path: Path) -> int:
        """Return by how many quarter turns clockwise a photograph is shown."""
        last = self._last(path)
        return self.correction(path).turned if path in self.said or last is None else last.turned

    def reading(self, path: Path) -> ReviewReading | None:
        """Return the last reading, or None if it must be read again."""
        last = self._last(path)
        return last if last is not None and last.preparation == self.preparation else None

    def keep(self, reading: ReviewReading) -> None:
        """Store the reading of a photograph."""
        key = (reading.photo.path, reading.correction, reading.preparation.already_cropped)
        if key not in self._readings or reading.preparation == self.preparation:
            self._readings[key] = reading

    def tasks(self, paths: Collection[Path] | None = None) -> list[Task]:
        """Return the photographs still to be read, corrected ones first."""
        wanted = self._photos if paths is None else [path for path in paths if path in self._photos]
        missing = [path for path in wanted if self.reading(path) is None]
        missing.sort(key=lambda path: path not in self.said)
        return [Task(self._photos[p], self.correction(p), self._last(p)) for p in missing]

    def search_task(self, photo: Photo) -> Task:
        """Return the task of finding all faces, wherever the chosen one is said to be.

        Its reading is that of another correction: it changes nothing.
        """
        correction = Correction(cropped=False, turned=self.turned(photo.path))
        return Task(replace(photo, placement=None), correction)

    def faces(self, path: Path) -> list[Eyes]:
        """Return all faces found in a photograph, in the turned picture."""
        found = self.searched(path)
        return [] if found is None else [face.eyes for face in found.faces]

    def searched(self, path: Path) -> ReviewReading | None:
        """Return the reading with all faces found in a photograph, if any were."""
        turned, cropped = self.turned(path), self.preparation.already_cropped
        anew = Correction(turned=turned)
        for correction in (self.correction(path), anew, replace(anew, cropped=False)):
            reading = self._readings.get((path, correction, cropped))
            if reading is not None and reading.correction.turned == turned and reading.faces:
                return reading
        return None

    def _last(self, path: Path) -> ReviewReading | None:
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
            found = self.searched(path)
            assert found is not None
            said[path] = Correction(found.faces[number].eyes, turned=self.turned(path))
            if found.crops is not None and found.preparation == self.preparation:
                self.keep(found.with_face(number, said[path]))  # it need not be read again
        self.correct(title, said)

    def leave_out(self, paths: Collection[Path], out: bool) -> None:
        """Leave photographs out, or include them again."""
        self._remember(f"{'leaving out' if out else 'taking back'} {count(len(paths))}")
        self.left_out = self.left_out | set(paths) if out else self.left_out - set(paths)

    def leave_open(self, paths: Collection[Path]) -> None:
        """Leave guesses open, so that they are not confirmed with the others; or the reverse."""
        self._remember(f"ticking {count(len(paths))}")
        self.left_open = self.left_open ^ set(paths)

    @property
    def corrections(self) -> tuple[object, ...]:
        """All that a person has corrected: equal only while nothing more is."""
        return self.said, self.left_out, self.left_open

    @property
    def settled(self) -> bool:
        """Return whether all corrections have been applied."""
        return all(self._last(path) is not None for path in self.said)

    @property
    def can_undo(self) -> str | None:
        """The title of the change that undo would revert, or None."""
        return self._undo[-1][0] if self._undo else None

    def undo(self) -> list[Path]:
        """Revert the last correction; return its photographs."""
        if not self._undo:
            return []
        said, left = self.said, (self.left_out, self.left_open)
        _, self.said, (self.left_out, self.left_open) = self._undo.pop()
        changed = (left[0] ^ self.left_out) | (left[1] ^ self.left_open)
        changed |= {path for path in self._photos if said.get(path) != self.said.get(path)}
        return [path for path in self._photos if path in changed]

    def _remember(self, title: str) -> None:
        self._undo.append((title, self.said, (self.left_out, self.left_open)))

    # Results

    def entries(self, named: FoundPhotos) -> list[Entry]:
        """Return an entry for every photograph, with the names given in ``named``."""
        people = {photo.path: photo for photo in named.photos}
        unnamed = {file.path: file for file in named.skipped}
        originals = Originals(self.enrolled.index)
        entries = []
        for photo in self.found.photos:
            if photo.path in people:
                entries.append(self._entry(people[photo.path], originals))
            else:
                nobody = Skipped(photo.path, "Nobody is named on it.", kind="unnamed")
                left_out = unnamed.get(photo.path, nobody)
                entries.append(self._passed_over(str(photo.path), left_out))
        skipped = enumerate(self.found.skipped)
        return [*entries, *(self._passed_over(f"{at} {file.path}", file) for at, file in skipped)]

    def is_unread(self, entry: Entry) -> bool:
        """Return whether a photograph has to be read yet, as it was when the entry was made."""
        return entry.reading is None and entry.photo.path in self._photos

    def _passed_over(self, key: str, file: Skipped) -> Entry:
        concern = Concern(file.kind, file.reason)
        photo, reading = Photo(file.path, file.person), self.reading(file.path)
        return Entry(key, photo, "left out", reading, (concern,), passed_over=True)

    def _entry(self, photo: Photo, originals: Originals) -> Entry:
        """Return the entry of a photograph; the same one while nothing of it has changed."""
        path, reading = photo.path, self.reading(photo.path)
        choice, first = None, None
        if reading is not None and reading.can_recur:
            choice = self.choices.get((path, photo.person, reading.faces))
            if photo.person is None and reading.undecided:
                choice = EVERY
            if choice is not None:
                before, by, guess = self._guessed.get(path, (None, None, reading))
                if before is not reading or by is not choice:
                    guess = reading.guessing(choice, photo.person)
                    self._guessed[path] = reading, choice, guess
                reading = guess
        by_hand, asked = path in self.left_out, choice is not None and choice.kind == "ask"
        if reading is not None and reading.key and not by_hand:
            # It is already enrolled, whatever its name.
            known = self.enrolled.index.row_of(reading.key) is not None
            this = _photo_of(reading, None if known else photo.person)
            undecided = asked or reading.levels is None
            first = originals.of_file(this) if undecided else originals.of(this)
        now = Entry(
            *(str(path), photo, "left out", reading),
            by_hand=by_hand,
            first=first,
            choice=choice,
            left_open=path in self.left_open,
        )
        made = self._made.get(path)
        if made is not None and replace(made, state="left out", concerns=()) == now:
            return made
        if reading is None and not by_hand:
            now = replace(now, state="waiting")
        elif reading is not None and not by_hand:
            state: State = "choice" if asked else self._state(reading)
            twice: tuple[Concern, ...] = ()
            if first is not None:  # if names differ, the reason includes the remedy
                remedy = "Leave the other one out if this is the right one."
                said = repeated(first, _photo_of(reading, photo.person))
                twice = (Concern("duplicate", said, remedy * (first.person == photo.person)),)
                state = "left out"
            now = replace(now, state=state, concerns=twice + reading.concerns)
        self._made[path] = now
        return now

    def _state(self, reading: ReviewReading) -> State:
        if reading.unreadable:
            return "left out"
        if reading.levels is None and reading.choice is not EVERY:
            return "choice"
        held = self.enrolled.index
        row = held.row_of(reading.key)
        if row is None and any(each.kind in DOUBTS for each in reading.concerns):
            return "choice"
        if row is None:
            return "replaced" if reading.photo.path in held.by_path else "added"
        same = reading.enrolled or held.photos[row].placement == reading.photo.placement
        return "known" if same else "replaced"

    def undecided(self, entries: Sequence[Entry]) -> Undecided:
        """Return the photographs whose face was found by the program, and what is settled."""
        found, settled = [], []
        for entry in entries:
            reading, person = self.reading(entry.photo.path), entry.photo.person
            if reading is None or entry.passed_over or entry.by_hand or entry.first is not None:
                continue
            if reading.can_recur and (person is not None or reading.crops is None):
                found.append((person, reading))
            elif person is not None and entry.state in ("added", "replaced"):
                settled.append((person, reading))
        return Undecided(tuple(found), tuple(settled), self.enrolled)

    def decisions(self, entries: Sequence[Entry]) -> Plan:
        """Return the plan for photographs that wait: only what is decided; the others go on."""
        return self.plan([each for each in entries if each.decided or each.by_hand or each.first])

    def group_photos(self, entries: Sequence[Entry]) -> dict[Path, ReviewReading]:
        """Return those that come with a person's name and show others, too: with all faces."""
        named = (e.photo.path for e in entries if e.photo.person and e.state in _WITH_FACE)
        found = ((path, self.searched(path)) for path in named)
        return {
            path: each
            for path, each in found
            if each is not None and each.crops is not None and each.preparation == self.preparation
        }

    def plan(self, entries: Sequence[Entry], *, others: bool = False) -> Plan:
        """Return the plan of the import; ``others``: with all faces of `group_photos`."""
        photos, skipped, readings = [], [], {}
        for entry in entries:
            photo = replace(entry.photo, turned=self.turned(entry.photo.path))
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
        groups = self.group_photos(entries) if others else {}
        return Plan(FoundPhotos(tuple(photos), tuple(skipped)), readings, groups)


def _photo_of(reading: ReviewReading, person: str | None) -> FacePhoto:
    """Return what identifies a photograph, whether or not its face is known."""
    return FacePhoto(reading.photo.path, person, reading.key, reading.size, crop=reading.crop_key)
