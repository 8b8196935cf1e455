"""One figure of a report: what is drawn, how it looks, and its file.

The look is restrained, fit for paper, and told apart without colour.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from eigenfaces.errors import EigenfacesError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Suffix = Literal["svg", "png", "pdf"]

ACCENT, SOFT, TEXT, SECONDARY, BORDER = "#0F62AC", "#E4EFFA", "#1A1E24", "#59626E", "#DDE1E7"
WARN = "#8F5200"

OTHERS = (
    ("#EE6677", (4, 1.5)),
    ("#228833", (1, 1.2)),
    ("#AA3377", (6, 1.5, 1, 1.5)),
    ("#4477AA", (3, 1, 1, 1, 1, 1)),
    ("#CCBB44", (8, 2)),
    ("#66CCEE", (2, 2)),
    ("#BBBBBB", (1, 3)),
)
"""Colours (Tol's “bright”) and dashes of what is drawn beside the main thing."""

_FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"
DOTS_PER_INCH = 200


@dataclass(frozen=True)
class Named:
    """What the file of a figure says of it: its file name, title and caption."""

    stem: str
    title: str
    caption: str


@dataclass(frozen=True)
class Plot(Named):
    """A figure, and how it is drawn; ``size`` is width and height in inches."""

    draw: Callable[[Axes], None]
    size: tuple[float, float] = (4.5, 3.1)


def suffix_of(path: Path) -> Suffix:
    """Return the kind of file of a path; `EigenfacesError` if it is none that can be written."""
    for kind in NAMELESS:
        if path.suffix.lower() == f".{kind}":
            return kind
    raise EigenfacesError(f"“{path.name}” is no picture: let its name end in .svg, .png or .pdf.")


@contextlib.contextmanager
def styled(salt: str = "") -> Iterator[None]:
    """Draw in this style, independent of the person's own settings of matplotlib."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.size": 8.5,
                "legend.fontsize": 7.5,
                "legend.facecolor": "white",
                "legend.edgecolor": "none",
                "legend.handlelength": 2.6,
                "text.color": TEXT,
                "text.parse_math": False,  # a name may hold a dollar sign
                "axes.labelcolor": TEXT,
                "axes.edgecolor": SECONDARY,
                "axes.linewidth": 0.7,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.grid": True,
                "axes.axisbelow": True,
                "axes3d.depthshade": False,
                "grid.color": BORDER,
                "grid.linewidth": 0.6,
                "lines.linewidth": 1.2,
                "hatch.linewidth": 0.5,
                "svg.fonttype": "none",
                "svg.hashsalt": f"eigenfaces {salt}",
                "pdf.fonttype": 42,
                "xtick.labelsize": 8,
                "ytick.labelsize": 8,
                "xtick.color": SECONDARY,
                "ytick.color": SECONDARY,
                "xtick.labelcolor": TEXT,
                "ytick.labelcolor": TEXT,
            }
        )
        yield


NAMELESS: dict[Suffix, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
"""What files do not say, so that the same figure gives the same bytes."""


def rendered(plot: Plot, *suffixes: Suffix) -> list[bytes]:
    """Draw a figure once, and return the content of a file of each kind; always the same bytes."""
    from matplotlib.figure import Figure

    with styled(plot.stem):
        figure = Figure(figsize=plot.size)
        plot.draw(figure.add_subplot())
        lay_out(figure)
        return [encoded(figure, suffix, plot) for suffix in suffixes]


def encoded(figure: Figure, suffix: Suffix, named: Named, dots: int = DOTS_PER_INCH) -> bytes:
    """Return the content of the file of a figure, drawn within `styled`; always the same bytes."""
    content = io.BytesIO()
    figure.savefig(content, format=suffix, dpi=dots, metadata=NAMELESS[suffix])
    made = content.getvalue()
    return _named(made.decode(), named).encode() if suffix == "svg" else made


def lay_out(figure: Figure, pad: float = 3.0) -> None:
    """Make axes as large as their labels, and so many points around them, leave room for.

    The layout solver is not exact in the last digits of a position: they are cut off.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    # The figure's own engine would draw three times.
    ConstrainedLayoutEngine(w_pad=pad / 72, h_pad=pad / 72, wspace=0, hspace=0).execute(figure)
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 4), round(bottom, 4), round(width, 4), round(height, 4)))


def _named(svg: str, figure: Named) -> str:
    """Return an SVG with a title and a description, common fonts, and unique ids.

    Ids begin with the name of the figure, so that several can be on one page.
    """
    stem = figure.stem
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"font-family: [^;\"]*", lambda _: f"font-family: {_FONTS}", svg)
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", lambda m: f"font: {m[1]} {_FONTS}", svg)
    svg = re.sub(r'(\sid="|href="#|url\(#)', lambda m: f"{m[1]}{stem}-", svg)
    title, caption = escape(figure.title), escape(figure.caption)
    about = f"<title>{title}</title>\n <desc>{caption}</desc>\n"
    label = f'role="img" aria-label="{title}"'
    return re.sub(r"<svg ([^>]*)>\s*", lambda m: f"<svg {label} {m[1]}>\n {about} ", svg, count=1)


@cache
def _letters() -> Set[int]:
    """Return every letter that the font of figures has."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    return FT2Font(font_manager.findfont("DejaVu Sans")).get_charmap().keys()


def drawable(name: str, number: int) -> str:
    """Return a name as figures show it: shortened, and where the font cannot write it, its number.

    >>> drawable("Zoë", 1), drawable("李", 2), len(drawable("a" * 60, 3))
    ('Zoë', 'No. 2', 18)
    """
    if not {ord(letter) for letter in name} <= _letters():
        return f"No. {number}"
    return name if len(name) <= 18 else f"{name[:17]}…"
