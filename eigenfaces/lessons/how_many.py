"""Lesson: how many components are enough: by variance, on pictures held out, by likelihood.

C. Eckart and G. Young, *The approximation of one matrix by another of lower rank* (1936); M. E.
Tipping and C. M. Bishop, *Probabilistic principal component analysis* (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.figures import pictures
from eigenfaces.lessons.lesson import Lesson, Suggestion, slide
from eigenfaces.lessons.subjects import Subject, pictures_of
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import percent

_EXAMPLES = (0.5, 0.75, 0.95)  # where they stand among all, by how much there is to be seen
_BELOW = 0.5
_HAIR = 0.001


@dataclass(frozen=True)
class HowManySettings:
    """The components that pictures are put back from; how much of the variance to keep, in %."""

    k: float = slide(10, "Components k", 0, 400, whole=True, plays=True)
    share: float = slide(99, "Share to keep", 50, 99.9, step=0.1, unit="\N{NO-BREAK SPACE}%")


@dataclass(frozen=True, eq=False)
class Method:
    """A way to put pictures back from k numbers each: their first k coordinates.

    ``coordinates`` (m, …) are those of the examples, ``back`` makes pictures (m, d) without the
    mean of the first k of them. ``left`` (r,) is the share of the held-out pictures’ squared
    distance from the mean that is left after 0 … r − 1 numbers.
    """

    title: str
    ink: fig.Ink
    left: Doubles
    coordinates: Doubles
    back: Callable[[Doubles], Doubles]

    def rebuilt(self, k: int) -> Doubles:
        """Return the examples (m, d) from k numbers, without the mean."""
        return self.back(self.coordinates[:, :k])


@dataclass(frozen=True, eq=False)
class FromOthers:
    """What four methods make of pictures that they have not seen.

    ``found`` are the components of the pictures learned from, ``examples`` (m, d) some held out;
    ``counts`` is how many of both there are. ``least`` (r,) is what the best k directions of the
    held-out pictures themselves would leave: by Eckart and Young, no method leaves less.
    ``likelihoods`` (r − 1,) are the mean log-likelihoods of a held-out picture with 1 … r − 1
    components.
    """

    found: Decomposed
    examples: Doubles
    methods: tuple[Method, ...]
    least: Doubles
    likelihoods: Doubles
    shape: tuple[int, ...]
    counts: tuple[int, int]

    @property
    def most(self) -> int:
        """The largest k that leaves any variance for noise."""
        return len(self.likelihoods)

    @property
    def likeliest(self) -> int:
        """The k for which held-out pictures are most likely."""
        return int(self.likelihoods.argmax()) + 1

    def fewest(self, percent_kept: float) -> int:
        """Return the smallest k whose components keep a share of the variance, in %."""
        lam = self.found.variances
        return fewest_components(np.cumsum(lam) / lam.sum(), percent_kept / 100)


def split(n: int) -> tuple[Numbers, Numbers]:
    """Return the pictures to learn from and the fifth that is held out, drawn by a seed."""
    order = np.random.default_rng(0).permutation(n)
    return order[n // 5 :], order[: n // 5]


def held_out(values: Doubles, shape: tuple[int, ...], tick: Tick) -> FromOthers:
    """Return what is left of pictures held out; `EigenfacesError` if there are too few."""
    if len(values) < 5:
        raise EigenfacesError("One picture in five is held out. Choose at least five pictures.")
    learned, kept = split(len(values))
    by_contrast = kept[np.argsort(values[kept].std(axis=1), kind="stable")]
    places = list(dict.fromkeys(int(share * len(kept)) for share in _EXAMPLES))
    kept = np.append(by_contrast[places], np.delete(by_contrast, places))  # the examples first
    found = decomposed(values[learned], part_of(tick, 0, 3))
    r = len(found.variances)
    if r < 2:
        raise EigenfacesError("These pictures differ in one way only. Choose more of them.")
    x, y = values[learned] - found.mean, values[kept] - found.mean
    energy = float((y**2).sum())
    inside = y @ found.components.T
    tick(4, 9)

    def left(energies: Doubles) -> Doubles:
        return np.maximum(1 - np.append(0, np.cumsum(energies))[:r] / energy, 0)

    def method(title: str, ink: fig.Ink, at: Doubles, back: Callable[[Doubles], Doubles]) -> Method:
        return Method(title, ink, left((at**2).sum(axis=0)), at[: len(_EXAMPLES)], back)

    def picked(title: str, ink: fig.Ink, turned: Callable[..., Doubles]) -> Method:
        """Keep the k of d numbers that have most variance where it learned."""
        order = np.argsort(-(turned(x) ** 2).sum(axis=0), kind="stable")

        def rebuilt(some: Doubles) -> Doubles:
            every = np.zeros((len(some), x.shape[1]))
            every[:, order[: some.shape[1]]] = some
            return turned(every, back=True)

        return method(title, ink, turned(y)[:, order], rebuilt)

    chosen = orthonormal(np.random.default_rng(0).normal(size=(x.shape[1], r)).T)
    methods = (
        method("Components", "main", inside, lambda at: at @ found.components[: at.shape[1]]),
        picked("Cosines", "good", partial(_cosines, shape)),
        method("Random", "contrast", y @ chosen.T, lambda at: at @ chosen[: at.shape[1]]),
        picked("Pixels", "grey", lambda rows, **_more: rows),
    )
    tick(6, 9)
    own = np.linalg.eigvalsh(y @ y.T if len(y) < x.shape[1] else y.T @ y)[::-1][:r]
    tick(8, 9)
    return FromOthers(
        found=found,
        examples=values[kept[: len(_EXAMPLES)]],
        methods=methods,
        least=left(np.pad(own, (0, r - len(own)))),
        likelihoods=log_likelihoods(
            found.variances, (inside**2).mean(axis=0), energy / len(y), x.shape[1]
        ),
        shape=shape,
        counts=(len(x), len(y)),
    )


def _cosines(shape: tuple[int, ...], rows: Doubles, *, back: bool = False) -> Doubles:
    """Return pictures (n, d) as cosines (n, d), each colour for itself, or the way back."""
    from scipy.fft import dctn, idctn

    turned = (idctn if back else dctn)(rows.reshape(-1, *shape), axes=(1, 2), norm="ortho")
    return turned.reshape(len(rows), -1)


def log_likelihoods(variances: Doubles, inside: Doubles, length: float, d: int) -> Doubles:
    """Return the mean log-likelihood (r − 1,) of pictures under 1 … r − 1 components and noise.

    Probabilistic PCA: along the first k components the variance is λ (r,), along the other d − k it
    is the mean of what is left, which is the most likely noise. Of the pictures (n, d) that are
    looked at, ``inside`` (r,) is the mean of the squared coordinates, ``length`` that of their
    squared distance from the mean.
    """
    k = np.arange(1, len(variances))
    noise = np.cumsum(variances[::-1])[::-1][1:] / (d - k)
    along = np.cumsum(np.log(variances) + inside / variances)[:-1]
    left = length - np.cumsum(inside)[:-1]
    return -0.5 * (d * np.log(2 * np.pi) + along + (d - k) * np.log(noise) + left / noise)


def orthonormal(rows: Doubles) -> Doubles:
    """Return orthonormal rows (r, d) of which the first k span what the first k given ones span.

    By Cholesky, twice for its rounding: unlike ``numpy.linalg.qr`` it lets the window go on.
    """
    for _ in range(2):
        rows = np.linalg.inv(np.linalg.cholesky(rows @ rows.T)) @ rows
    return rows


def prepare(subject: Subject, tick: Tick) -> FromOthers:
    """Return what four methods leave of the pictures that are held out."""
    images = pictures_of(subject)
    return held_out(images.values, images.shape, tick)


def picture(ready: FromOthers, settings: HowManySettings) -> fig.LessonPicture:
    """Return held-out pictures put back from k numbers, and three answers to how many."""
    k, fewest = min(int(settings.k), ready.most), ready.fewest(settings.share)
    asked = percent(settings.share / 100)
    learned, kept = ready.counts
    components, _, random, pixels = ready.methods
    rebuilt = tuple(
        pictures(each.rebuilt(k) + ready.found.mean, ready.shape, each.title, percent(each.left[k]))
        for each in ready.methods
    )
    examples = pictures(ready.examples, ready.shape, "Held out", "error left:")
    return fig.LessonPicture(
        upper=fig.Drawing(
            heading=f"Put back from {k} numbers each",
            note=f"learned from {learned:,}; {len(ready.examples)} of {kept:,} others",
            rows=((examples, *rebuilt),),
        ),
        lower=fig.Drawing(
            heading="Three answers",
            note=f"k = {fewest} for {asked}; k = {ready.likeliest} most likely",
            rows=(_answers(ready, k, fewest),),
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
            "asked": asked,
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


def _answers(ready: FromOthers, k: int, fewest: int) -> tuple[fig.CurvesPanel, ...]:
    """Return variance, errors, and likelihoods as far as they can be seen, over k."""
    lam, found = ready.found.variances, ready.likelihoods
    kept = np.append(0, np.cumsum(lam)) / lam.sum()
    floor = found[0] - _BELOW * (found.max() - found[0])
    last = int(np.flatnonzero(found >= floor)[-1]) + 1  # the last ones may fall without end
    x = np.arange(ready.most + 1.0)
    errors = [
        fig.DrawnCurve(
            name=each.title.lower(), x=x, y=each.left, ink=each.ink, dashed=each.ink != "main"
        )
        for each in ready.methods
    ]
    errors.append(fig.DrawnCurve(name="limit", x=x, y=ready.least, ink="faint", dashed=True))
    variance = fig.DrawnCurve(name="P(k)", x=np.arange(1.0 + len(lam)), y=kept)
    mean = fig.DrawnCurve(name="mean of a picture", x=np.arange(1.0, last + 1), y=found[:last])
    panel = fig.CurvesPanel(curves=(variance,), x="k", y="", percent=True)
    return (
        replace(panel, title="Variance kept", mark=(fewest, f"{fewest}")),
        replace(panel, title="Error left", curves=tuple(errors), mark=(k, f"{k}"), weight=1.7),
        replace(
            panel,
            title="Log-likelihood",
            caption="" if last == len(found) else f"falls from {last} on",
            curves=(mean,),
            percent=False,
            mark=(ready.likeliest, f"{ready.likeliest}"),
        ),
    )


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
    about={
        "k": "how many numbers each picture is put back from",
        "share": "the share of the variance for which the fewest components are sought",
    },
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    suggestions=(
        Suggestion(
            "k for the share",
            "As many as the share needs",
            lambda ready, now: {"k": min(ready.fewest(now.share), ready.most)},
        ),
        Suggestion(
            "Most likely", "As many as are most likely", lambda ready, _now: {"k": ready.likeliest}
        ),
    ),
    fitted=lambda ready: {"k": ready.most},
)
