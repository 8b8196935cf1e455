"""The Help page: the manual, with its contents at the left and a search."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QTextBrowser, QTextEdit

from eigenfaces.manual.sections import sections
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, show_focus_on_bars
from gui.widgets.controls import SearchField
from gui.widgets.page import Page
from gui.widgets.words import label

_SAME = {"welcome": "people", "help": "people"}  # pages that have no section of their own
_KEY = Qt.ItemDataRole.UserRole
_LINE = 780  # px; longer lines are hard to read
_PICTURE = 620  # px; lines are no shorter
_IMAGE = QTextDocument.ResourceType.ImageResource


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
                self.text.go_to(key)

    def search(self, text: str) -> None:
        """List the sections with these words and go to the first place; mark all places."""
        words = text.strip()
        if words == self._words:
            return
        self._words = words
        self._refresh()  # what is searched is the text as it is shown
        self._list_sections()
        self.text.mark(words)

    def _refresh(self) -> None:
        if not self._written:
            self._written = True
            self.text.write()
            self.text.mark(self._words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._written:
            self._written = False
            self._list_sections()
            self._mark_stale()

    def _list_sections(self) -> None:
        """List the sections that fit the search, part by part."""
        blocked = QSignalBlocker(self.contents)
        self.contents.clear()
        part = ""
        for section in sections():
            if self._words and not self.text.holds(section.key, self._words):
                continue
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
            self.text.go_to(item.data(_KEY))


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


class HelpText(QTextBrowser):
    """Shows the manual, in lines that are not too long, with formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Help text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QTextBrowser { border: 0; padding: 0; }")
        self.setOpenLinks(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(theme.pixels(_LINE))
        self._starts: dict[str, tuple[int, int]] = {}  # of each section, and its end
        self._plain = ""

    def event(self, event: QEvent) -> bool:
        show_focus_on_bars(self, event)
        return super().event(event)

    def write(self) -> None:
        """Write all sections and keep the scroll position."""
        place, part, parts = self.verticalScrollBar().value(), "", []
        for each in sections():
            parts += [f"# {each.part}"] if each.part != part else []
            parts += [f"## {each.title}", each.text]
            part = each.part
        document, features = self.document(), QTextDocument.MarkdownFeature
        plain = features.MarkdownDialectGitHub | features.MarkdownNoHTML
        document.setMarkdown("\n\n".join(parts), plain)
        document.setIndentWidth(theme.pixels(20))  # of lists
        edit = QTextCursor(document)
        edit.beginEditBlock()  # laid out once, not after each change
        starts = _dress(document)
        edit.endEditBlock()
        ends = [*starts[1:], document.characterCount()]
        keys = (each.key for each in sections())
        self._starts = dict(zip(keys, zip(starts, ends, strict=True), strict=True))
        self._plain = document.toPlainText().lower()
        self.verticalScrollBar().setValue(place)

    def go_to(self, key: str) -> None:
        """Scroll until a section is at the top."""
        if key in self._starts:
            block = self.document().findBlock(self._starts[key][0])
            top = self.document().documentLayout().blockBoundingRect(block).top()
            self.verticalScrollBar().setValue(int(top))

    def holds(self, key: str, words: str) -> bool:
        """Return whether a section has these words."""
        start, end = self._starts[key]
        return words.lower() in self._plain[start:end]

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

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the manual, made smaller smoothly."""
        if kind != _IMAGE.value:
            return super().loadResource(kind, name)
        image = QImage(str(theme.ASSETS / "manual" / QUrl(name).toString()))
        ratio = self.devicePixelRatioF()
        smooth = Qt.TransformationMode.SmoothTransformation
        shown = image.scaledToWidth(round(ratio * _PICTURE), smooth)
        shown.setDevicePixelRatio(ratio)
        return shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - 8
        self.setLineWrapColumnOrWidth(max(_PICTURE, min(theme.pixels(_LINE), room)))


def _dress(document: QTextDocument) -> list[int]:
    """Give all blocks their sizes, colours and room; return where the sections begin."""
    starts: list[int] = []
    look, block = theme.tokens(), document.begin()
    fonts = {
        1: (theme.font(theme.TITLE, QFont.Weight.DemiBold), look.accent, 30),
        2: (theme.font(15, QFont.Weight.DemiBold), look.text, 18),
    }
    while block.isValid():
        cursor, old, words = QTextCursor(block), block.blockFormat(), QTextCharFormat()
        shape, above, line = QTextBlockFormat(), 0 if cursor.currentTable() else 6, 140
        if old.headingLevel():
            heading, colour, above = fonts[old.headingLevel()]
            words.setFont(heading)
            words.setForeground(QColor(colour))
            starts += [block.position()] if old.headingLevel() == 2 else []
        elif old.hasProperty(QTextFormat.Property.BlockQuoteLevel):
            words.setFontFamilies(["serif"])
            words.setProperty(QTextFormat.Property.FontPixelSize, theme.pixels(17))
        elif old.hasProperty(QTextFormat.Property.BlockCodeFence):
            above, line = 0, 100
            words.setProperty(QTextFormat.Property.FontPixelSize, theme.pixels(theme.SMALL))
            shape.setBackground(QColor(look.hover))
            shape.setNonBreakableLines(False)
        shape.setTopMargin(theme.pixels(above))
        shape.setBottomMargin(min(above, 6))
        shape.setLineHeight(line, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(shape)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        if old.headingLevel():
            cursor.setCharFormat(words)  # without the size that Qt gives to headings
        else:
            cursor.mergeCharFormat(words)
        block = block.next()
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            _dress_table(table)
    return starts


def _dress_table(table: QTextTable) -> None:
    """Draw lines around cells; of two columns the first is narrow: it has the terms."""
    shape, percent = table.format(), QTextLength.Type.PercentageLength
    shape.setBorderBrush(QColor(theme.tokens().border))
    shape.setBorderCollapse(True)
    shape.setCellPadding(5)
    shape.setBottomMargin(12)
    shape.setWidth(QTextLength(percent, 100))
    if table.columns() == 2:
        shape.setColumnWidthConstraints([QTextLength(percent, each) for each in (30, 70)])
    table.setFormat(shape)
