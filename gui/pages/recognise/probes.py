"""The list of probes, grouped by their verdicts: drop area, one line for each, and the table."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.gallery import NOTHING, Answered
from eigenfaces.recognition.probes import Probe, faceless_key
from eigenfaces.recognition.verdict import GROUPS, Decision, Kind
from gui.pages.recognise.findings import Finding, Findings
from gui.pages.recognise.looks import ENROLLED, GROUP_LOOKS, NOT_COMPARED, WITHOUT_FACE
from gui.state.session import Session
from gui.style import theme
from gui.widgets.cards import Card
from gui.widgets.controls import Button, DropArea, LinkButton
from gui.widgets.face_model import Face, ListHeading
from gui.widgets.sections import SectionedList
from gui.widgets.words import Chip, label

_NO_FACE = np.full((112, 92), 0.8, np.float32)


_ANSWERED: dict[str, Kind] = {
    "right": "sure",
    "it is": "sure",
    "nobody": "unknown",
    "no face": "no face",
}
"""The verdict that each answer is listed with."""


class Listed(NamedTuple):
    """A probe with its verdict and what was answered to it."""

    probe: Probe
    found: Finding | None
    answered: Answered

    @property
    def group(self) -> str:
        """The heading it stands under."""
        if self.answered.said:
            return GROUPS[_ANSWERED[self.answered.said]]
        if self.found is None:
            return NOT_COMPARED
        return ENROLLED if self.found.itself else self.found.verdict.decision.group

    @property
    def words(self) -> str:
        """Who it is, in a few words."""
        if self.answered.said:
            said = {"nobody": "nobody", "no face": "no face"}  # there is little room
            return f"you said: {self.answered.person or said[self.answered.said]}"
        if self.found is None:
            return ""
        filed_as = self.found.answer.filed_as if self.found.itself else None
        return _short(self.found.verdict.decision) if filed_as is None else f"as {filed_as}"


class ProbeList(SectionedList):
    """The list of probes; the selected one stays visible when the list becomes smaller."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        selected = self.selectionModel().selectedIndexes()
        if selected:
            self.scrollTo(selected[0])


class ProbesCard(Card):
    """All probes under what was decided about them, or answered; the one shown is selected."""

    dropped = Signal(list)
    open_asked = Signal()
    export_asked = Signal()
    chosen = Signal(str)

    def __init__(self, session: Session, findings: Findings) -> None:
        super().__init__("Probes")
        self._session, self._findings = session, findings
        self._shown: list[Listed] = []
        self._faceless: list[Path] = []
        self.count = Chip("0")
        self.add_to_heading(self.count)
        self.area = DropArea("Drop photos or a folder here", name="Drop photos here, or open some")
        self.area.dropped.connect(self.dropped)
        self.area.clicked.connect(self.open_asked)
        self.camera = Button("Camera…", "camera")
        self.camera.clicked.connect(self._open_camera)
        self.list = ProbeList("Probes")
        self.list.chosen.connect(self.chosen)
        self.list.setMinimumHeight(theme.pixels(110))
        policy = QSizePolicy.Policy
        self.list.setSizePolicy(policy.Expanding, policy.Ignored)
        self.list.setToolTip("Del takes a photo off the list. The file is not touched.")
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self.remove_selected)
        self.summary = label("", "caption", wrap=True)
        self.resume = LinkButton("Compare the rest")
        self.resume.clicked.connect(findings.resume)
        self.export = Button("Export CSV…", "export")
        self.export.clicked.connect(self.export_asked)
        self.body.addWidget(self.area)
        self.body.addWidget(self.camera)
        self.body.addWidget(self.list, 1)
        for widget in (self.summary, self.resume, self.export):
            self.body.addWidget(widget)
        self.setFixedWidth(110 + theme.pixels(116))

    def show_probes(self, current: str | None) -> None:
        """List all probes, and the photographs without a face."""
        gallery, probes = self._session.gallery, self._session.probes
        now = [
            Listed(probe, self._findings.of(probe.photo.key), answer_to(gallery, probe))
            for probe in probes
        ]
        faceless = sorted(self._session.faceless)
        if now != self._shown or faceless != self._faceless:
            self._shown, self._faceless = now, faceless
            self.list.show_faces(self._lines())
        if current and self.list.selected_keys() != [current]:
            self.list.select(current)
        self.count.setText(f"{len(probes) + len(self._session.faceless)}")
        waiting = len(self._findings.missing())
        found = [each.found for each in now if each.found is not None]
        self.summary.setVisible(waiting > 0)
        self.summary.setText(f"{len(found)} photos compared, {waiting} not yet.")
        self.resume.setVisible(self._findings.stopped and waiting > 0)
        self.export.setEnabled(bool(found) and waiting == 0)

    def order(self) -> list[str]:
        """Return the keys of all that is listed, in that order."""
        return [face.key for face in self.list.faces.faces() if not isinstance(face, ListHeading)]

    def step(self, by: int) -> None:
        """Choose the next line, or the one before."""
        order, selected = self.order(), self.list.selected_keys()
        if selected and selected[0] in order:
            at = min(max(order.index(selected[0]) + by, 0), len(order) - 1)
            if order[at] != selected[0]:
                self.chosen.emit(order[at])

    def remove_selected(self) -> None:
        """Remove the selected probe from the list; the next one is shown."""
        keys, order = self.list.selected_keys(), self.order()
        left = [key for key in order if key not in keys]
        after = min(order.index(keys[0]), len(left) - 1) if keys and left else -1
        self._session.remove_probes(keys)
        if after >= 0:
            self.chosen.emit(left[after])

    def _lines(self) -> list[Face]:
        """Return the headings, and the lines under each."""
        groups: dict[str, list[Face]] = {title: [] for title in GROUP_LOOKS}
        for each in self._shown:
            groups[each.group].append(self._line(each))
        groups[WITHOUT_FACE] += [_faceless_line(path) for path in self._faceless]
        lines: list[Face] = []
        for title, group in groups.items():
            if group:
                look = GROUP_LOOKS[title]
                lines += [ListHeading.of(title, len(group), look.icon, look.tone), *group]
        return lines

    def _open_camera(self) -> None:
        from gui.camera.dialog import show_camera

        show_camera(self._session, self)

    def _line(self, listed: Listed) -> Face:
        probe, found, _ = listed
        waits = "not compared yet" if self._findings.fits(probe) else "cut to another size"
        answered = listed.answered is not NOTHING
        return Face(
            key=probe.photo.key,
            image=probe.image,
            caption=f"{readable(probe.photo.path)}{_which(probe)}",
            subcaption=listed.words or waits,
            warning=found.itself if found and not answered else "",
        )


def _faceless_line(path: Path) -> Face:
    return Face(
        key=faceless_key(path),
        image=_NO_FACE,
        caption=readable(path),
        subcaption="Show the face…",
        warning="No face was found in it. Show where it is.",
    )


def _which(probe: Probe) -> str:
    """Return which face of its photograph a probe is, from the left, if there are several."""
    return f", face {probe.number}" if probe.faces > 1 else ""


def readable(path: Path) -> str:
    """Return the name of a photo's file; with its folder if the name is only a number."""
    return f"{path.parent.name}/{path.name}" if path.stem.isdecimal() else path.name


def _short(decision: Decision) -> str:
    """Return who it is, where there is little room."""
    if decision.kind == "near but no face":
        return f"near {decision.nearest[0]}"
    return decision.headline
