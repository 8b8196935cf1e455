"""What there is to recognise: verdicts on all faces, their photographs in a list, and one large."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelection, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.photographs.decode import colours, read_bytes
from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.gallery import Answered, Gallery
from eigenfaces.recognition.probes import Probe, without_face_key
from eigenfaces.recognition.verdict import (
    KINDS,
    Answer,
    Caution,
    Kind,
    Verdict,
    answer,
    cautions,
    verdicts_on,
)
from eigenfaces.text import count
from gui.state.jobs import LONG, Jobs
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image, rgb_image
from gui.widgets.boxes import add_parts
from gui.widgets.cards import Card
from gui.widgets.controls import Button, DropArea, LinkButton
from gui.widgets.face_list import Face, ListHeading, PersonList
from gui.widgets.named_photo import LOOKS, Look, NamedFace, NamedPhoto, named_face
from gui.widgets.words import label

TO_ANSWER, LIKELY, SURE = "To answer", "Likely", "Sure"
ANSWERED, NO_FACE = "Answered", "No face found"
GROUPS = {
    TO_ANSWER: LOOKS["ask"],
    LIKELY: LOOKS["likely"],
    SURE: LOOKS["sure"],
    ANSWERED: Look("neutral", "check"),
    NO_FACE: Look("neutral", "image"),
}
"""What there is to do with a photograph, in the order in which they are listed."""

_SAID = {
    "nobody": ("Nobody I know", LOOKS["unknown"]),
    "no face": ("Not a face", LOOKS["no face"]),
}
_NOTHING = np.full((112, 92), 0.8, np.float32)
_WIDE = 220  # px before the text scale
_LARGEST = 2400  # px of the longer side that are read: enough for a large screen, and to zoom
_AT_ONCE = 32  # faces compared in one job: what is done is shown, then come the others


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict on one face in a gallery, and what it is less reliable for."""

    gallery: Gallery
    probe: Probe
    verdict: Verdict
    cautions: tuple[Caution, ...]

    @property
    def itself(self) -> bool:
        """Whether the verdict is no evidence: the face is one of those it is compared with."""
        return any(each.kind == "itself" for each in self.cautions)

    @cached_property
    def answer(self) -> Answer:
        """The verdict in words and values."""
        return answer(self.gallery, self.probe, self.verdict)


def compare(gallery: Gallery, probes: Sequence[Probe]) -> list[Finding]:
    """Return the findings of some faces; none if there is nothing to compare."""
    return [
        Finding(gallery, probe, verdict, cautions(gallery, probe, verdict))
        for probe, verdict in zip(probes, verdicts_on(gallery, probes), strict=True)
    ]


