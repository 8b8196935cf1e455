"""The manual as one text: its Markdown in the colours and fonts of the program."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QColor, QFocusEvent, QImage, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from eigenfaces.manual.sections import Section, sections
from gui.style import theme
from gui.widgets.cards import show_focus_on_bars

_LINE = 780  # px; longer lines are hard to read
_PICTURE = 620  # px; lines are no shorter
_IMAGE = QTextDocument.ResourceType.ImageResource
_LOW, _HIGH = str.maketrans("₀₁₂₃ᵢₖₙ", "0123ikn"), str.maketrans("²ᵀ", "2T")


@dataclass(frozen=True)
class RichSection:
    """A section as rich text, and as plain text for the search."""

    section: Section
    rich: str
    words: str


def rich_sections() -> Iterator[RichSection]:
    """Yield the manual, section by section: none is read twice."""
    return map(_rich_section, sections())


@cache
def _rich_section(section: Section) -> RichSection:
    rich = _rich(section.text)
    plain = html.unescape(re.sub(r"<[^>]+>", "", rich))
    return RichSection(section, rich, f"{section.title} {plain}")


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("fence", _code)
    return reader


def _rich(markdown: str) -> str:
    """Return Markdown as Qt's rich text; HTML in it is shown as plain text."""
    reader = _reader()
    tokens = reader.parse(markdown)
    for before, token in zip([None, *tokens], tokens, strict=False):
        _style_token(token, before)
    _style_columns(tokens)
    shown = [token for token in tokens if not token.type.startswith("blockquote")]
    rich = str(reader.renderer.render(shown, reader.options, {}))
    rich = re.sub(r"(</(?:em|strong)>)([₀₁₂₃ᵢₖₙ]+)", _lowered, rich)
    return re.sub(r"(</(?:em|strong|sub)>)([²ᵀ])", _raised, rich)


def _style_token(token: Token, before: Token | None) -> None:
    """Add to a token what the style sheet and Qt's rich text need to show it well."""
    if token.type == "paragraph_open" and before is not None and before.type == "blockquote_open":
        token.attrSet("class", "formula")
    elif token.type == "table_open":
        token.attrs = {"cellpadding": 5, "cellspacing": 0, "width": "100%"}
    elif token.type == "th_open":
        token.attrSet("align", "left")


def _style_columns(tokens: list[Token]) -> None:
    """Make the first of two columns narrow and bold: it has the terms that the other explains."""
    row: list[Token] = []
    for token in tokens:
        if token.type in ("td_open", "th_open"):
            row.append(token)
        elif token.type == "tr_close":
            if len(row) == 2:
                row[0].attrs |= {"class": "word", "width": "30%"}
            row = []


def _code(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """Return lines of code on their own background."""
    lines = html.escape(tokens[at].content.rstrip("\n"))
    cell = f'<td class="code"><pre>{lines}</pre></td>'
    return f'<table width="100%" cellpadding="9"><tr>{cell}</tr></table>'


def _lowered(found: re.Match[str]) -> str:
    return f"{found[1]}<sub>{_slanted(found[2].translate(_LOW))}</sub>"


def _raised(found: re.Match[str]) -> str:
    return f"{found[1]}<sup>{found[2].translate(_HIGH)}</sup>"


def _slanted(index: str) -> str:
    return index if index.isdecimal() else f"<i>{index}</i>"


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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        show_focus_on_bars(self, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        show_focus_on_bars(self, event)

    def write(self, manual: Iterable[RichSection]) -> None:
        """Write all sections and keep the scroll position."""
        place = self.verticalScrollBar().value()
        self.document().setDefaultStyleSheet(_style())
        self.document().setIndentWidth(theme.pixels(20))  # of lists
        parts, part = [], ""
        for each in manual:
            if each.section.part != part:
                part = each.section.part
                parts.append(f'<p class="part">{html.escape(part)}</p>')
            title = html.escape(each.section.title)
            parts.append(f'<p class="title"><a name="{each.section.key}"></a>{title}</p>')
            parts.append(each.rich)
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


def _style() -> str:
    t, px = theme.tokens(), theme.pixels
    return f"""
    p.part {{ font-size: {px(theme.TITLE)}px; font-weight: 600; margin-top: {px(30)}px;
          margin-bottom: 0; color: {t.accent}; }}
    p.title {{ font-size: {px(15)}px; font-weight: 600; margin-top: {px(18)}px; }}
    p, li {{ margin-top: 6px; margin-bottom: 6px; line-height: 140%; }}
    p.formula {{ font-family: serif; font-size: {px(17)}px; margin-left: {px(26)}px;
          margin-top: 9px; margin-bottom: 9px; }}
    a {{ color: {t.accent}; text-decoration: none; }}
    table {{ margin-top: 6px; margin-bottom: 12px; }}
    pre {{ font-size: {px(theme.SMALL)}px; white-space: pre-wrap; }}
    code {{ font-size: {px(theme.CAPTION)}px; }}
    td {{ border-bottom: 1px solid {t.border}; }}
    td.word {{ font-weight: 600; }}
    td.code {{ background-color: {t.hover}; border: 0; }}
    th {{ border-bottom: 1px solid {t.border}; color: {t.secondary}; font-weight: 400; }}
    """
