"""Details of the selection, shown beside the page or, in a narrow window, on a sheet over it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPropertyAnimation
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QWidget

from ..state.settings import Settings
from ..widgets.box_layouts import STRETCH, in_column, in_row
from ..widgets.controls import Button
from ..widgets.page import Page

_WIDTH = 290
_SLIDE = 140  # milliseconds


class InspectorColumn(QFrame):
    """Inspector of the current page, at the right edge of the page area.

    If there is room, the inspector is a column beside the page. Otherwise, it is a sheet over the
    page that stays closed until opened. The sheet does not affect whether the column is shown.
    """

    def __init__(self, settings: Settings, area: QWidget, page: QWidget) -> None:
        """Lay out ``page`` in ``area``, the part of the window that holds the pages."""
        super().__init__(area)
        self._settings = settings
        self._area = area
        self._beside: QHBoxLayout = in_row((page, 1), inside=area, spacing=0)
        self._page: Page | None = None
        self._wide = True
        self._sheet_open = False
        self._parts = QStackedWidget()
        self.setProperty("role", "inspector")
        self.setAccessibleName("Details")
        self.close_sheet_button = Button("", "cross", name="Close the details", role="bare")
        self.close_sheet_button.clicked.connect(self.close_sheet)
        self._head = QWidget()
        in_row(STRETCH, self.close_sheet_button, inside=self._head, margins=(8, 6, 6, 0))
        in_column(self._head, (self._parts, 1), inside=self, spacing=0)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setDuration(_SLIDE)
        area.installEventFilter(self)
        self.hide()

    @property
    def is_sheet(self) -> bool:
        """Whether the inspector is currently shown as a sheet over the page."""
        return self._sheet_open and not self.isHidden()

    def add(self, inspector: QWidget) -> None:
        """Add the inspector of a new page."""
        self._parts.addWidget(inspector)

    def show_page(self, page: Page, *, wide: bool) -> None:
        """Show the inspector of a page. If ``wide``, there is room beside the page."""
        if page is not self._page or wide:
            self._sheet_open = False
        self._page = page
        self._wide = wide
        if page.inspector is not None:
            self._parts.setCurrentWidget(page.inspector)
        self._show()

    def toggle(self) -> bool:
        """Show or hide the inspector, and return whether the page has one."""
        if self._page is None or self._page.inspector is None:
            return False
        if self._wide:
            self._settings.inspector_visible = not self._settings.inspector_visible
        else:
            self._sheet_open = not self._sheet_open
        self._show()
        if self._sheet_open:
            self._slide.setStartValue(QPoint(self._area.width(), 0))
            self._slide.setEndValue(self.pos())
            self._slide.start()
        return True

    def close_sheet(self) -> bool:
        """Close the sheet, and return whether it was open."""
        was = self.is_sheet
        self._sheet_open = False
        self._show()
        return was

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _show(self) -> None:
        there = self._page is not None and self._page.inspector is not None
        beside = there and self._wide and self._settings.inspector_visible
        self._beside.setContentsMargins(0, 0, _WIDTH if beside else 0, 0)
        self._head.setVisible(self._sheet_open)
        self.setVisible(beside or (there and self._sheet_open))
        self._place()
        self.raise_()
        if self._page is not None:
            self._page.details.setChecked(not self.isHidden())

    def _place(self) -> None:
        self._slide.stop()
        width = min(_WIDTH, self._area.width())
        self.setGeometry(self._area.width() - width, 0, width, self._area.height())
