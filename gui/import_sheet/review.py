"""What is known and said of all photographs of an import, what comes of them, and undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.wording import count
from gui.import_sheet.looks import PLAIN, Choice, Known, Look, Remark, Task, repeated

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
    """One photograph of an import: what comes of it, and why.

    ``by_hand``: somebody left it out. ``passed_over``: it was never looked for a face, since it is
    no photograph or nobody is named on it. ``first``: the same photograph, met before.
    """

    key: str
    photo: Photo
    state: State
    look: Look | None = None
    remarks: tuple[Remark, ...] = ()
    by_hand: bool = False
    passed_over: bool = False
    first: Entry | None = None

    @property
    def needs_attention(self) -> bool:
        """Whether there is something that a person should see to."""
        return bool(self.remarks) and not self.by_hand and not self.passed_over

    @property
    def reason(self) -> str:
        """Why it is not added."""
        return _BY_HAND if self.by_hand else self.remarks[0].reason


class Review:
    """The photographs found, the looks at them, and what somebody said, which can be undone."""

    def __init__(self, found: FoundPhotos, known: Known, preparation: Preparation) -> None:
        self.found, self.known, self.preparation = found, known, preparation
        self.said: Mapping[Path, Choice] = {}
        self.left_out: frozenset[Path] = frozenset()
        self._looks: dict[tuple[Path, Choice, bool], Look] = {}
        self._undo: list[tuple[str, Mapping[Path, Choice], frozenset[Path]]] = []
        self._photos = {photo.path: photo for photo in found.photos}
        self._made: dict[Path, Entry] = {}  # those of thousands that stay are not made again

    # Looks

    def choice(self, path: Path) -> Choice:
        """Return what was said about a photograph."""
        return self.said.get(path, PLAIN)

    def turned(self, path: Path) -> int:
        """Return the quarter turns clockwise that a photograph is shown with."""
        last = self._last(path)
        return self.choice(path).turned if path in self.said or last is None else last.turned

    def look(self, path: Path) -> Look | None:
        """Return what the last look at it gave, unless it has to be looked at again."""
        last = self._last(path)
        return last if last is not None and last.preparation == self.preparation else None

    def put(self, look: Look) -> None:
        """Keep what a look gave."""
        key = (look.photo.path, look.choice, look.preparation.already_cropped)
        if key not in self._looks or look.preparation == self.preparation:
            self._looks[key] = look

    def tasks(self, paths: Collection[Path] | None = None) -> list[Task]:
        """Return what is still to be looked at, first what somebody has corrected."""
        wanted = self._photos if paths is None else [path for path in paths if path in self._photos]
        missing = [path for path in wanted if self.look(path) is None]
        missing.sort(key=lambda path: path not in self.said)
        return [Task(self._photos[p], self.choice(p), self._last(p)) for p in missing]

    def faces(self, path: Path) -> list[Eyes]:
        """Return all faces that were found in a photograph as it is turned."""
        turned, cropped = self.choice(path).turned, self.preparation.already_cropped
        for choice in (
            self.choice(path),
            Choice(turned=turned),
            Choice(cropped=False, turned=turned),
        ):
            look = self._looks.get((path, choice, cropped))
            if look is not None and look.choice.turned == turned and look.faces:
                return [face.eyes for face in look.faces]
        return []

    def _last(self, path: Path) -> Look | None:
        return self._looks.get((path, self.choice(path), self.preparation.already_cropped))

    # Corrections

    def correct(self, title: str, choices: Mapping[Path, Choice]) -> None:
        """Say something about photographs."""
        self._remember(title)
        said = {**self.said, **choices}
        self.said = {path: choice for path, choice in said.items() if choice != PLAIN}

    def leave_out(self, paths: Collection[Path], out: bool) -> None:
        """Leave photographs out, or take them back."""
        self._remember(f"{'leaving out' if out else 'taking back'} {count(len(paths))}")
        self.left_out = self.left_out | set(paths) if out else self.left_out - set(paths)

    @property
    def can_undo(self) -> str | None:
        """What undo would take back, or None."""
        return self._undo[-1][0] if self._undo else None

    def undo(self) -> list[Path]:
        """Take back the last correction; return the photographs that it was about."""
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

    # What comes of it

    def entries(self, named: FoundPhotos) -> list[Entry]:
        """Say of every photograph what comes of it, with the people on them as they are named."""
        people = {photo.path: photo for photo in named.photos}
        reasons = {file.path: file.reason for file in named.skipped}
        made: list[Entry] = []
        seen: dict[str, Entry] = {}
        for photo in self.found.photos:
            if photo.path in people:
                made.append(self._entry(people[photo.path], seen))
            else:
                made.append(self._passed_over(photo, reasons.get(photo.path, "")))
        for number, file in enumerate(self.found.skipped):
            photo = Photo(file.path, file.person)
            made.append(replace(self._passed_over(photo, file.reason), key=f"{number} {file.path}"))
        return made

    def _passed_over(self, photo: Photo, reason: str) -> Entry:
        remark = Remark("Passed over", reason)
        look = self.look(photo.path)
        return Entry(str(photo.path), photo, "left out", look, (remark,), passed_over=True)

    def _entry(self, photo: Photo, seen: dict[str, Entry]) -> Entry:
        look, by_hand = self.look(photo.path), photo.path in self.left_out
        first = None
        if look is not None and look.levels is not None and not by_hand:
            first = seen.get(look.key) or seen.get(look.picture)
        made = self._made.get(photo.path)
        if made is None or (made.photo, made.look, made.by_hand, made.first) != (
            *(photo, look, by_hand),
            first,
        ):
            made = self._made[photo.path] = self._new_entry(photo, look, by_hand, first)
        if look is not None and made.state not in ("choice", "left out"):
            seen[look.key] = made
            if look.picture:
                seen[look.picture] = made
        return made

    def _new_entry(
        self, photo: Photo, look: Look | None, by_hand: bool, first: Entry | None
    ) -> Entry:
        entry = Entry(str(photo.path), photo, "left out", look, by_hand=by_hand, first=first)
        if by_hand:
            return entry
        if look is None:
            return replace(entry, state="waiting")
        if first is None:
            return replace(entry, state=self._state(look), remarks=look.remarks)
        same_file = first.look is not None and first.look.key == look.key
        twice = repeated(first.photo.path.name, first.photo.person, same_file=same_file)
        return replace(entry, remarks=(twice, *look.remarks))

    def _state(self, look: Look) -> State:
        if look.refused:
            return "left out"
        if look.levels is None:
            return "choice"
        if look.known:
            return "known"
        held = look.photo.path in self.known.places or look.key in self.known.rows
        return "replaced" if held else "added"

    @property
    def settled(self) -> bool:
        """Whether all that was said has been carried out."""
        return all(self._last(path) is not None for path in self.said)

    def plan(self, entries: Sequence[Entry]) -> FoundPhotos:
        """Return what is to be imported, every face where it was found or said to lie."""
        photos, skipped = [], []
        for entry in entries:
            photo = entry.photo
            if entry.state in ("choice", "left out"):
                skipped.append(Skipped(photo.path, entry.reason, photo.person))
                continue
            # Whoever is on it by now: it is nothing new.
            person = None if entry.state == "known" else photo.person
            placement = self._placement(photo)
            photos.append(replace(photo, person=person, placement=placement))
        return FoundPhotos(tuple(photos), tuple(skipped))

    def _placement(self, photo: Photo) -> Placement | None:
        last = self._last(photo.path)
        return photo.placement if last is None else last.photo.placement


@dataclass(frozen=True)
class Counts:
    """How many photographs there are, and what comes of them."""

    found: int
    of: Mapping[State, int]

    @classmethod
    def among(cls, entries: Sequence[Entry]) -> Counts:
        return cls(len(entries), Counter(entry.state for entry in entries))

    @property
    def coming(self) -> int:
        """How many are to be added, as far as is known by now."""
        return self.of.get("added", 0) + self.of.get("replaced", 0) + self.of.get("waiting", 0)

    def sentence(self) -> str:
        """Say it in one line."""
        return f"{count(self.found)} found: {', '.join(self._parts())}."

    def _parts(self) -> Iterator[str]:
        for state, (one, many) in _SAID.items():
            number = self.of.get(state, 0)
            if number:
                yield f"{number:,} {one if number == 1 else many}"
