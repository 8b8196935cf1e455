"""The welcome page, which shows ways to start while the gallery is empty."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ..state import actions
from ..state.jobs import JobKind
from ..state.session import Session
from ..state.settings import drafts_folder
from ..style import theme
from ..style.icons import ICON, pixmap
from ..style.painting import paint_line, paint_no_picture
from ..widgets.box_layouts import STRETCH, Gap, add_parts, centre, in_column, in_row
from ..widgets.cards import Card, EmptyState
from ..widgets.controls import Button, DropArea, LinkButton
from ..widgets.labels import ElidedLabel, IconLabel, label
from ..widgets.page import Page

_PEOPLE = {"Ada": 4, "Grace": 2, "Katherine": 3}
"""The sub-folders in the drawing, and the number of photographs in each."""

_LINE, _TILE, _BESIDE, _APART = 34, 26, 104, 6
"""Sizes in pixels, before text scaling: a line, a photograph, the left margin, and a gap."""

_SHOWN = 4
"""The maximum number of recent projects listed. One more would not fit on a 1280 × 720 page."""

_ROOM = 250
"""The width of the name of a recent project, in pixels before text scaling."""

_FORGET = 76
"""The part of `_ROOM` that the “Forget” link of an unreachable project takes up."""


class FolderDrawing(QWidget):
    """Drawing of sub-folders that are named after people and contain their photographs."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("A folder with one sub-folder per person")
        wide = _BESIDE + max(_PEOPLE.values()) * (_TILE + _APART)
        self.setMinimumSize(theme.pixels(wide), len(_PEOPLE) * theme.pixels(_LINE))

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, side = theme.tokens(), theme.pixels(ICON)
        line, tile, beside, apart = map(theme.pixels, (_LINE, _TILE, _BESIDE, _APART))
        folder = pixmap("folder", side, look.accent, self.devicePixelRatioF())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row, (name, photos) in enumerate(_PEOPLE.items()):
                top = row * line
                painter.drawPixmap(0, top + (line - side) // 2, folder)
                painter.setPen(QColor(look.text))
                words = QRectF(side + apart, top, beside - side - 2 * apart, line)
                paint_line(painter, words, name, Qt.AlignmentFlag.AlignLeft)
                for photo in range(photos):
                    left = beside + photo * (tile + apart)
                    place = QRectF(left, top + (line - tile) / 2, tile, tile)
                    paint_no_picture(painter, place, 5)


class WelcomePage(Page):
    """Page with ways to start: a drop area, the sample, a folder layout and recent projects."""

    key, title, icon = "welcome", "Welcome", "people"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        picture = IconLabel(56, "people")
        middle = QWidget()
        middle.setMaximumWidth(theme.pixels(620))
        introduction = (
            label("Start with a folder of photos", "figure"),
            label(
                "Best with one sub-folder per person; otherwise, similar faces are grouped for you "
                "to name. Nothing is uploaded: your photos stay where they are.",
                "secondary",
                wrap=True,
            ),
        )
        for words in introduction:
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._recent = Card("Recent")
        self._recent.body.setSpacing(2)
        column = QVBoxLayout(middle)
        column.setSpacing(12)
        note = "Whole photos or cropped faces. Frontal faces work best."
        layout = Card("Sub-folders give the names")
        add_parts(layout.body, FolderDrawing(), label(note, "caption", wrap=True), STRETCH)
        row = in_row((layout, 1), (self._recent, 1), spacing=12)
        link = LinkButton("Lessons", "lessons")
        link.setToolTip("How it works, one idea at a time")
        link.clicked.connect(lambda: session.show_page("lessons"))
        question = label("No photos at hand?", "secondary")
        without = in_row(STRETCH, question, link, STRETCH, spacing=2)
        add_parts(column, picture, *introduction, Gap(6), self._drop_area(), row, without)
        self._begin = QWidget()
        centre(middle, self._begin)
        self._reading = EmptyState(
            "people",
            "Your photos are being read",
            "The people in them will appear here when this is done. The bar below shows progress.",
            ("See how it works", lambda: session.show_page("lessons")),
        )
        in_column((self._begin, 1), (self._reading, 1), inside=self.content)
        session.settings.reach.changed.connect(self._mark_stale)
        session.jobs.changed.connect(self._mark_stale)

    def accept_paths(self, paths: list[Path]) -> bool:
        self.photos_wanted.emit(paths)
        return True

    def _drop_area(self) -> DropArea:
        area = DropArea("Drop a folder here", name="Drop a folder of photos here, or choose one")
        area.setMinimumHeight(theme.pixels(140))
        choose = Button("Open folder…", "folder", primary=True)
        choose.clicked.connect(lambda: self.accept_paths([]))
        sample = Button("Try the sample gallery", "play")
        sample.clicked.connect(lambda: actions.open_sample(self.session))
        area.add_button(choose)
        area.add_button(sample)
        area.dropped.connect(self.accept_paths)
        area.clicked.connect(lambda: self.accept_paths([]))
        return area

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        settings = self.session.settings
        settings.reach.ask(settings.recent_projects)

    def _refresh(self) -> None:
        reads = self.session.jobs.is_busy(JobKind.IMPORT)
        self._begin.setVisible(not reads)
        self._reading.setVisible(reads)
        body = self._recent.body
        while item := body.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        recent = self.session.other_recent_projects()
        for path in recent[:_SHOWN]:
            body.addWidget(self._recent_project(path))
        if not recent:
            note = "Projects that you open will appear here."
            body.addWidget(label(note, "caption", wrap=True))
        body.addStretch(1)

    def _recent_project(self, path: Path) -> QWidget:
        """Return a widget with the name of a recent project, as a link, and its folder."""
        draft, missing = (
            path.parent == drafts_folder(),
            self.session.settings.reach.is_missing(path),
        )
        place = "Not saved elsewhere yet" if draft else str(path.parent)
        place = f"{place} · not reachable" if missing else place
        room = theme.pixels(_ROOM - _FORGET if missing else _ROOM)
        cut = Qt.TextElideMode.ElideMiddle
        link = LinkButton(self.fontMetrics().elidedText(path.stem, cut, room))
        link.setProperty("flush", True)
        link.setAccessibleName(path.stem + (" (not saved elsewhere yet)" if draft else ""))
        link.setToolTip(str(path))
        link.clicked.connect(lambda: actions.open_project(self.session, path))
        forget = LinkButton("Forget")
        forget.setAccessibleName(f"Forget {path.stem}")
        forget.setToolTip("Remove it from this list")
        forget.setVisible(missing)
        forget.clicked.connect(lambda: self._forget(path))
        folder = ElidedLabel(place, "caption", Qt.TextElideMode.ElideLeft)
        entry = QWidget()
        in_column(in_row(link, STRETCH, forget), folder, inside=entry, spacing=0)
        return entry

    def _forget(self, path: Path) -> None:
        self.session.settings.forget_recent(path)
        self._mark_stale()
