"""The photographs to recognise, under headings that say what there is to do with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QItemSelection, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.gallery import Answered
from eigenfaces.recognition.probes import Probe, faceless_key
from eigenfaces.recognition.verdict import KINDS
from eigenfaces.text import count
from gui.pages.recognise.findings import Finding, Findings
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import add_parts
from gui.widgets.cards import Card
from gui.widgets.controls import Button, DropArea, LinkButton
from gui.widgets.face_list import Face, ListHeading, PersonList
from gui.widgets.named_photo import LOOKS, Look, NamedFace, named_face
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

_SAID: dict[str, tuple[str, Look]] = {
    "nobody": ("Nobody I know", LOOKS["unknown"]),
    "no face": ("Not a face", LOOKS["no face"]),
}
_NOTHING = np.full((112, 92), 0.8, np.float32)
_WIDE = 220  # px before the text scale


@dataclass(frozen=True)
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
    def group(self) -> str:
        """What there is to do with it."""
        if self.answered.said or (self.found and self.found.itself):
            return ANSWERED
        kind = self.found.verdict.decision.kind if self.found else ""
        return {"sure": SURE, "likely": LIKELY}.get(kind, TO_ANSWER)

    @property
    def proposed(self) -> str | None:
        """The person whom its verdict names; None where nothing is left to answer."""
        return self.found.verdict.decision.person if self.found and self.is_open else None

    @property
    def is_open(self) -> bool:
        """Whether it can be answered and is not."""
        return self.found is not None and self.group != ANSWERED

    @property
    def named(self) -> NamedFace:
        """What stands on its box."""
        eyes, told = self.probe.photo.placement.eyes, "You said so."
        if self.answered.said:
            name, look = _SAID.get(self.answered.said, (self.answered.person or "", LOOKS["sure"]))
            return NamedFace(eyes, name, look, f"{name}. {told}")
        if self.found is None:
            waits = "…" if self.fits else "Cut to another size: open it again"
            return NamedFace(eyes, waits, Look("neutral", "clock"))
        if self.found.itself:
            name = self.found.answer.filed_as or ""
            return NamedFace(eyes, name, Look("neutral", "people"), f"{name} in the gallery.")
        return named_face(eyes, self.found.verdict.decision)


@dataclass(frozen=True)
class Shot:
    """A photograph with its faces, from left to right; without one, by its path alone."""

    path: Path
    items: tuple[Item, ...] = ()

    @property
    def key(self) -> str:
        """The key of its line in the list."""
        return self.items[0].key if self.items else faceless_key(self.path)

    @property
    def group(self) -> str:
        """The heading it stands under: by what is most to do."""
        groups = {item.group for item in self.items} or {NO_FACE}
        return next(group for group in GROUPS if group in groups)

    @property
    def place(self) -> tuple[int, int]:
        """Where it is listed: by its group, and there what is asked comes before the unknown."""
        kinds = [item.found.verdict.decision.kind for item in self.to_do if item.found]
        return [*GROUPS].index(self.group), max(map([*KINDS].index, kinds), default=len(KINDS))

    @property
    def to_do(self) -> tuple[Item, ...]:
        """The faces for whose sake it stands there."""
        return tuple(item for item in self.items if item.is_open and item.group == self.group)

    @property
    def line(self) -> Face:
        """Its line in the list: a face, the name of the file, and who is on it."""
        file = readable(self.path)
        if not self.items:
            return Face(self.key, _NOTHING, file, "Show the face…", file=file)
        left = [item for item in self.items if item.group == TO_ANSWER]
        names = [item.named.name for item in self.items if item.group != TO_ANSWER]
        if len(self.items) > 1 and left:
            names.append(f"{len(left)} to answer")
        else:
            names += [item.named.name for item in left]
        first = (self.to_do or self.items)[0]
        return Face(self.key, first.probe.image, file, ", ".join(names), file=file)


def shots_of(session: Session, findings: Findings) -> list[Shot]:
    """Return all photographs to recognise, as they are listed."""
    files: dict[tuple[Path, int], list[Item]] = {}
    for probe in session.probes:
        file = probe.photo.path, probe.photo.placement.turned
        answered, fits = answer_to(session.gallery, probe), findings.fits(probe)
        found = findings.of(probe.photo.key)
        if found is not None and not found.holds(session.gallery):
            found = None  # its answer was taken back just now
        files.setdefault(file, []).append(Item(probe, found, answered, fits))
    shots = [Shot(path, tuple(items)) for (path, _), items in files.items()]
    shots += [Shot(path) for path in sorted(session.faceless)]
    return sorted(shots, key=lambda shot: shot.place)


def readable(path: Path) -> str:
    """Return the name of a photo's file; with its folder if the name is only a number."""
    return f"{path.parent.name}/{path.stem}" if path.stem.isdecimal() else path.stem


