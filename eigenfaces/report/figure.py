"""Style and export of all figures. Curves print well and can be told apart without colour."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from eigenfaces.errors import EigenfacesError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Suffix = Literal["svg", "png", "pdf"]

ACCENT, SOFT_COLOUR, TEXT, SECONDARY, BORDER = "#0F62AC", "#E4EFFA", "#1A1E24", "#59626E", "#DDE1E7"
WARN = "#8F5200"

SERIES = (
    ("#EE6677", (4, 1.5)),
    ("#228833", (1, 1.2)),
    ("#AA3377", (6, 1.5, 1, 1.5)),
    ("#4477AA", (3, 1, 1, 1, 1, 1)),
    ("#CCBB44", (8, 2)),
    ("#66CCEE", (2, 2)),
    ("#BBBBBB", (1, 3)),
)
"""Colours (Tol's “bright”) and dashes of all curves except the main one."""

DOTS_PER_INCH = 200

OMITTED_METADATA: dict[Suffix, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
"""Metadata that is left out of the files, so that the same figure gives the same bytes."""

_STYLE: dict[Any, Any] = {
    "font.size": 8.5,
    "font.sans-serif": ["DejaVu Sans", "Segoe UI", "Helvetica", "Arial", "sans-serif"],
    "legend.fontsize": 7.5,
    "legend.edgecolor": "none",
    "legend.handlelength": 2.6,
    "text.color": TEXT,
    "text.parse_math": False,  # a name may contain a dollar sign
    "axes.labelcolor": TEXT,
    "axes.edgecolor": SECONDARY,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": BORDER,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "hatch.linewidth": 0.5,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
for _axis in "xy":
    _STYLE |= {f"{_axis}tick.labelsize": 8, f"{_axis}tick.labelcolor": TEXT}
    _STYLE |= {f"{_axis}tick.color": SECONDARY}


@dataclass(frozen=True)
class Plot:
    """A figure with its file name, title, caption and drawing function. ``size`` is in inches."""

    stem: str
    title: str
    caption: str
    draw: Callable[[Axes], None]
    size: tuple[float, float] = (4.5, 3.1)


def suffix_of(path: Path) -> Suffix:
    """Return the type of a picture file from its suffix; if unknown, raise `EigenfacesError`."""
    if (kind := path.suffix.lower().removeprefix(".")) in OMITTED_METADATA:
        return kind
    raise EigenfacesError(f"“{path.name}” is not a picture: end its name in .svg, .png or .pdf.")


@contextlib.contextmanager
def styled(salt: str = "") -> Iterator[None]:
    """Apply the style used for all figures, regardless of the user's own matplotlib settings."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE | {"svg.hashsalt": f"eigenfaces {salt}"})
        yield


def render(plot: Plot, *suffixes: Suffix) -> list[bytes]:
    """Return the file content of a figure in each format. The same figure gives the same bytes."""
    from matplotlib.figure import Figure

    with styled(plot.stem):
        figure = Figure(figsize=plot.size)
        plot.draw(figure.add_subplot())
        lay_out(figure)
        about = plot.stem, plot.title, plot.caption
        return [encode(figure, suffix, *about) for suffix in suffixes]


def encode(
    figure: Figure, suffix: Suffix, stem: str, title: str, caption: str, dots: int = DOTS_PER_INCH
) -> bytes:
    """Return the file content of a figure that was drawn within `styled`.

    The same figure always gives the same bytes. An SVG gets a title, a description, and ids that
    start with ``stem``, so that a page can contain several.
    """
    buffer = io.BytesIO()
    figure.savefig(buffer, format=suffix, dpi=dots, metadata=OMITTED_METADATA[suffix])
    if suffix != "svg":
        return buffer.getvalue()
    svg = buffer.getvalue().decode()
    title = escape(title)
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'(\sid="|href="#|url\(#)', lambda match: f"{match[1]}{stem}-", svg)
    head = f'<svg role="img" aria-label="{title}" '
    about = f" <title>{title}</title>\n <desc>{escape(caption)}</desc>\n "
    svg = re.sub(r"<svg ([^>]*>)\s*", lambda match: f"{head}{match[1]}\n{about}", svg, count=1)
    return svg.encode()


def lay_out(figure: Figure, pad: float = 3.0) -> None:
    """Make the axes as large as their labels and ``pad`` points around them allow.

    The layout solver is not exact to the last digits of a position, so these are rounded off.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    # The figure's own layout engine would draw it three times.
    ConstrainedLayoutEngine(w_pad=pad / 72, h_pad=pad / 72, wspace=0, hspace=0).execute(figure)
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 4), round(bottom, 4), round(width, 4), round(height, 4)))
