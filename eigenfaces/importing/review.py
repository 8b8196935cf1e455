"""Review of an import: its photographs, their readings, corrections and states, with undo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.face_choice import ALONE, EVERY_FACE, KNOWN, FaceChoice
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FacePhoto, match_faces
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import DOUBTS
from eigenfaces.faces.read import with_target_faces
from eigenfaces.importing.correct import UNCORRECTED, Correction, ReadTask, ReviewReading
from eigenfaces.importing.entries import Entry, State
from eigenfaces.importing.load import find_original
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count

Named = tuple[tuple[str | None, ReviewReading], ...]
"""Readings, each with the name of the person in the photograph."""

FaceChoices = Mapping[tuple[Path, str | None, tuple[FoundFace, ...]], FaceChoice]
"""Choices, keyed by photograph, person, and the faces from which the choice was made."""


@dataclass(frozen=True)
class Undecided:
    """Photographs in which the program found the face, and faces to compare them with.

    Two instances are equal if no reading or name has changed.
    """

    open: Named  # photographs whose face has to be chosen, or may be somebody else's
    settled: Named  # photographs whose face is settled
    enrolled: FaceSet  # the faces of the gallery

    def choices(self) -> FaceChoices:
        """Return the choice of face for each photograph that is still open."""
        readings = [replace(r, photo=replace(r.photo, person=who)) for who, r in self.open]
        again = {reading.sha for reading in readings}
        photos = self.enrolled.index.photos
        rows = [row for row, photo in enumerate(photos) if photo.photograph.sha not in again]
        settled = [self.enrolled.select(rows)]
        if self.settled:
            cuts = [
                (reading.face_photo(who), as_levels(reading.face)) for who, reading in self.settled
            ]
            settled.append(FaceSet.of(cuts, cuts[0][1].shape))
        named = [reading for reading in readings if reading.photo.person is not None]
        chosen = with_target_faces(named, settled)
        return {  # without a named person, there is nothing to choose
            (reading.photo.path, reading.photo.person, reading.faces): reading.choice or ALONE
            for reading in (*readings, *chosen)
        }


@dataclass(frozen=True, eq=False)
class Plan:
    """Plan of an import: photographs with the placements of their faces, and their readings."""

    found: FoundPhotos
    readings: Mapping[Path, ReviewReading]
    groups: Mapping[Path, ReviewReading]  # readings whose faces are all added


@dataclass(frozen=True)
class _State:
    """Snapshot of the user's decisions, which undo can restore."""

    corrections: Mapping[Path, Correction]
    left_out: frozenset[Path] = frozenset()


