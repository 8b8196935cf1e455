"""Lesson: components show which features of a table are redundant."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import fix_signs
from eigenfaces.lessons.lesson import Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, with_minus

_ROUNDING = 1e-9
_VISIBLE = 0.005


def decompose(
    x: Doubles, off: float, k: float
) -> tuple[Doubles, Doubles, Doubles, int, list[int], Doubles]:
    """Return the table, singular values, directions, rank, needed columns, and rebuilt table."""
    x = x.copy()
    x[0, 2] += off
    mean = x.mean(axis=0)
    s, singular, vt = np.linalg.svd(x - mean, full_matrices=False)
    rank = np.linalg.matrix_rank(x - mean)
    needed: list[int] = []  # a feature is needed if the rank grows with it
    for j in range(x.shape[1]):
        if np.linalg.matrix_rank((x - mean)[:, [*needed, j]]) > len(needed):
            needed.append(j)
    back = (s * singular)[:, : int(k)] @ vt[: int(k)] + mean
    return x, singular, vt, int(rank), needed, back


def column_formulas(x: Doubles, needed: list[int], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a formula, as text, for each feature of a table (n, d).

    The needed features are linearly independent, so the formulas of the others are unique.
    """
    mean, formulas = x.mean(axis=0), []
    shares = np.linalg.lstsq((x - mean)[:, needed], x - mean)[0].T
    constants = mean - shares @ mean[needed]
    for column, constant in enumerate(constants):
        formula = ""
        for share, name in zip([*shares[column], constant], [*needed, None], strict=True):
            if abs(share) > _ROUNDING and (name is not None or formula):
                size = f"{abs(share):.3g}"
                factor = "" if size == "1" else f"{size} × "
                formula += f" {'−' if share < 0 else '+'} "
                formula += size if name is None else f"{factor}{names[name]}"
        made = f"= {formula.removeprefix(' + ').strip()}" if formula else f"always {constant:g}"
        formulas.append("needed" if column in needed else made)
    return tuple(formulas)


def picture(subject: Cloud, off: float, k: float) -> fig.LessonPicture:
    """Draw the table rebuilt from k components, the formulas of its features, and Vᵀ."""
    names = subject.columns
    x, singular, _, rank, needed, back = decompose(subject.values, off, k)
    most = float(np.abs(back - x).max())
    formulas = column_formulas(x, needed, names)
    cells = [("", *formulas)]
    for number, (row, rebuilt) in enumerate(zip(x.tolist(), back.tolist(), strict=True), 1):
        texts = (
            f"{cell:g}" if abs(new - cell) < _VISIBLE else with_minus(f"{cell:g} → {new:.2f}")
            for cell, new in zip(row, rebuilt, strict=True)
        )
        cells.append((str(number), *texts))
    source = count(int(k), "component")
    caption = f"a changed cell shows its value → the value rebuilt from {source}"
    if most < _VISIBLE:
        caption = f"rebuilt from {source}, every cell has its old value"
    table = fig.TablePanel(("", *names), tuple(cells), (0,), caption=caption)
    exact = "exact" if most < _ROUNDING else f"off by up to {most:.2f}"
    note = f"{count(len(names), 'feature')}, rank {rank}; rebuilt from {int(k)}: {exact}"
    return fig.LessonPicture(
        fig.Drawing("A table that says things twice", ((table,), _factors(x, names)), note),
        numbers={"singular": singular, "rank": rank, "needed": np.array(needed), "back": back},
        words={
            "rank": f"{rank}",
            "dropped": ", ".join(name for j, name in enumerate(names) if j not in needed),
        },
    )


def _factors(x: Doubles, names: tuple[str, ...]) -> tuple[fig.Panel, fig.Panel]:
    """Draw the singular values of a table, and the rows of Vᵀ for the non-zero values."""
    _, singular, vt, rank, _, _ = decompose(x, 0, 0)
    numbers, above = tuple(map(str, range(1, len(singular) + 1))), f"{rank} above 0"
    singular = np.where(np.arange(len(singular)) < rank, singular, 0.0)
    bars = fig.BarsPanel(numbers, singular, title="Singular values", caption=above)
    vt = fix_signs(vt[:rank].T).T
    vt = np.where(np.abs(vt) < _ROUNDING, 0.0, vt)
    rows = tuple(f"v{i}" for i in "₁₂₃₄₅₆"[:rank])
    look: dict[str, Any] = {"title": "Their rows of Vᵀ", "most": 1, "weight": 1.6}
    return bars, fig.MatrixPanel(vt, rows, names, numbers=True, **look)


LISTING = """\
x = x.copy()
x[0, 2] += off
mean = x.mean(axis=0)
s, singular, vt = np.linalg.svd(x - mean, full_matrices=False)
rank = np.linalg.matrix_rank(x - mean)
needed: list[int] = []  # a feature is needed if the rank grows with it
for j in range(x.shape[1]):
    if np.linalg.matrix_rank((x - mean)[:, [*needed, j]]) > len(needed):
        needed.append(j)
back = (s * singular)[:, : int(k)] @ vt[: int(k)] + mean
print(f"rank {rank}; needed: {needed}; singular values {singular.round(2)}")
print(f"rebuilt from {int(k)}: off by at most {np.abs(back - x).max():.2g}")
"""

LESSON = Lesson(
    name="table",
    title="A table that says things twice",
    line="Copies, sums and constants have rank 2",
    group="Directions",
    see=(
        "Copies, multiples, sums and constants add columns, but **nothing new**.",
        "The number of singular values above 0 is the **rank** of the table: {rank}.",
        "The **columns of *V*ᵀ** have the same relations as the features: a copy has the same "
        "column, a sum has the sum of two columns, and a constant has zeros.",
    ),
    formula="*X* − mean = *USV*ᵀ, rank = number of *s<sub>i</sub>* ≠ 0",
    why=(
        "A feature that is a sum of others is their sum in every row, also after the means are "
        "subtracted, and so in every direction that the rows span. A constant minus its mean is "
        "0. So {rank} components rebuild the whole table, and {dropped} can be dropped."
    ),
    steps=(
        Step("The mean and two components rebuild all six columns.", {"k": 2}),
        Step("Rebuild the table with *k* = 1: many cells are wrong.", {"k": 1}),
        Step("Make one cell wrong: time is no longer a copy, and the rank is 3.", {"off": 1}),
        Step("Find points: its column of *V*ᵀ is the sum of the columns of hours and pages."),
    ),
    question=Question(
        "How many of the six columns does this table need?", ("two", "four", "six"), 0
    ),
    subjects=("table",),
    controls=(
        Slide(
            "off", "A cell is off by", "how much is added to the first cell of time", 0.0, 0, 2, 0.1
        ),
        Slide("k", "Components k", "how many components rebuild the table", 2, 0, 6, plays=True),
    ),
    prepare=lambda subject, _tick: subject,
    picture=picture,
    listing=LISTING,
)
