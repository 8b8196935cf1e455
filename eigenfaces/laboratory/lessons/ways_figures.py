"""The figures of the lesson of three ways: what they agree on, signs, time and memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eigenfaces.laboratory.drawing import (
    BarsPanel,
    CurvesPanel,
    Dots,
    DrawnCurve,
    Ink,
    Panel,
    PicturesPanel,
    PlanePanel,
    Strokes,
    TablePanel,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.ways import (
    FIXED,
    SIZES,
    WAYS,
    WaysReady,
    in_bytes,
    in_time,
    memory,
)
from eigenfaces.space.arrays import Doubles

_INKS: Mapping[str, Ink] = {"Covariance": "contrast", "SVD": "main", "Gram trick": "good"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MATRICES = {
    "Covariance": "{d:,} × {d:,}",
    "SVD": "{d:,} × {n:,}",
    "Gram trick": "{n:,} × {n:,}",
}


def table(ready: WaysReady) -> TablePanel:
    """Return what the ways decompose, what that takes, and how far they differ."""
    n, d = ready.x.shape
    rows = tuple(
        (
            way,
            _MATRICES[way].format(n=n, d=d),
            in_bytes(memory(way, n, d)),
            *(_found(ready, way) if way in ready.gone else ("left out", "–", "–")),
        )
        for way in WAYS
    )
    left_out = (
        ""
        if len(ready.gone) == len(WAYS)
        else f"The covariance is left out: its {d:,} × {d:,} numbers take {in_bytes(8 * d * d)}."
    )
    return TablePanel(
        head=("Way", "Matrix", "Memory", "Time", "Σ differs", "V differs"),
        rows=rows,
        caption=left_out,
    )


def _found(ready: WaysReady, way: str) -> tuple[str, str, str]:
    time = in_time(ready.gone[way].seconds)
    if way == "SVD":
        return time, "–", "–"
    differ, angle = ready.agreement[way]
    return time, _power(differ), f"{_power(angle)} rad"


def _power(value: float) -> str:
    """Return a tiny number as “3·10⁻¹³”."""
    if not value:
        return "0"
    digit, _, power = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(power)).translate(_RAISED)}"


def components(
    ready: WaysReady, directions: Doubles, scores: Doubles, back: Doubles
) -> tuple[Panel, ...]:
    """Return the components, the scores of the first, and it put back; or points and scores."""
    k = ready.k
    if not isinstance(ready.subject, ImageSet):
        return _of_points(ready, directions)
    shape = ready.subject.shape
    pair = np.stack([ready.x[0], back]).reshape(2, *shape)
    return (
        PicturesPanel(
            title="The first components",
            caption="V: a sign is free",
            pictures=directions.T.reshape(-1, *shape),
            across=min(4, k),
            signed=True,
            weight=1.6,
        ),
        BarsPanel(
            title="Scores of the first",
            caption="a row of XV = UΣ",
            names=tuple(str(number) for number in range(1, k + 1)),
            values=scores,
        ),
        PicturesPanel(
            title="The first, put back",
            caption=f"from {k} of them",
            pictures=pair,
            across=2,
            signed=True,
            alike=True,
            words=("x", "UUᵀx"),
        ),
    )


def _of_points(ready: WaysReady, directions: Doubles) -> tuple[Panel, ...]:
    x = ready.x[:, :2]
    reach = 1.1 * float(np.linalg.norm(ready.x, axis=1).max())
    arrows = 0.6 * reach * directions[:2].T
    scores = ready.x @ directions
    if scores.shape[1] == 1:
        scores = np.column_stack([scores, np.zeros(len(scores))])
    span = ((-reach, reach), (-reach, reach))
    return (
        PlanePanel(
            title="Points and V",
            caption="the sign of an arrow is free",
            layers=(
                Dots(at=x),
                Dots(at=x[:1], ink="contrast"),
                Strokes(start=np.zeros_like(arrows), end=arrows, arrow=True),
            ),
            span=span,
        ),
        PlanePanel(
            title="Scores",
            caption="XV = UΣ; red: the first point",
            layers=(Dots(at=scores[:, :2]), Dots(at=scores[:1, :2], ink="contrast")),
            span=span,
        ),
    )


def curves(ready: WaysReady, over: int, *, in_memory: bool) -> CurvesPanel:
    """Return time or memory of each way over n (``over`` 0), or over d (1)."""
    sizes = np.array(SIZES, dtype=float)
    shapes = [(size, FIXED) if over == 0 else (FIXED, size) for size in SIZES]
    curves = tuple(
        DrawnCurve(
            name=way,
            x=sizes,
            y=(
                np.array([memory(way, *shape) / 1e6 for shape in shapes])
                if in_memory
                else 1000 * ready.times[way][over]
            ),
            ink=_INKS[way],
            dashed=way == "SVD",
        )
        for way in WAYS
    )
    grows, stays = ("n, points", "d") if over == 0 else ("d, numbers of each", "n")
    return CurvesPanel(
        title=f"More {'points' if over == 0 else 'numbers of each'}",
        curves=curves,
        x=f"{grows} ({stays} = {FIXED})",
        y="memory (MB)" if in_memory else "time (ms)",
        log_x=True,
        log_y=True,
    )
