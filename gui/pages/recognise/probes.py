"""The list of probes: drop area, one line for each probe, a summary, and the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.written_verdict import Answer
from gui.pages.recognise.findings import Finding, Findings, number
from gui.state.session import Session
from gui.style import theme
from gui.widgets.cards import Card, Chip
from gui.widgets.controls import Button, DropArea, LinkButton
from gui.widgets.face_list import Face, PersonList
from gui.widgets.words import label

_NO_FACE = np.full((112, 92), 0.8, np.float32)


class ProbeList(PersonList):
    """The list of probes; the selected one stays visible when the list becomes smaller."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        selected = self.selectionModel().selectedIndexes()
        if selected:
            self.scrollTo(selected[0])


class ProbesCard(Card):
    """All probes with the person closest to each; the probe shown is selected."""

    dropped = Signal(list)
    open_asked = Signal()
    export_asked = Signal()
    chosen = Signal(str)

    def __init__(self, session: Session, findings: Findings) -> None:
        super().__init__("Probes")
        self._session, self._findings = session, findings
        self._shown: list[tuple[Probe, Finding | None]] = []
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
        self._fit_width()

    def show_probes(self, words: str, current: str | None) -> None:
        """List the probes whose file or closest person has these words in it."""
        probes = self._session.probes
        now = [(probe, self._findings.of(probe.photo.key)) for probe in probes]
        wanted = [pair for pair in now if _fits(words, *pair)]
        faceless = sorted(
            path for path in self._session.faceless if words.casefold() in path.name.casefold()
        )
        if wanted != self._shown or faceless != self._faceless:
            self._shown, self._faceless = wanted, faceless
            lines = [self._line(*pair) for pair in wanted]
            self.list.show_faces(lines + [_faceless_line(path) for path in faceless])
        if current and self.list.selected_keys() != [current]:
            self.list.select(current)
        self.count.setText(f"{len(probes) + len(self._session.faceless)}")
        waiting = len(self._findings.missing())
        findings = [found for _, found in now if found is not None]
        self.summary.setVisible(len(probes) > 1)
        self.summary.setText(summary(findings, waiting))
        self.resume.setVisible(self._findings.stopped and waiting > 0)
        self.export.setEnabled(bool(findings) and waiting == 0)

    def remove_selected(self) -> None:
        """Remove the selected probe from the list; the next one is shown."""
        keys = self.list.selected_keys()
        order = [probe.photo.key for probe, _ in self._shown]
        order += [faceless_key(path) for path in self._faceless]
        left = [key for key in order if key not in keys]
        after = min(order.index(keys[0]), len(left) - 1) if keys and left else -1
        self._session.remove_probes(keys)
        if after >= 0:
            self.chosen.emit(left[after])

    def _open_camera(self) -> None:
        from gui.camera.dialog import show_camera

        show_camera(self._session, self)

    def _line(self, probe: Probe, found: Finding | None) -> Face:
        waits = "not compared yet" if self._findings.fits(probe) else "cut to another size"
        return Face(
            key=probe.photo.key,
            image=probe.image,
            caption=f"{readable(probe.photo.path)}{_which(probe)}",
            subcaption=f"closest: {found.verdict.closest.person}" if found else waits,
            warning=_warning(found.answer) if found else "",
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_width()

    def _fit_width(self) -> None:
        self.setFixedWidth(110 + theme.pixels(116))


def summary(findings: Sequence[Finding], waiting: int) -> str:
    """Return the results of many probes in one line."""
    if waiting:
        return f"{len(findings)} photos compared, {waiting} not yet."
    if not findings:
        return ""
    people = {found.verdict.closest.person for found in findings}
    distances = [found.verdict.closest.distance for found in findings]
    who = "1 person is" if len(people) == 1 else f"{len(people)} people are"
    known = sum(found.answer.in_gallery for found in findings)
    also = f" {known} of them are in the gallery." if known > 1 else ""
    also = " One of them is in the gallery." if known == 1 else also
    return (
        f"{len(findings)} photos; {who} closest, at distances of "
        f"{number(min(distances))} to {number(max(distances))}.{also}"
    )


def faceless_key(path: Path) -> str:
    """Return the key of the line of a photograph without a face; no other begins like this."""
    return f"\0{path}"


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


def _warning(answer: Answer) -> str:
    """Return why a verdict is no evidence; "" if it is."""
    return next((each.sentence for each in answer.cautions if each.kind == "itself"), "")


def readable(path: Path) -> str:
    """Return the name of a photo's file; with its folder if the name is only a number."""
    return f"{path.parent.name}/{path.name}" if path.stem.isdecimal() else path.name


def _fits(words: str, probe: Probe, found: Finding | None) -> bool:
    if not words:
        return True
    person = found.verdict.closest.person if found else ""
    return words.casefold() in f"{readable(probe.photo.path)} {person}".casefold()
