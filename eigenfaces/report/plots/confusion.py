"""Who was taken for whom, drawn: as a matrix, or of many people the pairs most often confused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eigenfaces.evaluation.metrics import confusion
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.plots.plot import ACCENT, BORDER, TEXT, Plot, drawable, has_letters
from eigenfaces.text import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Counts = NDArray[np.intp]

MATRIX_UP_TO = 60
"""People up to which the whole matrix can be read."""

PAIRS_SHOWN = 20


def of_confusion(evaluation: Evaluation) -> list[Plot]:
    """Return the matrix, or the pairs; nothing of no searches, or of no confusion to be listed."""
    searches, people = evaluation.searches, evaluation.people
    if searches is None or not searches.mated.any():
        return []
    counts = confusion(searches, len(people))
    names = [drawable(name, number) for number, name in enumerate(people, start=1)]
    numbered = not all(map(has_letters, people))
    note = " “No.” stands before the number of a person in the table of people." * numbered
    asked = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    if len(asked) <= MATRIX_UP_TO:
        some = counts[np.ix_(asked, asked)]
        return [_matrix(some, [names[person] for person in asked], note)]
    np.fill_diagonal(counts, 0)
    return [_pairs(counts, names, note)] if counts.any() else []


def _matrix(counts: Counts, names: list[str], note: str) -> Plot:
    many = len(names)
    side = float(np.clip(1.6 + 0.135 * many, 3.2, 7.0))
    wrong = int(counts.sum() - np.trace(counts))

    def draw(axes: Axes) -> None:
        from matplotlib.collections import PolyCollection

        lines, columns = np.nonzero(counts)
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        squares = np.stack([columns, lines], axis=1)[:, None, :] + corners
        shares = counts[lines, columns] / counts.sum(axis=1)[lines]
        shades = [_shade(share) for share in shares]
        axes.add_collection(PolyCollection(list(squares), facecolors=shades, edgecolors="none"))
        size = float(np.clip(240 / many, 4.5, 8))
        for line, column, share in zip(lines.tolist(), columns.tolist(), shares, strict=True):
            if line != column or many <= 20:
                colour = "white" if share > 0.55 else TEXT
                number = str(counts[line, column])
                axes.text(
                    column, line, number, ha="center", va="center", fontsize=size, color=colour
                )
        axes.set(xlim=(-0.5, many - 0.5), ylim=(many - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(many), names, rotation=90, fontsize=size)
        axes.set_yticks(range(many), names, fontsize=size)
        axes.tick_params(length=0)
        axes.grid(color=BORDER, linewidth=0.3)
        axes.set_xlabel("Taken for")
        axes.set_ylabel("Who it is")

    return Plot(
        "confusion",
        "Who was taken for whom",
        f"Mated searches by who it is (line) and who came first (column); darker is a larger share "
        f"of the line, and numbers count searches. {_wrong(wrong, int(counts.sum()))}{note}",
        draw,
        (side, side),
    )


def _shade(share: float) -> tuple[float, float, float]:
    """Return a colour from near white to the accent."""
    from matplotlib.colors import to_rgb

    light, dark = np.array(to_rgb("#D6E6F5")), np.array(to_rgb(ACCENT))
    mixed = light + share * (dark - light)
    return float(mixed[0]), float(mixed[1]), float(mixed[2])


def _wrong(wrong: int, asked: int) -> str:
    if not wrong:
        return "Nobody was taken for anybody else."
    return f"{wrong:,} of {count(asked, 'search', 'searches')} named somebody else first."


def _pairs(wrong: Counts, names: list[str], note: str) -> Plot:
    order = np.argsort(-wrong, axis=None, kind="stable")[:PAIRS_SHOWN]
    pairs = [divmod(int(place), len(names)) for place in order]
    pairs = [(line, column) for line, column in pairs if wrong[line, column]]
    values = [int(wrong[line, column]) for line, column in pairs]

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        places = range(len(pairs))
        axes.barh(places, values, color=ACCENT, height=0.65)
        labels = [f"{names[line]} → {names[column]}" for line, column in pairs]
        axes.set_yticks(places, labels, fontsize=7.5)
        axes.set_ylim(len(pairs) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        for place, value in zip(places, values, strict=True):
            axes.annotate(str(value), (value, place), (3, 0), textcoords="offset points",
                          va="center", fontsize=7)  # fmt: skip
        axes.set_xlabel("Searches")

    return Plot(
        "confusion",
        "Most often confused",
        f"The pairs of people most often confused: who it is → who came first, of "
        f"{int(wrong.sum()):,} mistakes in all.{note}",
        draw,
        (5.6, max(1.6, 0.7 + 0.19 * len(pairs))),
    )
