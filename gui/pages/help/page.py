"""The Help page: the manual, with its contents at the left and a search."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from eigenfaces.manual.sections import Section, sections
from gui.pages.help.text import HelpText, rich_sections
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader
from gui.widgets.controls import SearchField
from gui.widgets.page import Page
from gui.widgets.words import label

_SAME = {"welcome": "people", "help": "people"}  # pages that have no section of their own
_KEY = Qt.ItemDataRole.UserRole


class HelpPage(Page):
    """Contents at the left, the manual at the right; a search filters the contents."""

    key, title, icon = "help", "Help", "help"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._written = False
        self._words = ""
        self.contents = QListWidget()
        self.contents.setAccessibleName("Contents")
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.contents.currentItemChanged.connect(self._go_to_current)
        self.contents.itemClicked.connect(self._go_to_current)
        self.finder: SearchField = SearchField("Search the help", "Ctrl+F")
        self.finder.textChanged.connect(self.search)
        self.text = HelpText()
        self.text.anchorClicked.connect(self._follow)
        self.nothing = label("", "secondary", wrap=True)
        self._side = Card("Contents")
        add_parts(self._side.body, self.finder, self.nothing, (self.contents, 1))
        page = Card()
        page.body.addWidget(self.text)
        row = in_row(self._side, (page, 1), spacing=12)
        header = PageHeader(
            "Help", "What each page shows, the mathematics behind it, and how it was measured"
        )
        in_column(header, (row, 1), inside=self.content, spacing=12)
        self._list_sections()

    def show_topic(self, page_key: str) -> None:
        """Open the text about a page, or any other section, at the top of the view."""
        self.finder.clear()
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
        if not self._written:
            self._written = True
            self.text.write(rich_sections())
            self.text.mark(self._words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._written:
            self._written = False
            self._list_sections()
            self._mark_stale()

    def _found(self) -> list[Section]:
        """Return the sections that fit the search."""
        if not self._words:
            return list(sections())
        words = self._words.casefold()
        return [each.section for each in rich_sections() if words in each.words.casefold()]

    def _list_sections(self) -> None:
        """List the sections that fit the search, part by part."""
        blocked = QSignalBlocker(self.contents)
        self.contents.clear()
        part = ""
        for section in self._found():
            if section.part != part:
                part = section.part
                self.contents.addItem(_heading(part))
            item = QListWidgetItem(section.title)
            item.setData(_KEY, section.key)
            self.contents.addItem(item)
        found = self.contents.count() > 0
        self.nothing.setText(f"Nothing here speaks of “{self._words}”.")
        self.nothing.setVisible(not found)
        self.contents.setStyleSheet(_item_style())
        self._side.setFixedWidth(90 + theme.pixels(146))
        del blocked

    def _follow(self, link: QUrl) -> None:
        self.show_topic(link.fragment())

    def _go_to_current(self) -> None:
        item = self.contents.currentItem()
        if item is not None and item.data(_KEY):
            self.text.scrollToAnchor(item.data(_KEY))


def _heading(part: str) -> QListWidgetItem:
    item = QListWidgetItem(part.upper())
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    item.setFont(theme.font(theme.SMALL, 600))
    item.setForeground(QColor(theme.tokens().tertiary))
    return item


def _item_style() -> str:
    t = theme.tokens()
    return f"""QListWidget::item {{ padding: 4px 8px; border-radius: 6px; }}
    QListWidget::item:selected {{ background: {t.soft}; color: {t.accent}; }}"""
