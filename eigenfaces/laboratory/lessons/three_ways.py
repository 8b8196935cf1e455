"""Lesson: covariance, singular value decomposition and Gram matrix give the same components."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.drawing import Drawing, LessonPicture
from eigenfaces.laboratory.lessons.decomposed import upright
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion, yes_or_no
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.laboratory.lessons.ways import (
    LARGEST_COVARIANCE,
    RUNS,
    SHOWN,
    TOLERANCE,
    WAYS,
    WaysReady,
    agreement_of,
    go,
    measured,
    sane,
)
from eigenfaces.laboratory.lessons.ways_figures import components, curves, table
from eigenfaces.text import Field

MOST_POINTS = 600
"""As many are decomposed: the Gram matrix has a row for each."""


@dataclass(frozen=True)
class WaysSettings:
    """The number of a component whose sign is turned round, 0 for none; memory or time."""

    flip: float = 0
    memory: bool = False


def _controls(most: int) -> tuple[Field, ...]:
    return (
        Slide(
            name="flip",
            label="Flip component",
            about="the number of the component whose sign is turned round; 0: none",
            least=0,
            most=most,
            whole=True,
        ),
        yes_or_no("memory", "memory", "the curves show memory, not time"),
    )


def prepare(subject: Subject, tick: Tick) -> WaysReady:
    """Go all ways that can be gone, and measure them on other sizes."""
    if len(subject) < 2:
        raise EigenfacesError("A lesson needs at least two points.")
    values = subject.values[:MOST_POINTS]
    x = values - values.mean(axis=0)
    if not np.abs(x).max() > TOLERANCE**2 * (1 + np.abs(values).max()):
        raise EigenfacesError("All are alike, so they have no components. Choose others.")
    tick(0, 2)
    ways = [way for way in WAYS if sane(way, x.shape[1])]
    gone = {}
    for number, way in enumerate(ways):
        part_of(tick, 0, 2)(number, len(ways))
        gone[way] = go(way, x)
    agreement = {way: agreement_of(gone["SVD"], each) for way, each in gone.items()}
    return WaysReady(subject, x, gone, agreement, measured(part_of(tick, 1, 2)))


def fitted(ready: WaysReady) -> tuple[Field, ...]:
    """Return the controls: as many components to flip as are shown."""
    return _controls(ready.k)


def picture(ready: WaysReady, settings: WaysSettings) -> LessonPicture:
    """Return what the ways agree on, the components with their signs, and what each takes."""
    n, d = ready.x.shape
    signs = np.ones(ready.k)
    flip = int(min(settings.flip, ready.k))
    signs[flip - 1 : flip] = -1
    directions = upright(ready.gone["SVD"].directions[:, : ready.k]) * signs
    scores = ready.x[0] @ directions
    back = directions @ scores
    differ, angle = (max(each[at] for each in ready.agreement.values()) for at in (0, 1))
    return LessonPicture(
        upper=Drawing(
            heading="One answer, three ways",
            note=f"{n:,} × {d:,}, rank {ready.rank}",
            rows=((table(ready),), components(ready, directions, scores, back)),
            weights=(2, 3),
        ),
        lower=Drawing(
            heading="Memory of each way" if settings.memory else "Time of each way",
            note=(
                "all arrays at once, computed"
                if settings.memory
                else f"one core, the quickest of {RUNS} runs: they vary"
            ),
            rows=(tuple(curves(ready, over, in_memory=settings.memory) for over in (0, 1)),),
        ),
        numbers={
            "rank": float(ready.rank),
            "singular": ready.gone["SVD"].singular[: ready.rank],
            "differ": differ,
            "angle": angle,
            "put_back": back,
        },
    )


def _flip_first(_ready: WaysReady, settings: WaysSettings) -> WaysSettings:
    return replace(settings, flip=0 if settings.flip else 1)


LISTING = f"""\
x = x[:{MOST_POINTS}] - x[:{MOST_POINTS}].mean(axis=0)
v, singular, u = np.linalg.svd(x.T, full_matrices=False)
rank = np.sum(singular > 1e-6 * singular[0])
k = min(8, rank)
singular, v = singular[:rank], v[:, :k]
squares, left = np.linalg.eigh(x @ x.T)  # the Gram trick, n × n
values = np.sqrt(squares[::-1][:rank])
ways = [(values, x.T @ left[:, ::-1][:, :k] / values[:k])]
if x.shape[1] <= {LARGEST_COVARIANCE}:  # n times the covariance, d × d
    squares, directions = np.linalg.eigh(x.T @ x)
    ways.append((np.sqrt(squares[::-1][:rank]), directions[:, ::-1][:, :k]))
differ = max(np.abs(values - singular).max() for values, _ in ways)
angle = max(np.arcsin(np.linalg.norm(w - v @ (v.T @ w), 2)) for _, w in ways)
v[:, max(0, int(flip) - 1) : int(flip)] *= -1
scores = x @ v  # UΣ, but for the sign
put_back = scores[0] @ v.T
print(f"singular values differ by {{differ:.0e}}, directions by {{angle:.0e}} rad")
"""

THREE_WAYS = Lesson(
    name="three-ways",
    title="One answer, three ways",
    line="Covariance, SVD and the Gram trick",
    group="Numbers",
    see=(
        "Eigenvectors of the covariance, the SVD of the data and the <b>Gram trick</b> find the "
        "same components, to rounding.",
        "They differ in time and memory: one has a matrix of <i>d</i> × <i>d</i> numbers, one of "
        "<i>n</i> × <i>n</i>.",
        "A component and its <b>negative</b> are the same direction: scores change their sign "
        "with it, what is put back does not.",
    ),
    formula="<i>X</i>ᵀ<i>X</i> = <i>V</i>Σ²<i>V</i>ᵀ, <i>XX</i>ᵀ = <i>U</i>Σ²<i>U</i>ᵀ",
    why=(
        "With <i>X</i> = <i>U</i>Σ<i>V</i>ᵀ these follow, and scores: <i>XV</i> = <i>U</i>Σ. "
        "From <i>XX</i>ᵀ<i>u</i> = <i>s</i>²<i>u</i> comes <i>v</i> = <i>X</i>ᵀ<i>u</i>/<i>s</i>. "
        "Squares lose half of the digits: below 10<sup>−8</sup> of the largest, only the SVD finds "
        "a singular value."
    ),
    tries=(
        "Flip a component: its picture and its score turn round, the put back one stays.",
        "See how time grows with <i>n</i>, and how with <i>d</i>: which way is steep where?",
        "Look at the memory; then take the gallery, with thousands of pixels to a photo.",
    ),
    subjects=("digits", "patches", "cloud", "gallery", "opened"),
    settings=WaysSettings(),
    controls=_controls(SHOWN),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            title="Flip the first", about="Turn the first component round", apply=_flip_first
        ),
    ),
    slow=True,
    fitted=fitted,
)
