"""Lesson: any table of numbers, with a dot for each row and an arrow for each column.

K. R. Gabriel, *The biplot graphic display of matrices with application to principal component
analysis* (1971).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.points import MOST_LABELS, Cloud
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Choice, Flag, Lesson, Slide, Step
from eigenfaces.photographs.names import natural_key
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import count, percent, with_minus

_NAMED_ARROWS = 12  # with more columns, only the longest arrows are labelled
_NAMED_DOTS = 100
_ALONG = 0.9  # the length of the longest arrow, as a share of the distance to the farthest dot
_VALUES = 6  # with more different numbers, each third of them shares a colour
_ONE = "one colour"

Groups = tuple[Numbers | None, tuple[str, ...]]
"""Group index of each row (n,), or None, and the names of the groups."""


@dataclass(frozen=True, eq=False)
class TableComponents:
    """Table with its components, computed both with and without scaling."""

    points: Cloud
    fitted: dict[bool, PrincipalComponents]  # for scaled columns (True) and for others (False)
    groups: dict[str, Groups]  # the groups of rows that have a colour, by column
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def values(self, scaled: bool) -> Doubles:
        """Return the table (n, d), each column divided by its standard deviation if ``scaled``."""
        spread = self.points.values.std(axis=0)
        return self.points.values / np.where((spread > 0) & scaled, spread, 1)


def prepare(points: Cloud, _tick: Tick) -> TableComponents:
    """Return the components of a table, the groups of its rows, and its cells as text."""
    words = dict(points.words)
    if points.labels is not None and not words:
        words = {"kind": points.labels}
    columns = dict(zip(points.columns, points.values.T, strict=True))
    most = min(MOST_LABELS, len(points) - 1)
    groups = {name: _by_words(cells) for name, cells in words.items() if len({*cells}) <= most}
    groups[_ONE] = (None, ())
    groups |= {name: _by_numbers(values) for name, values in columns.items()}
    numbers = [[with_minus(f"{value:.6g}") for value in row] for row in points.values.tolist()]
    texts = zip(*words.values(), strict=True) if words else [()] * len(points)
    rows = tuple(
        (str(at), *cells, *row)
        for at, (cells, row) in enumerate(zip(texts, numbers, strict=True), 1)
    )
    made = TableComponents(points, {}, groups, ("row", *words, *columns), rows)
    made.fitted.update({scaled: pca(made.values(scaled)) for scaled in (False, True)})
    return made


def _by_words(cells: tuple[str, ...]) -> Groups:
    """Return one group for each distinct text."""
    names = sorted({*cells}, key=natural_key)
    return np.array([names.index(cell) for cell in cells]), tuple(names)


def _by_numbers(values: Doubles) -> Groups:
    """Return one group for each distinct number, or three groups if there are many numbers."""
    different, groups = np.unique(values, return_inverse=True)
    if len(different) <= _VALUES:
        return groups, tuple(with_minus(f"{value:.4g}") for value in different)
    ends = np.quantile(different, (1 / 3, 2 / 3))
    low, high = (with_minus(f"{end:.3g}") for end in ends)
    return np.searchsorted(ends, values), (f"to {low}", f"{low} to {high}", f"over {high}")


def biplot(
    dots: tuple[fig.Dots, ...],
    loadings: Doubles,
    columns: tuple[str, ...],
    red: int = -1,
    **look: Any,
) -> fig.PlanePanel:
    """Draw rows as dots, and columns as arrows.

    ``loadings`` (d, 2) are the directions of the columns, and column ``red`` is drawn in red. All
    arrows are scaled alike, so that the longest reaches nearly as far as the farthest dot.
    """
    reach = max(float(np.abs(layer.at).max()) for layer in dots) or 1.0
    lengths = np.hypot(*loadings.T)
    ends = loadings * (_ALONG * reach / max(float(lengths.max()), 1e-300))
    longest = np.argsort(-lengths, kind="stable")
    arrows = [
        fig.arrows(
            ends[[column]],
            "contrast" if column == red else "main",
            columns[column].partition(" (")[0] if place < _NAMED_ARROWS else "",
        )
        for place, column in enumerate(longest.tolist())
    ]
    points = np.concatenate([ends, *(layer.at for layer in dots)])
    span = fig.PlanePanel((fig.Dots(points),)).ranges
    return fig.PlanePanel((*dots, *arrows), span=span, **look)


def picture(
    ready: TableComponents, scaled: bool, colour: str, named: bool, which: int
) -> fig.LessonPicture:
    """Draw the biplot and the table. ``which`` is the number of a row, counted from 1."""
    points, fitted = ready.points, ready.fitted[scaled]
    row = min(which, len(points)) - 1
    r = min(2, len(fitted.variances))
    first, lam = fitted.first(2), fitted.variances
    scores = np.pad(first.project(ready.values(scaled)), ((0, 0), (0, 2 - r)))
    loadings = np.pad((first.components * np.sqrt(lam[:2, None])).T, ((0, 0), (0, 2 - r)))
    shares = lam / lam.sum()
    groups, names = ready.groups.get(colour, next(iter(ready.groups.values())))
    known = points.names or points.labels or ()
    dots = fig.Dots(
        scores,
        labels=groups,
        names=names,
        tips=tuple(f"{name}, row {at}" for at, name in enumerate(known, 1)) or _row_names(points),
        words=points.names if named and points.names and len(points) <= _NAMED_DOTS else (),
        setting="which",
        chosen=row,
    )
    axes = [f"component {at} ({percent(share, 0)})" for at, share in enumerate(shares[:2], 1)]
    x, y = (*axes, "no second component")[:2]
    plane = biplot((dots,), loadings, points.columns, x=x, y=y)
    table = fig.RowsPanel(ready.head, ready.rows, "which", row)
    kept = percent(float(shares[:2].sum()), 0)
    note = f"{count(len(points.columns), 'column')}, {'scaled' if scaled else 'as they are'}"
    return fig.LessonPicture(
        fig.Drawing(
            "Rows and columns",
            ((plane,),),
            note,
            hint="click a dot or a row",
            key="arrows: the columns; colours: the groups of rows"
            if names
            else "arrows: the columns",
        ),
        fig.Drawing("The table", ((table,),), points.title),
        {"shares": shares, "scores": scores[:, :r], "loadings": loadings[:, :r]},
        {"kept": kept, "rows": count(len(points), "row")},
    )


def _row_names(points: Cloud) -> tuple[str, ...]:
    return tuple(f"row {at}" for at in range(1, len(points) + 1))


LISTING = """\
if scaled:
    spread = x.std(axis=0)
    x = x / np.where(spread > 0, spread, 1)
