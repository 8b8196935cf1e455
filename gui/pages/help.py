"""The Help page: the manual, with a table of contents on the left and a search field."""

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

from eigenfaces.files import asset
from eigenfaces.manual.keys import command
from eigenfaces.manual.search import find
from eigenfaces.manual.sections import sections
from ..state.session import Session
from ..style import theme
from ..widgets.box_layouts import add_parts, in_column, in_row
from ..widgets.cards import Card, PageHeader, show_focus_on_bars
from ..widgets.controls import SearchField
from ..widgets.labels import label
from ..widgets.page import Page

_SAME = {"welcome": "people", "help": "people"}  # pages without a section of their own
_KEY = Qt.ItemDataRole.UserRole
_LINE = 780  # px; longer lines are hard to read
_PICTURE_SIGN = "\N{OBJECT REPLACEMENT CHARACTER}"  # the only text of a block with a picture
LARGE_PICTURE, _SMALL_PICTURE = 620, 430  # px; lines are at least as wide


class HelpPage(Page):
    """Page with the manual, and a searchable table of contents on the left."""

    key, title, icon = "help", "Help", "help"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._look: theme.Tokens | None = None  # the colours of the current text
        self.contents = QListWidget()
        self.contents.setAccessibleName("Contents")
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.contents.currentItemChanged.connect(self._go_to_current)
        self.contents.itemClicked.connect(self._go_to_current)
        self.finder: SearchField = SearchField("Search the help", command("find").keys)
        self.finder.textChanged.connect(self._search)
        self.text = HelpText()
        self.text.anchorClicked.connect(lambda link: self.show_topic(link.fragment()))
        self.nothing = label("", "secondary", wrap=True)
        side, page = Card("Contents"), Card()
        side.setFixedWidth(90 + theme.pixels(166))
        add_parts(side.body, self.finder, self.nothing, (self.contents, 1))
        page.body.addWidget(self.text)
        header = PageHeader(
            "Help",
            "What each page shows, the mathematics behind it, and how the results were measured",
        )
        row = in_row(side, (page, 1), spacing=12)
        in_column(header, (row, 1), inside=self.content, spacing=12)
        self._refresh()

    def show_topic(self, page_key: str) -> None:
        """Scroll to the section with this key, for example the section about a page."""
        self.finder.clear()
        for row in range(self.contents.count()):
            if self.contents.item(row).data(_KEY) == _SAME.get(page_key, page_key):
                self.contents.setCurrentRow(row)
                self._go_to_current()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark_stale()

    def _refresh(self) -> None:
        if theme.tokens() is not self._look:  # nothing else changes the text
            self._look, place = theme.tokens(), self.text.verticalScrollBar().value()
            self.text.write()
            self._search()
            self.text.verticalScrollBar().setValue(place)

    def _search(self) -> None:
        """List the sections that match the search, best first, and go to the best match."""
        words, t, part = self.finder.text().strip(), theme.tokens(), ""
        found = find(words) if words else sections()
        with QSignalBlocker(self.contents):
            self.contents.clear()
            for section in found:
                if not words and section.part != part:
                    part = section.part
                    heading = QListWidgetItem(part.upper(), self.contents)
                    heading.setFlags(Qt.ItemFlag.NoItemFlags)
                    heading.setFont(theme.font(theme.SMALL_FONT, 600))
                    heading.setForeground(QColor(t.tertiary))
                item = QListWidgetItem(section.title, self.contents)
                item.setData(_KEY, section.key)
                item.setToolTip(section.part)
        self.contents.setStyleSheet(
            "QListWidget::item { padding: 4px 8px; border-radius: 6px; }"
            f"QListWidget::item:selected {{ background: {t.soft}; color: {t.accent}; }}"
        )
        self.nothing.setText(f"Nothing in the help matches “{words}”.")
        self.nothing.setVisible(not found)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        if words and found:
            self.text.show_words(found[0].key, words)

    def _go_to_current(self) -> None:
        item = self.contents.currentItem()
        if item is not None and item.data(_KEY):
            self.text.go_to(item.data(_KEY))


