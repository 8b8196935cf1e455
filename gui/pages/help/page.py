"""Help: what is on each page, the mathematics, the words, the keys, the credits."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
)

from gui.pages.help.mathematics import MATHEMATICS
from gui.pages.help.photographs import PHOTOGRAPHS
from gui.pages.help.sections import Figures, Section
from gui.pages.help.words import ABOUT, PAGES
from gui.state.session import Session
from gui.style import theme
from gui.widgets.cards import Card, PageHeader
from gui.widgets.page import Page
from gui.widgets.words import label

SECTIONS: tuple[Section, ...] = (*PAGES, *PHOTOGRAPHS, *MATHEMATICS, *ABOUT)
_LINE = 780  # px; longer lines are hard to read
_SAME = {"welcome": "people", "help": "people"}  # pages without a section of their own
_KEY = Qt.ItemDataRole.UserRole


class HelpPage(Page):
    """Contents at the left, one long text at the right; searching narrows the contents."""

    key, title, icon = "help", "Help", "help"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._figures: Figures | None = None
        self._written = False
        self._words = ""
        self.contents = QListWidget()
        self.contents.setAccessibleName("Contents")
        self.contents.currentItemChanged.connect(self._go_to_current)
        self.contents.itemClicked.connect(self._go_to_current)
        self.text = HelpText()
        self.nothing = label("", "secondary", wrap=True)
        self._side = Card("Contents")
        self._side.body.addWidget(self.nothing)
        self._side.body.addWidget(self.contents, 1)
        page = Card()
        page.body.addWidget(self.text)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._side)
        row.addWidget(page, 1)
        whole = QVBoxLayout(self.content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        header = PageHeader("Help", "What each page shows, and the mathematics behind it")
        whole.addWidget(header)
        whole.addLayout(row, 1)
        self._list_sections()

    def show_topic(self, page_key: str) -> None:
        """Open the text about a page, or any other section, at the top of the view."""
        self.search("")
        key = _SAME.get(page_key, page_key)
        for at in range(self.contents.count()):
            if self.contents.item(at).data(_KEY) == key:
                self.contents.setCurrentRow(at)
                self.text.scrollToAnchor(key)

    def search(self, text: str) -> None:
        """List the sections with these words and go to the first place; mark all places."""
        words = text.strip()
        if words == self._words:
            return
        self._words = words
        self._list_sections()
        self.text.mark(words)

    def _refresh(self) -> None:
        figures = Figures.of(self.session.gallery)
        if figures != self._figures or not self._written:
            self._figures, self._written = figures, True
            self.text.write(SECTIONS, figures)
            self.text.mark(self._words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        restyled = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in restyled and self._written:
            self._written = False
            self._list_sections()
            self._mark_stale()

    def _list_sections(self) -> None:
        """Fill the contents with what fits the search, group by group."""
        blocked = QSignalBlocker(self.contents)
        self.contents.clear()
        group = ""
        for section in SECTIONS:
            if self._words.casefold() not in section.words(self._figures).casefold():
                continue
            if section.group != group:
                group = section.group
                self.contents.addItem(_heading(group))
            item = QListWidgetItem(section.title)
            item.setData(_KEY, section.key)
            self.contents.addItem(item)
        found = self.contents.count() > 0
        self.nothing.setText(f"Nothing here speaks of “{self._words}”.")
        self.nothing.setVisible(not found)
        self.contents.setStyleSheet(_item_style())
        self._side.setFixedWidth(90 + theme.pixels(146))
        del blocked

    def _go_to_current(self) -> None:
        item = self.contents.currentItem()
        if item is not None and item.data(_KEY):
            self.text.scrollToAnchor(item.data(_KEY))


class HelpText(QTextBrowser):
    """The text itself, in lines that are not too long, and with real formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Help text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QTextBrowser { border: 0; padding: 0; }")
        self.setOpenLinks(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)

    def write(self, sections: tuple[Section, ...], figures: Figures | None) -> None:
        """Write all sections, the place in the text kept."""
        place = self.verticalScrollBar().value()
        self.document().setDefaultStyleSheet(_style())
        parts, group = [], ""
        for section in sections:
            if section.group != group:
                group = section.group
                parts.append(f'<p class="group">{group}</p>')
            parts.append(f'<p class="title"><a name="{section.key}"></a>{section.title}</p>')
            parts.append(section.text(figures))
        self.setHtml("".join(parts))
        self.verticalScrollBar().setValue(place)

    def mark(self, words: str) -> None:
        """Mark every place with these words and go to the first."""
        marks: list[QTextEdit.ExtraSelection] = []
        cursor = self.document().find(words) if words else QTextCursor()
        while not cursor.isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(QColor(theme.tokens().warn_soft))
            mark.format.setForeground(QColor(theme.tokens().warn))
            marks.append(mark)
            cursor = self.document().find(words, cursor)
        self.setExtraSelections(marks)
        if marks:
            first = QTextCursor(marks[0].cursor)
            first.clearSelection()
            self.setTextCursor(first)
            self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - 8
        self.setLineWrapColumnOrWidth(max(200, min(theme.pixels(_LINE), room)))


def _heading(group: str) -> QListWidgetItem:
    item = QListWidgetItem(group.upper())
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    item.setFont(theme.font(theme.SMALL, 600))
    item.setForeground(QColor(theme.tokens().tertiary))
    return item


def _item_style() -> str:
    t = theme.tokens()
    return f"""QListWidget::item {{ padding: 4px 8px; border-radius: 6px; }}
    QListWidget::item:selected {{ background: {t.soft}; color: {t.accent}; }}"""


def _style() -> str:
    t, px = theme.tokens(), theme.pixels
    return f"""
    p.group {{ font-size: {px(theme.TITLE)}px; font-weight: 600; margin-top: {px(30)}px;
          margin-bottom: 0; color: {t.accent}; }}
    p.title {{ font-size: {px(15)}px; font-weight: 600; margin-top: {px(18)}px; }}
    p {{ margin-top: 6px; margin-bottom: 6px; line-height: 140%; }}
    p.formula {{ font-family: serif; font-size: {px(17)}px; margin-left: {px(26)}px;
          margin-top: 9px; margin-bottom: 9px; }}
    p.here {{ color: {t.accent}; }}
    td {{ border-bottom: 1px solid {t.border}; }}
    td.sign {{ font-family: serif; font-size: {px(15)}px; }}
    """
