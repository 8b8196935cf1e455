"""Lesson: a table of six features that hold only two; the components show which are vacuous."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import decomposed
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide
from eigenfaces.lessons.subjects import Cloud, Subject
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count

_COPY = 2  # the column of which one cell is disturbed
_ROUNDING = 1e-9
_SEEN = 0.005


@dataclass(frozen=True)
class TableSettings:
    """How far one cell is off, and the number of components that the table is put back from."""

    off: float = slide(0.0, "A cell is off by", 0, 2, step=0.1)
    k: float = slide(2, "Components k", 0, 6, whole=True, plays=True)


@dataclass(frozen=True, eq=False)
class TableFeatures:
    """Those of d columns that are needed (q,), shares (d, q) that all have of these, constants."""

    needed: list[int]
    shares: Doubles
    constants: Doubles

    @classmethod
    def of(cls, x: Doubles) -> TableFeatures:
        """Return what each column of a table (n, d) is: needed, if the rank grows with it, or not.

        As the needed ones are independent, there is one way only to make the others of them.
        """
        mean, needed = x.mean(axis=0), list[int]()
        for column in range(x.shape[1]):
            if np.linalg.matrix_rank((x - mean)[:, [*needed, column]]) > len(needed):
                needed.append(column)
        shares = np.linalg.lstsq((x - mean)[:, needed], x - mean)[0].T
        return cls(needed, shares, mean - shares @ mean[needed])

    def told(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return what each feature is, for people."""
        said = []
        for column, (shares, constant) in enumerate(zip(self.shares, self.constants, strict=True)):
            terms = [*zip(shares, (names[each] for each in self.needed), strict=True)]
            parts = [_term(share, name) for share, name in terms if abs(share) > _ROUNDING]
            if parts and abs(constant) > _ROUNDING:
                parts.append(_term(constant, ""))
            made = "= " + " ".join(parts).removeprefix("+ ") if parts else f"always {constant:g}"
            said.append("needed" if column in self.needed else made)
        return tuple(said)


def _term(share: float, name: str) -> str:
    sign, size = "−" if share < 0 else "+", f"{abs(share):.3g}"
    if not name:
        return f"{sign} {size}"
    return f"{sign} {name}" if size == "1" else f"{sign} {size} × {name}"


def picture(subject: Subject, settings: TableSettings) -> fig.LessonPicture:
    """Return the table put back from k components, what its features are, and V."""
    names = subject.columns if isinstance(subject, Cloud) else ()
    x, k = subject.values.copy(), int(settings.k)
    x[0, _COPY] += settings.off
    found = decomposed(x)
    (rank, d), v = found.components.shape, found.components
    singular = np.pad(np.sqrt(len(x) * found.variances), (0, d - rank))
    back = found.coordinates(x)[:, :k] @ v[:k] + found.mean
    features = TableFeatures.of(x)
    dropped = [name for column, name in enumerate(names) if column not in features.needed]
    most = float(np.abs(back - x).max())
    panels = (
        fig.BarsPanel(
            title="Singular values",
            caption=f"{rank} above 0",
            names=tuple(f"{number}" for number in range(1, d + 1)),
            values=singular,
        ),
        fig.MatrixPanel(
            title="V of these",
            caption="a row for each feature",
            values=np.where(np.abs(v.T) < _ROUNDING, 0.0, v.T),
            rows=names,
            columns=tuple(f"v{each}" for each in "₁₂₃₄₅₆"[:rank]),
            numbers=True,
            most=1,
        ),
        fig.TablePanel(
            title="Features",
            caption="by elimination",
            head=("Feature", "What it is"),
            rows=tuple(zip(names, features.told(names), strict=True)),
            strong=tuple(features.needed),
            weight=1.3,
        ),
    )
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading="A table with seven rows",
            note=f"{count(len(names), 'feature')}, rank {rank}",
            rows=((_cells(x, back, names, k),),),
        ),
        lower=fig.Drawing(
            heading="What the components show",
            note=f"put back from {k}: "
            + ("exact" if most < _ROUNDING else f"up to {most:.2f} off"),
            rows=(panels,),
            key="blue: needed; the others can be dropped without loss",
        ),
        numbers={
            "singular": singular,
            "rank": float(rank),
            "needed": np.array(features.needed, dtype=float),
            "back": back,
        },
        words={"rank": f"{rank}", "dropped": ", ".join(dropped)},
    )


def _cells(x: Doubles, back: Doubles, names: tuple[str, ...], k: int) -> fig.TablePanel:
    same = np.abs(back - x) < _SEEN
    rows = [
        [
            f"{cell:g}" if alike else f"{cell:g} → {put:.2f}".replace("-", "−")
            for cell, put, alike in zip(*row, strict=True)
        ]
        for row in zip(x, back, same, strict=True)
    ]
    what = count(k, "component")
    return fig.TablePanel(
        head=("row", *names),
        rows=tuple((str(number), *row) for number, row in enumerate(rows, 1)),
        caption=f"put back from {what}, every cell is as it was"
        if same.all()
        else f"cell → what it is when put back from {what}",
    )


LISTING = """\
x = x.copy()
x[0, 2] += off
mean = x.mean(axis=0)
s, singular, vt = np.linalg.svd(x - mean, full_matrices=False)
rank = np.linalg.matrix_rank(x - mean)
needed = []  # a feature is needed if the rank grows with it
for j in range(x.shape[1]):
    if np.linalg.matrix_rank((x - mean)[:, [*needed, j]]) > len(needed):
        needed.append(j)
back = (s * singular)[:, : int(k)] @ vt[: int(k)] + mean
print(f"rank {rank}; needed: {needed}; singular values {singular.round(2)}")
print(f"put back from {int(k)}: {np.abs(back - x).max():.2g} off at most")
"""

TABLE = Lesson(
    name="table",
    title="A table with seven rows",
    line="Copies, sums, constants: rank 2",
    group="Directions",
    see=(
        "Copies, multiples, sums and constants add columns, but <b>nothing new</b>.",
        "There are as many singular values above 0 as there is in the table: its <b>rank</b>, "
        "{rank}.",
        "What holds between the features holds between the <b>rows of <i>V</i></b>: a copy has the "
        "same row, a sum the sum of two, a constant has zeros.",
    ),
    formula="<i>X</i> − mean = <i>USV</i>ᵀ, rank = number of <i>s<sub>i</sub></i> ≠ 0",
    why=(
        "If a feature is a sum of others, minus the mean it is so in every row, and so in every "
        "direction that the rows span. A constant minus its mean is 0. So {rank} components put "
        "the whole table back; {dropped} can be dropped."
    ),
    tries=(
        "Put the table back from <i>k</i> = 1, then 2: with 2 every cell is right again.",
        "Let one cell be off by 0.1: time is no copy of hours any more, and the rank is 3.",
        "Look for points: its row of <i>V</i> is that of hours and that of pages together.",
    ),
    subjects=("table",),
    settings=TableSettings(),
    about={
        "off": "what is added to the first cell of the third feature, as if by a slip",
        "k": "how many components the table is put back from",
    },
    prepare=lambda subject, _tick: subject,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion("A slip", "Let one cell of the copy be off by 1", {"off": 1.0}),
        Suggestion("k = 1", "Put the table back from one component", {"k": 1}),
    ),
)