class HelpText(QTextBrowser):
    """Viewer for the manual, with styled formulas and a limited line length."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Help text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QTextBrowser { border: 0; padding: 0; }")
        self.setOpenLinks(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        # Writing would hide the bar and so resize the text, which would be written within itself.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._starts: dict[str, int] = {}  # position of each section
        self._picture = LARGE_PICTURE  # the width of pictures

    def event(self, event: QEvent) -> bool:
        show_focus_on_bars(self, event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._write_again()  # with pictures for the new screen
        return super().event(event)

    def _write_again(self) -> None:
        if self._starts:
            place = self.verticalScrollBar().value()
            self.write()
            self.verticalScrollBar().setValue(place)

    def write(self) -> None:
        """Write all sections of the manual into the view."""
        part, parts = "", []
        for section in sections():
            parts += [f"# {section.part}"] if section.part != part else []
            parts += [f"## {section.title}", section.text]
            part = section.part
        document, features = self.document(), QTextDocument.MarkdownFeature
        plain = features.MarkdownDialectGitHub | features.MarkdownNoHTML
        document.setMarkdown("\n\n".join(parts), plain)
        document.setIndentWidth(theme.pixels(20))  # for lists
        edit = QTextCursor(document)
        edit.beginEditBlock()  # laid out once, not after each change
        starts = _format_blocks(document)
        edit.endEditBlock()
        self._starts = dict(zip((section.key for section in sections()), starts, strict=True))
        self.setTextCursor(QTextCursor(document))  # otherwise the view scrolls to the end

    def go_to(self, key: str) -> None:
        """Scroll until a section is at the top of the view."""
        block = self.document().findBlock(self._starts[key])
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top))

    def show_words(self, key: str, words: str) -> None:
        """Scroll to a section, and select the first of these words that is found there."""
        self.go_to(key)
        for word in words.split():
            cursor = self.document().find(word, self._starts[key])
            if not cursor.isNull():
                self.setTextCursor(cursor)
                return

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture from the manual, smoothly scaled down if it is too wide."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        image = QImage(str(asset("manual") / QUrl(name).toString()))
        ratio, smooth = self.devicePixelRatioF(), Qt.TransformationMode.SmoothTransformation
        width = min(self._picture, image.width())
        picture = image.scaledToWidth(round(ratio * width), smooth)
        picture.setDevicePixelRatio(ratio)
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - 8
        picture = LARGE_PICTURE if room >= LARGE_PICTURE else _SMALL_PICTURE
        if picture != self._picture:
            self._picture = picture
            self._write_again()
        self.setLineWrapColumnOrWidth(max(picture, min(theme.pixels(_LINE), room)))


def _format_blocks(document: QTextDocument) -> list[int]:
    """Set the font size, colour and spacing of all blocks; return the positions of the sections."""
    starts: list[int] = []
    t, block, size = theme.tokens(), document.begin(), QTextFormat.Property.FontPixelSize
    headings = {1: (theme.TITLE, t.accent, 30), 2: (15, t.text, 18)}
    while block.isValid():
        cursor, old, words = QTextCursor(block), block.blockFormat(), QTextCharFormat()
        shape, above, line = QTextBlockFormat(), 0 if cursor.currentTable() else 6, 140
        if level := old.headingLevel():
            pixels, colour, above = headings[level]
            words.setFont(theme.font(pixels, QFont.Weight.DemiBold))
            words.setForeground(QColor(colour))
            starts += [block.position()] if level == 2 else []
        elif old.hasProperty(QTextFormat.Property.BlockQuoteLevel):
            words.setFontFamilies(["serif"])
            words.setProperty(size, theme.pixels(17))
        elif block.text() == _PICTURE_SIGN:
            line = 100
        elif old.hasProperty(QTextFormat.Property.BlockCodeFence):
            above, line = 0, 100
            words.setProperty(size, theme.pixels(theme.SMALL_FONT))
            shape.setBackground(QColor(t.hover))
            shape.setNonBreakableLines(False)
        shape.setTopMargin(theme.pixels(above))
        shape.setBottomMargin(min(above, 6))
        shape.setLineHeight(line, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(shape)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        # A heading must lose the size that Qt has given it.
        (cursor.setCharFormat if level else cursor.mergeCharFormat)(words)
        block = block.next()
    percent = QTextLength.Type.PercentageLength
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            form = table.format()
            form.setBorderBrush(QColor(t.border))
            form.setBorderCollapse(True)
            form.setCellPadding(5)
            form.setBottomMargin(12)
            form.setWidth(QTextLength(percent, 100))
            if table.columns() == 2:  # the first column, with the terms, is narrow
                form.setColumnWidthConstraints(
                    [QTextLength(percent, section) for section in (30, 70)]
                )
            table.setFormat(form)
    return starts