class Findings(QObject):
    """The findings of all faces to recognise, made in a job: those looked at before the others.

    While an answer is measured anew, they stay as they were; of faces that are looked at, also
    then, until something else is looked at: nothing changes under the hand that answers.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._gallery: Gallery | None = None
        self._found: dict[str, Finding] = {}
        self._asked: tuple[Gallery, list[Probe]] | None = None  # what is being compared
        self.stopped = False

    def of(self, key: str | None) -> Finding | None:
        """Return the finding of a face; None if there is none yet."""
        return self._found.get(key or "")

    def fits(self, probe: Probe) -> bool:
        """Return whether a face has the size of those of the gallery."""
        return probe.image.shape == self._session.gallery.faces.shape

    def missing(self) -> list[Probe]:
        """Return the faces that can be compared and never were."""
        return [each for each in self._session.probes if self.fits(each) and not self._old(each)]

    def update(self, looked_at: Collection[str]) -> None:
        """Compare what is due, and drop what is no longer listed."""
        gallery, jobs = self._session.gallery, self._session.jobs
        probes = [each for each in self._session.probes if self.fits(each)]
        if gallery.training is None or not gallery.enrolled:
            probes = []
        self._found = {each.photo.key: old for each in probes if (old := self._old(each))}
        measures = jobs.is_busy(*LONG)
        if measures and gallery.calibrated is None and _alike(self._gallery, gallery):
            assert self._gallery is not None
            gallery = self._gallery
        elif gallery is not self._gallery:
            self._gallery, self.stopped = gallery, False
        due = [each for each in probes if self._is_due(each, gallery, looked_at)]
        first = [each for each in due if each.photo.key in looked_at]
        asked = gallery, first or due[:_AT_ONCE]
        if due and not self.stopped and asked != self._asked:
            self._asked = asked
            self._start(*asked, count(len(due), "face"))

    def resume(self) -> None:
        """Compare the rest after a stop."""
        self.stopped = False
        self.changed.emit()

    def _old(self, probe: Probe) -> Finding | None:
        found = self._found.get(probe.photo.key)
        return found if found and found.probe is probe else None

    def _is_due(self, probe: Probe, gallery: Gallery, looked_at: Collection[str]) -> bool:
        found = self._old(probe)
        if found is None or found.gallery is gallery:
            return found is None
        stays = _alike(found.gallery, gallery) and not found.itself
        return not (stays and probe.photo.key in looked_at)

    def _start(self, gallery: Gallery, probes: list[Probe], words: str) -> None:
        def done(findings: list[Finding]) -> None:
            self._asked = None
            if gallery is self._gallery:
                self._found |= {found.probe.photo.key: found for found in findings}
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            self._asked, self.stopped = None, True
            self._session.tell(error)
            self.changed.emit()

        work = lambda _: compare(gallery, probes)  # noqa: E731
        title, cancelled = f"Recognising {words}", "Stopped. The other photos are not compared."
        self._session.jobs.start("recognise", title, work, done, failed, cancelled=cancelled)


def _alike(before: Gallery | None, now: Gallery) -> bool:
    """Return whether verdicts in one gallery may stand for those in another for a moment.

    So it is where no more than answers lie between the two.
    """
    if before is None or before.training is None or now.training is None:
        return False
    same = before.compared_by == now.compared_by and before.share == now.share
    same = same and before.training.representation is now.training.representation
    return same and before.calibrated is not None and set(before.people) <= set(now.people)


@dataclass(frozen=True, eq=False)
class Item:
    """A face of a photograph, with its verdict and what was answered to it."""

    probe: Probe
    found: Finding | None
    answered: Answered
    fits: bool = True

    @property
    def key(self) -> str:
        """The key of the probe."""
        return self.probe.photo.key

    @property
    def kind(self) -> Kind | None:
        """The kind of its verdict; None where there is none yet."""
        return self.found.verdict.decision.kind if self.found else None

    @property
    def group(self) -> str:
        """What there is to do with it."""
        if self.answered.said or (self.found and self.found.itself):
            return ANSWERED
        return {"sure": SURE, "likely": LIKELY}.get(self.kind or "", TO_ANSWER)

    @property
    def is_open(self) -> bool:
        """Whether it can be answered and is not."""
        return self.found is not None and self.group != ANSWERED

    @property
    def proposed(self) -> str | None:
        """The person whom its verdict names; None where nothing is left to answer."""
        return self.found.verdict.decision.person if self.found and self.is_open else None

    @property
    def named(self) -> NamedFace:
        """What stands on its box."""
        eyes = self.probe.photo.placement.eyes
        if self.answered.said:
            known = self.answered.person or "", LOOKS["sure"]
            name, look = _SAID.get(self.answered.said, known)
            return NamedFace(eyes, name, look, f"{name}. You said so.")
        if self.found is None:
            waits = "…" if self.fits else "Cut to another size: open it again"
            return NamedFace(eyes, waits, Look("neutral", "clock"))
        if self.found.itself:
            name = self.found.answer.filed_as or ""
            return NamedFace(eyes, name, Look("neutral", "people"), f"{name} in the gallery.")
        return named_face(eyes, self.found.verdict.decision)

    @property
    def words(self) -> tuple[str, str, str]:
        """Who it is, how sure that is, and why in a sentence; or what was answered."""
        if self.answered.said:
            kept = "This photo counts as theirs." if self.answered.person else "Nobody is named."
            return self.named.name, "you said so", kept
        if self.found is None:
            waits = "Not compared yet" if self.fits else "Cut to another size"
            return waits, "", "" if self.fits else "Open this photo again."
        if self.found.itself:
            return self.named.name, "in the gallery", "Name or move it on People."
        decision, never = self.found.verdict.decision, " or ".join(sorted(self.answered.never))
        said = f"You said: not {never}. " if never else ""
        return decision.headline, decision.word, said + decision.short


@dataclass(frozen=True, eq=False)
class Shot:
    """A photograph with its faces, from left to right; without one, by its path alone."""

    path: Path
    items: tuple[Item, ...] = ()

    @property
    def key(self) -> str:
        """The key of its line in the list."""
        return self.items[0].key if self.items else without_face_key(self.path)

    @property
    def keys(self) -> set[str]:
        """That key, and those of its faces."""
        return {self.key, *(item.key for item in self.items)}

    @property
    def group(self) -> str:
        """The heading it stands under: by what is most to do."""
        groups = {item.group for item in self.items} or {NO_FACE}
        return next(group for group in GROUPS if group in groups)

    @property
    def place(self) -> tuple[int, int]:
        """Where it is listed: by its group, and there what is asked comes before the unknown."""
        kinds = [[*KINDS].index(item.kind) for item in self.to_do if item.kind]
        return [*GROUPS].index(self.group), max(kinds, default=len(KINDS))

    @property
    def to_do(self) -> list[Item]:
        """The faces for whose sake it stands there."""
        return [item for item in self.items if item.is_open and item.group == self.group]

    @property
    def line(self) -> Face:
        """Its line in the list: a face, the name of the file, and who is on it."""
        # A name that is only a number says little without its folder.
        file = "/".join(self.path.with_suffix("").parts[-1 - self.path.stem.isdecimal() :])
        if not self.items:
            return Face(self.key, _NOTHING, file, "Show the face…", file=file)
        left = [item.named.name for item in self.items if item.group == TO_ANSWER]
        names = [item.named.name for item in self.items if item.group != TO_ANSWER]
        names += [f"{len(left)} to answer"] if left and len(self.items) > 1 else left
        first = (self.to_do or self.items)[0]
        return Face(self.key, first.probe.image, file, ", ".join(names), file=file)


def shots_of(session: Session, findings: Findings) -> list[Shot]:
    """Return all photographs to recognise, as they are listed."""
    files: dict[tuple[Path, int], list[Item]] = {}
    for probe in session.probes:
        file = probe.photo.path, probe.photo.placement.turned
        found, said = findings.of(probe.photo.key), answer_to(session.gallery, probe)
        files.setdefault(file, []).append(Item(probe, found, said, findings.fits(probe)))
    shots = [Shot(path, tuple(items)) for (path, _), items in files.items()]
    shots += [Shot(path) for path in sorted(session.without_face)]
    return sorted(shots, key=lambda shot: shot.place)


class PhotoList(PersonList):
    """The list of photographs: several may be chosen, by a heading all that are below it.

    What is no key of a list, it passes on to the page: letters answer.
    """

    several = Signal(list)
    removed = Signal(list)

    def __init__(self) -> None:
        super().__init__("Photos to recognise", headings=True)
        self.setSelectionMode(self.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMinimumHeight(theme.pixels(90))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(lambda: self.removed.emit(self.selected_keys()))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        keys = [] if self._quiet else self.selected_keys()
        if len(keys) > 1:
            self.several.emit(keys)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.indexAt(event.position().toPoint())
        faces = self.faces.faces()
        if not at.isValid() or not isinstance(faces[at.row()], ListHeading):
            super().mousePressEvent(event)
            return
        ends = [row for row, face in enumerate(faces) if isinstance(face, ListHeading)]
        end = next((row for row in ends if row > at.row()), len(faces))
        keys = self.faces.keys[at.row() + 1 : end]
        self.select(*keys)
        self.scrollTo(at)
        self.several.emit(keys)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter or (event.text().isalnum() and not event.modifiers()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if len(selected := self.selectionModel().selectedIndexes()) == 1:
            self.scrollTo(selected[0])


class PhotosCard(Card):
    """All photographs in groups; above, what confirms all that is sure; below, room for more."""

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self._findings = findings
        self.confirm = Button("", primary=True)
        self.list = PhotoList()
        self.waiting = label("", "caption", wrap=True)
        self.resume = LinkButton("Compare the rest")
        self.resume.clicked.connect(findings.resume)
        self.area = DropArea("Drop photos here", name="Drop photos here, or open some")
        add_parts(self.body, self.confirm, (self.list, 1), self.waiting, self.resume, self.area)
        self.setFixedWidth(theme.pixels(_WIDE))
        self.set_padding(10, 10)

    def show_shots(self, shots: Sequence[Shot], chosen: Collection[str]) -> None:
        """List photographs; ``chosen`` are the keys of the lines that are selected."""
        lines: list[Face] = []
        for group, look in GROUPS.items():
            here = [shot.line for shot in shots if shot.group == group]
            if here:
                lines += [ListHeading.of(group, len(here), look.icon, look.tone), *here]
        moved = self.list.faces.keys != [line.key for line in lines]
        self.list.show_faces(lines)
        if chosen and (moved or {*self.list.selected_keys()} != {*chosen}):
            self.list.select(*chosen)
            row = min(map(self.list.faces.row_of, chosen))
            if row > 0 and isinstance(lines[row - 1], ListHeading):
                self.list.scrollTo(self.list.faces.index(row - 1))
        sure = sum(item.group == SURE for shot in shots for item in shot.items)
        self.confirm.setEnabled(sure > 0)  # nothing moves when it has nothing to do
        words = {0: "Confirm all sure", 1: "Confirm the sure one"}
        self.confirm.setText(words.get(sure, f"Confirm all {sure:,} sure"))
        self.confirm.setToolTip(f"Keep {count(sure, 'face')} as named; Ctrl+Z takes all back")
        waits = len(self._findings.missing())
        self.waiting.setText(f"{waits:,} not compared yet")
        self.waiting.setVisible(waits > 0)
        self.resume.setVisible(self._findings.stopped and waits > 0)

    def order(self) -> list[str]:
        """Return the keys of all lines, from top to bottom."""
        return [face.key for face in self.list.faces.faces() if not isinstance(face, ListHeading)]


class ShownPhoto(NamedPhoto):
    """Reads a photograph and shows it; where its file is gone, the face that was read from it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        # Of its own: a photograph does not wait until all faces are compared.
        self._reading = Jobs(self)
        self.destroyed.connect(self._reading.close)
        self._tell = session.tell
        self._file: tuple[Path, int] | None = None
        self._gone = False
        self._shot = Shot(Path())
        self.reply = ""
        """What the last answer has changed: it stands below the photograph."""
        self.keys: tuple[str, ...] = ()
        """The keys of the faces that have names on it."""
        self.setMinimumSize(240, 200)

    def show_shot(self, shot: Shot, meant: Collection[str]) -> None:
        """Show a photograph; ``meant`` are the keys of the faces that are chosen."""
        self._shot, probe = shot, shot.items[0].probe if shot.items else None
        file = shot.path, probe.photo.placement.turned if probe else 0
        if file != self._file:
            self._file, self._gone = file, False
            self.show_photo(None, probe.photo.size if probe else (3, 4))
            self._read(*file)
        self._show_faces(meant)

    def _show_faces(self, meant: Collection[str]) -> None:
        gone = f"“{self._shot.path.name}” is not there any more: this is its face."
        self.set_caption(self.reply or (gone if self._gone else ""))
        items = self._shot.items
        named = [item.named for item in items]
        if self._gone and items:
            item = next((each for each in items if each.key in meant), items[0])
            items, named = (item,), [replace(item.named, eyes=None)]
            self.show_photo(grey_image(item.probe.image), item.probe.image.shape)
        self.keys = tuple(item.key for item in items)
        self.show_named(named, [at for at, key in enumerate(self.keys) if key in meant])

    def _read(self, path: Path, turned: int) -> None:
        def work(_tick: object) -> NDArray[np.uint8] | None:
            try:
                return colours(read_bytes(path), _LARGEST, turned)
            except PhotoError:  # the file is gone; its face was read before
                return None

        def done(picture: NDArray[np.uint8] | None) -> None:
            if self._file != (path, turned):
                return
            if picture is None:
                self._gone = True
                self._show_faces([self.keys[at] for at in self.picked])
                return
            faces = self._shot.items
            height, width = faces[0].probe.photo.size if faces else picture.shape[:2]
            self.show_photo(rgb_image(picture), (height, width))

        self._reading.start("show photo", f"Opening {path.name}", work, done, self._tell)
