"""Sheets of paper: text set in lines from top to bottom, and as many sheets as it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from eigenfaces.report.style import BORDER, SECONDARY, TEXT, WARN, widths_of_letters
from eigenfaces.report.words import capital

if TYPE_CHECKING:
    from matplotlib.figure import Figure

A4 = (8.27, 11.69)
LEFT, RIGHT, TOP, BOTTOM = 0.75, 7.52, 11.0, 0.8
"""Where text may stand, inches from the lower left corner."""

_BOLD = 1.12  # how much wider bold letters are, at most


class Sheets:
    """Figures of A4 that text is written on, one after the other."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self._y = 0.0

    def new(self) -> Figure:
        """Begin a new sheet."""
        from matplotlib.figure import Figure

        self.figures.append(Figure(figsize=A4))
        self._y = TOP
        return self.figures[-1]

    def heading(self, text: str, size: float = 11) -> None:
        """Write a heading, never as the last thing on a sheet."""
        self._room(0.9)
        self._y -= 0.12 if self._y < TOP else 0
        self._lines(text, size, weight="bold")
        self._y -= 0.05

    def paragraph(self, text: str, size: float = 8.5, colour: str = TEXT) -> None:
        """Write a paragraph."""
        self._lines(text, size, colour=colour)
        self._y -= 0.07

    def warning(self, text: str) -> None:
        """Write a paragraph that stands out."""
        self._lines(f"Warning. {text}", 8.5, colour=WARN, weight="bold")
        self._y -= 0.07

    def table(self, rows: Sequence[Sequence[str]], widths: Sequence[float]) -> None:
        """Write rows of cells, of which the first is the heads; widths in inches."""
        for number, row in enumerate(rows):
            cells = [
                list(wrapped(capital(cell) if not number else cell, width - 0.1, 7.5))
                for cell, width in zip(row, widths, strict=True)
            ]
            height = 0.145 * max(map(len, cells)) + 0.05
            self._room(height)
            x = LEFT
            for lines, width in zip(cells, widths, strict=True):
                for place, line in enumerate(lines):
                    self._text(x, self._y - 0.145 * place, line, 7.5, bold=number == 0)
                x += width
            self._y -= height
            self._rule(self._y + 0.035, SECONDARY if number == 0 else BORDER)
        self._y -= 0.1

    def _lines(self, text: str, size: float, *, colour: str = TEXT, weight: str = "normal") -> None:
        step = size * 1.4 / 72
        for line in wrapped(text, RIGHT - LEFT, size * (_BOLD if weight == "bold" else 1)):
            self._room(step)
            self._text(LEFT, self._y, line, size, bold=weight == "bold", colour=colour)
            self._y -= step

    def _room(self, height: float) -> None:
        if not self.figures or self._y - height < BOTTOM:
            self.new()

    def _text(
        self, x: float, y: float, text: str, size: float, *, bold: bool, colour: str = TEXT
    ) -> None:
        self.figures[-1].text(
            x / A4[0],
            y / A4[1],
            text,
            fontsize=size,
            color=colour,
            va="top",
            weight="bold" if bold else "normal",
        )

    def _rule(self, y: float, colour: str) -> None:
        from matplotlib.lines import Line2D

        ends = [LEFT / A4[0], RIGHT / A4[0]]
        height = (y + 0.01) / A4[1]
        self.figures[-1].add_artist(Line2D(ends, [height, height], color=colour, linewidth=0.6))


def writable(text: str) -> str:
    """Put a box in the place of each letter that the font lacks."""
    known = widths_of_letters()
    return "".join(letter if ord(letter) in known else "□" for letter in text)


def wrapped(text: str, width: float, size: float) -> Iterator[str]:
    """Yield text in lines of at most a width, inches, at a size, points; an empty one of nothing.

    Words break where they are wider than a line; a letter that the font lacks is a box.
    """
    known = widths_of_letters()
    text = writable(text)
    room = width * 72 / size
    line, used = "", 0.0
    for word in text.split():
        for piece in _pieces(word, room, known):
            needs = sum(known[ord(letter)] for letter in piece)
            blank = known[ord(" ")] if line else 0.0
            if line and used + blank + needs > room:
                yield line
                line, used, blank = "", 0.0, 0.0
            line += f" {piece}" if line else piece
            used += blank + needs
    yield line


def _pieces(word: str, room: float, known: Mapping[int, float]) -> Iterator[str]:
    piece, used = "", 0.0
    for letter in word:
        if piece and used + known[ord(letter)] > room:
            cut = max(piece.rfind(sign) for sign in "/._-") + 1 or len(piece)
            yield piece[:cut]
            piece = piece[cut:]
            used = sum(known[ord(each)] for each in piece)
        piece += letter
        used += known[ord(letter)]
    yield piece