x = x - x.mean(axis=0)
_, s, v = np.linalg.svd(x, full_matrices=False)
lam = s**2 / len(x)
lam = lam[lam > 1e-10 * lam[0]]
v = v[: len(lam)]
largest = np.abs(v).round(6).argmax(axis=1)
v = v * np.sign(v[range(len(v)), largest])[:, None]  # signs are free
shares = lam / lam.sum()
scores = x @ v[:2].T  # a dot for each row
loadings = (v[:2] * np.sqrt(lam[:2, None])).T  # an arrow for each column
print(f"two components keep {shares[:2].sum():.1%}; the loadings:")
print(loadings.round(3))
"""

LESSON = Lesson(
    name="own-table",
    title="A table of your own",
    line="Rows as dots and columns as arrows, from any CSV",
    group="Laboratory",
    see=(
        "Each dot is one of {rows}. **Similar** rows lie near each other.",
        "Each arrow is a column. Rows far along an arrow have **large** values in its column. "
        "Columns whose arrows have the same direction **rise together**.",
        "Two components keep {kept} of the variance. The rest cannot be seen here.",
    ),
    formula="*X* − *m* ≈ *CU*ᵀ",
    why=(
        "A row of *C* has the two scores of a row of the table, and a row of *U* has the two "
        "loadings of a column. Their product is the best estimate of a cell from two numbers per "
        "row. The arrows are *U*√Λ. For scaled columns, they are the correlations with both "
        "components."
    ),
    steps=(
        Step("The length and width of petals grow together: their arrows nearly coincide.", {}),
        Step("Without scaling, the column that varies most decides.", {"scaled": False}),
        Step("Colour the dots by a column, such as sepal width.", {"colour": "sepal width"}),
        Step("Open your own table: a CSV file with a line of headings."),
    ),
    subjects=("iris", "bodies", "own-table"),
    controls=(
        Flag("scaled", "scaled", "every column is divided by its standard deviation", default=True),
        Choice(
            "colour", "Colour by", "the column that sets the colours of the dots", {}, default=""
        ),
        Flag("named", "names", "up to 100 dots show the names of their rows", default=True),
        Slide("which", "Row", "the marked row", 1, 1, 150, plays=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    picture_only=("colour", "named", "which"),
    limits=lambda ready: {
        "colour": {name: name for name in ready.groups},
        "which": len(ready.points),
        **({} if ready.points.names else {"named": None}),
    },
)
