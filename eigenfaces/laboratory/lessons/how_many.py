"""Lesson: how many components are enough: by variance, on pictures held out, by likelihood."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Drawing,
    DrawnCurve,
    LessonPicture,
    PicturesPanel,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.held_out import FromOthers, held_out
from eigenfaces.laboratory.lessons.lesson import Lesson, Slide, Suggestion
from eigenfaces.laboratory.lessons.subjects import Subject
from eigenfaces.text import Field, percent

_BELOW = 0.5
_HAIR = 0.001


@dataclass(frozen=True)
class HowManySettings:
    """The components that pictures are put back from; how much of the variance to keep, in %."""

    k: float = 10
    share: float = 99


def _controls(most: int) -> tuple[Field, ...]:
    return (
        Slide(
            name="k",
            label="Components k",
            about="how many numbers each picture is put back from",
            least=0,
            most=most,
            whole=True,
            plays=True,
        ),
        Slide(
            name="share",
            label="Share to keep",
            about="the share of the variance for which the fewest components are sought",
            least=50,
            most=99.9,
            step=0.1,
            unit="\N{NO-BREAK SPACE}%",
        ),
    )


def prepare(subject: Subject, tick: Tick) -> FromOthers:
    """Return what four methods leave of the pictures that are held out."""
    if not isinstance(subject, ImageSet):
        raise EigenfacesError("This lesson puts pictures back together. Choose some.")
    return held_out(subject.values, subject.shape, tick)


def picture(ready: FromOthers, settings: HowManySettings) -> LessonPicture:
    """Return held-out pictures put back from k numbers, and three answers to how many."""
    share = settings.share / 100
    k, fewest = min(int(settings.k), ready.most), ready.fewest(share)
    learned, kept = ready.counts
    components, _, random, pixels = ready.methods
    return LessonPicture(
        upper=Drawing(
            heading=f"Put back from {k} numbers each",
            note=f"learned from {learned:,}; {len(ready.examples)} of {kept:,} others",
            rows=(_rebuilt(ready, k),),
        ),
        lower=Drawing(
            heading="Three answers",
            note=f"k = {fewest} for {percent(share)}; k = {ready.likeliest} most likely",
            rows=((_variance(ready, share), _errors(ready, k), _likelihood(ready)),),
        ),
        numbers={
            "fewest": float(fewest),
            "by_components": components.left[k],
            "by_random": random.left[k],
            "by_pixels": pixels.left[k],
            "likelihoods": ready.likelihoods,
            "likeliest": float(ready.likeliest),
        },
        words={
            "fewest": f"{fewest} of {len(ready.found.variances)}",
            "asked": percent(share),
            "likeliest": f"{ready.likeliest}",
            "ahead": _ahead(ready),
        },
    )


def _ahead(ready: FromOthers) -> str:
    """Return up to which k components leave no more than each of the other methods, by a hair."""
    components, *others = ready.methods
    lead = np.array([components.left - each.left for each in others])
    behind = np.flatnonzero(lead.max(axis=0) > _HAIR)
    if len(behind) == 0:
        return "for every k"
    ahead = others[int(lead[:, behind[0]].argmax())].title.lower()
    return f"up to k = {behind[0] - 1}; then {ahead} are ahead, which need not be learned"


def _rebuilt(ready: FromOthers, k: int) -> tuple[PicturesPanel, ...]:
    shape = ready.shape
    return (
        PicturesPanel(
            title="Held out",
            caption="error left:",
            pictures=ready.examples.reshape(-1, *shape),
            across=1,
        ),
        *(
            PicturesPanel(
                title=method.title,
                caption=percent(method.left[k]),
                pictures=(method.rebuilt(k) + ready.found.mean).reshape(-1, *shape),
                across=1,
            )
            for method in ready.methods
        ),
    )


def _variance(ready: FromOthers, share: float) -> CurvesPanel:
    lam = ready.found.variances
    kept = np.append(0, np.cumsum(lam)) / lam.sum()
    fewest = ready.fewest(share)
    return CurvesPanel(
        title="Variance kept",
        curves=(DrawnCurve(name="P(k)", x=np.arange(1.0 + len(lam)), y=kept),),
        x="k",
        y="",
        percent=True,
        mark=(fewest, f"{fewest}"),
    )


def _errors(ready: FromOthers, k: int) -> CurvesPanel:
    number = np.arange(ready.most + 1.0)
    best = DrawnCurve(name="limit", x=number, y=ready.least, ink="faint", dashed=True)
    return CurvesPanel(
        title="Error left",
        curves=(
            *(
                DrawnCurve(
                    name=each.title.lower(),
                    x=number,
                    y=each.left,
                    ink=each.ink,
                    dashed=each.ink != "main",
                )
                for each in ready.methods
            ),
            best,
        ),
        x="k",
        y="",
        percent=True,
        mark=(k, f"{k}"),
        weight=1.7,
    )


def _likelihood(ready: FromOthers) -> CurvesPanel:
    """Return the likelihoods as far as they can be seen: the last ones may fall without end."""
    found = ready.likelihoods
    floor = found[0] - _BELOW * (found.max() - found[0])
    last = int(np.flatnonzero(found >= floor)[-1]) + 1
    return CurvesPanel(
        title="Log-likelihood",
        caption="" if last == len(found) else f"falls from {last} on",
        curves=(DrawnCurve(name="mean of a picture", x=np.arange(1.0, last + 1), y=found[:last]),),
        x="k",
        y="",
        mark=(ready.likeliest, f"{ready.likeliest}"),
    )


def _fewest(ready: FromOthers, settings: HowManySettings) -> HowManySettings:
    return replace(settings, k=min(ready.fewest(settings.share / 100), ready.most))


def _likeliest(ready: FromOthers, settings: HowManySettings) -> HowManySettings:
    return replace(settings, k=ready.likeliest)


LISTING = """\
order, d = np.random.default_rng(0).permutation(len(x)), x.shape[1]
others, x = x[order[: len(x) // 5]], x[order[len(x) // 5 :]]
mean = x.mean(axis=0)
x, y = x - mean, others - mean
s, ut = np.linalg.svd(x, full_matrices=False)[1:]
lam = s[s > 1e-5 * s[0]] ** 2 / len(x)
ut, r, k = ut[: len(lam)], len(lam), min(int(k), len(lam) - 1)
fewest = 1 + np.searchsorted(np.cumsum(lam) / lam.sum(), share / 100 - 1e-9)
by_components = 1 - np.sum((y @ ut[:k].T) ** 2) / np.sum(y**2)
q = np.linalg.qr(np.random.default_rng(0).normal(size=(d, r)))[0]
by_random = 1 - np.sum((y @ q[:, :k]) ** 2) / np.sum(y**2)
pixels = np.argsort(-x.var(axis=0), kind="stable")
by_pixels = 1 - np.sum(y[:, pixels[:k]] ** 2) / np.sum(y**2)
ks, inside = np.arange(1, r), np.mean((y @ ut.T) ** 2, axis=0)
noise = np.cumsum(lam[::-1])[::-1][1:] / (d - ks)  # in every direction left
along = np.cumsum(np.log(2 * np.pi * lam) + inside / lam)[:-1]
left = np.mean(np.sum(y**2, axis=1)) - np.cumsum(inside)[:-1]
likelihoods = -0.5 * (along + (d - ks) * np.log(2 * np.pi * noise) + left / noise)
likeliest = ks[likelihoods.argmax()]
print(f"{share:.1f} % at k = {fewest}; likeliest {likeliest}; left {by_components:.1%}")
"""

HOW_MANY = Lesson(
    name="how-many",
    title="How many",
    line="Share of variance, and likelihood",
    group="Numbers",
    see=(
        "The fewest components that keep {asked} of the variance are <b>{fewest}</b>.",
        "On pictures held out they leave less error than as many random directions, pixels or "
        "cosines, {ahead}; nothing linear is below the pale <b>limit</b>.",
        "As a <b>probability</b>, held-out pictures are likeliest with {likeliest}: after that the "
        "components describe only the pictures that they were learned from.",
    ),
    formula="P(<i>k</i>) = Σ<sub>i≤k</sub> λ<sub>i</sub> / Σ λ<sub>i</sub>,   "
    "log <i>p</i>(<i>x</i>) = −‖<i>x</i> − <i>x̂</i>‖² / 2σ² + …",
    why=(
        "Eckart and Young: no matrix of rank k is nearer to the data than the first k components "
        "make it. If what is left is Gaussian noise, equal in all directions, least squares is "
        "greatest likelihood; with the noise σ² = the mean of the λ that are left (Tipping and "
        "Bishop) each k has a likelihood, and others’ pictures tell which is too large."
    ),
    tries=(
        "Let k run: when can you read the pictures, with components and with pixels?",
        "Ask for 90 % instead of 99 %: how many fewer are enough?",
        "Compare components and cosines on digits and on patches.",
    ),
    subjects=("digits", "patches", "gallery", "opened"),
    settings=HowManySettings(),
    controls=_controls(400),
    fitted=lambda ready: _controls(ready.most),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(title="k for the share", about="As many as the share needs", apply=_fewest),
        Suggestion(title="Most likely", about="As many as are most likely", apply=_likeliest),
    ),
)