class PhotoList(PersonList):
    """The list of photographs: several may be chosen, by a heading all that are below it.

    What is no key of a list, it passes on to the page: letters answer.
    """

    several = Signal(list)

    def __init__(self) -> None:
        super().__init__("Photos to recognise", headings=True)
        self.setSelectionMode(self.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMinimumHeight(theme.pixels(90))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        keys = [] if self._quiet else self.selected_keys()
        if len(keys) > 1:
            self.several.emit(keys)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        faces = self.faces.faces()
        if row < 0 or not isinstance(faces[row], ListHeading):
            super().mousePressEvent(event)
            return
        ends = (at for at in range(row + 1, len(faces)) if isinstance(faces[at], ListHeading))
        keys = self.faces.keys[row + 1 : next(ends, len(faces))]
        self.select(*keys)
        self.scrollTo(self.indexAt(event.position().toPoint()))
        self.several.emit(keys)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter or (event.text().isalnum() and not event.modifiers()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        selected = self.selectionModel().selectedIndexes()
        if len(selected) == 1:
            self.scrollTo(selected[0])


class PhotosCard(Card):
    """All photographs in groups; above, what confirms all that is sure; below, room for more."""

    dropped = Signal(list)
    open_asked = Signal()
    confirm_asked = Signal()
    removed = Signal(list)
    chosen = Signal(list)
    """The keys of the lines that are chosen."""
    opened = Signal()
    menu_asked = Signal(QPoint)

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self._lines: dict[str, tuple[Shot, Face]] = {}
        self.confirm = Button("", primary=True)
        self.confirm.clicked.connect(self.confirm_asked)
        self.list = PhotoList()
        self.list.chosen.connect(lambda key: self.chosen.emit([key]))
        self.list.several.connect(self.chosen)
        self.list.doubleClicked.connect(self.opened)
        self.list.customContextMenuRequested.connect(
            lambda at: self.menu_asked.emit(self.list.viewport().mapToGlobal(at))
        )
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(lambda: self.removed.emit(self.list.selected_keys()))
        self.waiting = label("", "caption", wrap=True)
        self.resume = LinkButton("Compare the rest")
        self.resume.clicked.connect(findings.resume)
        self.area = DropArea("Drop photos here", name="Drop photos here, or open some")
        self.area.dropped.connect(self.dropped)
        self.area.clicked.connect(self.open_asked)
        add_parts(self.body, self.confirm, (self.list, 1), self.waiting, self.resume, self.area)
        self.setFixedWidth(theme.pixels(_WIDE))
        self.set_padding(10, 10)
        self._findings = findings

    def show_shots(self, shots: Iterable[Shot], chosen: list[str]) -> None:
        """List photographs; ``chosen`` are the keys of the lines that are selected."""
        shots = list(shots)
        made = {}
        for shot in shots:
            known = self._lines.get(shot.key)
            made[shot.key] = known if known and known[0] == shot else (shot, shot.line)
        self._lines = made
        lines: list[Face] = []
        for group, look in GROUPS.items():
            here = [made[shot.key][1] for shot in shots if shot.group == group]
            if here:
                lines += [ListHeading.of(group, len(here), look.icon, look.tone), *here]
        moved = self.list.faces.keys != [line.key for line in lines]
        self.list.show_faces(lines)
        if chosen and (moved or sorted(self.list.selected_keys()) != sorted(chosen)):
            self.list.select(*chosen)
            row = self.list.faces.row_of(chosen[0])
            if row > 0 and isinstance(lines[row - 1], ListHeading):
                self.list.scrollTo(self.list.faces.index(row - 1))
        sure = sum(item.group == SURE for shot in shots for item in shot.items)
        self.confirm.setEnabled(sure > 0)  # nothing moves when it has nothing to do
        self.confirm.setText(f"Confirm all {sure:,} sure" if sure else "Confirm all sure")
        self.confirm.setToolTip(f"Keep {count(sure, 'face')} as named; Ctrl+Z takes all back")
        waits = len(self._findings.missing())
        self.waiting.setText(f"{waits:,} not compared yet")
        self.waiting.setVisible(waits > 0)
        self.resume.setVisible(self._findings.stopped and waits > 0)

    def order(self) -> list[str]:
        """Return the keys of all lines, from top to bottom."""
        return [face.key for face in self.list.faces.faces() if not isinstance(face, ListHeading)]