class Review:
    """Review of the photographs found, with their readings and the user's corrections.

    Corrections can be undone. ``choices`` contains the most recent choices; only those that are
    still valid are used. ``missing`` contains the old paths of missing photographs in the gallery.
    """

    def __init__(
        self,
        found: FoundPhotos,
        enrolled: FaceSet,
        preparation: Preparation,
        missing: Collection[Path] = (),
    ) -> None:
        self.found, self.enrolled, self.preparation = found, enrolled, preparation
        self.missing = frozenset(missing)
        self.choices: FaceChoices = {}
        turned = [p for p in found.photos if p.turned and p.placement is None]
        # The user rotated them before this review. A face that is placed is not searched for.
        self._state = _State({p.path: Correction(turned=p.turned) for p in turned})
        self._undo: list[tuple[str, _State]] = []
        self._readings: dict[tuple[Path, Correction, bool], ReviewReading] = {}
        self._chosen: dict[tuple[ReviewReading, FaceChoice, str | None], ReviewReading] = {}
        self._photos = {photo.path: photo for photo in found.photos}

    # Readings

    def correction(self, path: Path) -> Correction:
        """Return the user's correction to a photograph."""
        return self._state.corrections.get(path, UNCORRECTED)

    def turned(self, path: Path) -> int:
        """Return the number of clockwise quarter turns applied when a photograph is shown."""
        turned = self.correction(path).turned
        if turned is not None:
            return turned
        known = self._last(path) or self._photos.get(path)
        return 0 if known is None else known.turned

    def current_reading(self, path: Path) -> ReviewReading | None:
        """Return the latest reading of a photograph, or None if it is missing or out of date."""
        last = self._last(path)
        return last if last is not None and last.preparation == self.preparation else None

    def add_reading(self, reading: ReviewReading) -> None:
        """Store the reading of a photograph."""
        key = (reading.photo.path, reading.correction, reading.preparation.already_cropped)
        if key not in self._readings or reading.preparation == self.preparation:
            self._readings[key] = reading

    def tasks(self, paths: Collection[Path] | None = None) -> list[ReadTask]:
        """Return tasks to read all or some of the unread photographs, corrected ones first."""
        wanted = self._photos if paths is None else [path for path in paths if path in self._photos]
        unread = [path for path in wanted if self.current_reading(path) is None]
        unread.sort(key=lambda path: path not in self._state.corrections)
        return [ReadTask(self._photos[p], self.correction(p), self._last(p)) for p in unread]

    def detection_task(self, photo: Photo) -> ReadTask:
        """Return a task that finds all faces, even if the user has already shown the right one.

        The result is stored under another correction, so the current reading does not change.
        """
        correction = Correction(cropped=False, turned=self.turned(photo.path))
        return ReadTask(replace(photo, placement=None), correction)

    def detected_eyes(self, path: Path) -> list[Eyes]:
        """Return the eyes of all faces found in a photograph, as currently rotated."""
        reading = self.reading_of_all_faces(path)
        return [] if reading is None else [face.eyes for face in reading.faces]

    def reading_of_all_faces(self, path: Path) -> ReviewReading | None:
        """Return a reading with all faces found in a photograph, or None if none was found."""
        turned = self.turned(path)
        cropped = self.preparation.already_cropped
        anew = Correction(turned=turned)
        for correction in (self.correction(path), UNCORRECTED, anew, replace(anew, cropped=False)):
            reading = self._readings.get((path, correction, cropped))
            if reading is not None and reading.turned == turned and reading.faces:
                return reading
        return None

    def _last(self, path: Path) -> ReviewReading | None:
        return self._readings.get((path, self.correction(path), self.preparation.already_cropped))

    # Corrections

    @property
    def left_out(self) -> frozenset[Path]:
        """The photographs that the user has left out."""
        return self._state.left_out

    def correct(self, title: str, corrections: Mapping[Path, Correction]) -> None:
        """Store the user's corrections, and remove those that change nothing."""
        after = {**self._state.corrections, **corrections}
        for path, correction in corrections.items():
            first = self._readings.get((path, UNCORRECTED, self.preparation.already_cropped))
            as_read = first is not None and correction == Correction(turned=first.turned)
            if as_read or correction == UNCORRECTED:
                del after[path]
        self._change(title, replace(self._state, corrections=after))

    def choose_faces(self, title: str, numbers: Mapping[Path, int]) -> None:
        """Store the face that the user has chosen in each photograph."""
        corrections = {}
        for path, number in numbers.items():
            reading = self.reading_of_all_faces(path)
            assert reading is not None
            correction = Correction(reading.faces[number].eyes, turned=self.turned(path))
            corrections[path] = correction
            if reading.several and reading.preparation == self.preparation:
                self.add_reading(reading.with_face(number, correction))  # no need to read it again
        self.correct(title, corrections)

    def leave_out(self, paths: Collection[Path], out: bool) -> None:
        """Leave photographs out, or include them again."""
        left_out = self.left_out | set(paths) if out else self.left_out - set(paths)
        title = f"{'leaving out' if out else 'including'} {count(len(paths))}"
        self._change(title, replace(self._state, left_out=left_out))

    @property
    def all_corrections_applied(self) -> bool:
        """Whether all corrected photographs have been read again."""
        return all(self._last(path) is not None for path in self._state.corrections)

    @property
    def undo_title(self) -> str | None:
        """The title of the change that undo would revert, or None if there is none."""
        return self._undo[-1][0] if self._undo else None

    def undo(self) -> list[Path]:
        """Undo the last change, and return the photographs that it affected."""
        if not self._undo:
            return []
        after = self._state
        _, before = self._undo.pop()
        self._state = before
        changed = after.left_out ^ before.left_out
        old, new = before.corrections, after.corrections
        return [p for p in self._photos if p in changed or old.get(p) != new.get(p)]

    def _change(self, title: str, state: _State) -> None:
        self._undo.append((title, self._state))
        self._state = state

    # Results

    def entries(self, named: FoundPhotos) -> list[Entry]:
        """Return one entry for each photograph, with the names given in ``named``."""
        photos = {photo.path: photo for photo in named.photos}
        unnamed = {file.path: file for file in named.skipped}
        seen = dict[str, FacePhoto]()
        entries = []
        for path in self._photos:
            if path in photos:
                entries.append(self._entry(photos[path], seen))
            else:
                nobody = Skipped(path, "Nobody in the photo is named.", kind="unnamed")
                entries.append(self._passed_over(str(path), unnamed.get(path, nobody)))
        skipped = enumerate(self.found.skipped)
        return [*entries, *(self._passed_over(f"{at} {file.path}", file) for at, file in skipped)]

    def is_unread(self, entry: Entry) -> bool:
        """Return whether the photograph of an entry has yet to be read."""
        return entry.reading is None and entry.photo.path in self._photos

    def _passed_over(self, key: str, file: Skipped) -> Entry:
        photo = Photo(file.path, file.person)
        reading = self.current_reading(file.path)
        return Entry(key, photo, "left out", reading, passed_over=file)

    def _entry(self, photo: Photo, seen: dict[str, FacePhoto]) -> Entry:
        path = photo.path
        by_hand = photo.path in self.left_out
        original = None
        reading = self._with_choice(photo)
        if reading is not None and reading.sha and not by_hand:
            # If the file is already enrolled, its name does not matter.
            known = bool(self.enrolled.index.rows_in_file(path, reading.sha))
            face = FacePhoto(reading.photograph, None if known else photo.person)
            original = find_original(face, self.enrolled.index, seen)
        state: State = "left out"
        if original is None and not by_hand:
            state = "waiting" if reading is None else self._state_of(reading)
        return Entry(str(path), photo, state, reading, by_hand, original=original)

    def _with_choice(self, photo: Photo) -> ReviewReading | None:
        """Return the reading of a photograph, with the face that is probably the right one."""
        reading = self.current_reading(photo.path)
        if reading is None or not reading.face_can_be_inferred:
            return reading
        choice = self._known_face(reading, photo.person)
        if choice is None:
            choice = self.choices.get((photo.path, photo.person, reading.faces))
        if photo.person is None and reading.undecided:
            choice = EVERY_FACE
        if choice is None:
            return reading
        key = reading, choice, photo.person
        if key not in self._chosen:  # return the same reading each time, so that it is shown once
            named = replace(reading, photo=replace(reading.photo, person=photo.person))
            self._chosen[key] = named.with_choice(choice)
        return self._chosen[key]

    def _known_face(self, reading: ReviewReading, person: str | None) -> FaceChoice | None:
        """Choose the person's face if known from an earlier version of the file, or return None."""
        index = self.enrolled.index
        if person is None or index.rows_in_file(reading.photo.path, reading.sha):
            return None
        known = [index.photos[row] for row in index.rows_on(reading.photograph)]
        seen = [one.face_photo(None) for one in reading.each_face() if one.main is not None]
        for number, old in match_faces(known, seen).items():
            if known[old].person == person:
                return replace(KNOWN, face=number, likeness=(1.0,) * len(seen))
        return None

    def _state_of(self, reading: ReviewReading) -> State:
        choice = reading.choice
        index = self.enrolled.index
        if choice is not None and choice.kind == "ask":
            return "choice"
        if reading.unreadable:
            return "left out"
        if reading.main is None and choice is not EVERY_FACE:
            return "choice"
        path = reading.photo.path
        known = [index.photos[row] for row in index.rows_in_file(path, reading.sha)]
        if not known and any(concern.kind in DOUBTS for concern in reading.concerns):
            return "choice"
        if not known:
            return "replaced" if path in index.rows_by_path else "added"
        if path not in index.rows_by_path and all(face.path in self.missing for face in known):
            return "moved"
        place = reading.photo.placement, reading.turned
        same = any((face.placement, face.photograph.turned) == place for face in known)
        return "known" if same or reading.enrolled else "replaced"

    def undecided(self, entries: Sequence[Entry]) -> Undecided:
        """Return the photographs whose face was found by the program, and those already settled."""
        unsure = list[tuple[str | None, ReviewReading]]()
        settled = []
        for entry in entries:
            reading = self.current_reading(entry.photo.path)
            person = entry.photo.person
            if reading is None or entry.passed_over or entry.by_hand or entry.original is not None:
                continue
            if reading.face_can_be_inferred and (person is not None or not reading.several):
                unsure.append((person, reading))
            elif person is not None and entry.state in ("added", "replaced"):
                settled.append((person, reading))
        return Undecided(tuple(unsure), tuple(settled), self.enrolled)

    def decided_plan(self, entries: Sequence[Entry]) -> Plan:
        """Return the plan for photographs that needed a decision and now have one."""
        return self.plan([e for e in entries if e.decided or e.by_hand or e.original is not None])

    def photos_with_others(self, entries: Sequence[Entry]) -> dict[Path, ReviewReading]:
        """Return readings with all faces for new photographs that show a person among others."""
        paths = [e.photo.path for e in entries if e.photo.person and e.state == "added"]
        groups = {path: reading for path in paths if (reading := self.reading_of_all_faces(path))}
        return {p: r for p, r in groups.items() if r.several and r.preparation == self.preparation}

    def plan(self, entries: Sequence[Entry], *, others: bool = False) -> Plan:
        """Return the plan of the import; ``others`` adds all faces of `photos_with_others`."""
        photos = []
        skipped = []
        readings = {}
        for entry in entries:
            photo = replace(entry.photo, turned=self.turned(entry.photo.path))
            if entry.to_compare:  # others are still being read, so the import itself will choose
                photos.append(photo)
            elif entry.state in ("choice", "left out"):
                skipped.append(entry.skipped)
            else:
                # If it is already enrolled, its name in the gallery is used.
                person = None if entry.state in ("known", "moved") else photo.person
                # A reading from before the size was changed is also used.
                last = entry.reading or self._last(photo.path)
                placement = photo.placement if last is None else last.photo.placement
                photos.append(replace(photo, person=person, placement=placement))
                if entry.reading is not None:
                    readings[photo.path] = entry.reading
        groups = self.photos_with_others(entries) if others else {}
        found = FoundPhotos(tuple(photos), tuple(skipped), folders=self.found.folders)
        return Plan(found, readings, groups)
