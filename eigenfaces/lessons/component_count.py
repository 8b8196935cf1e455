"""Lesson: how many components are enough, judged by variance, held-out error and likelihood.

C. Eckart and G. Young, *The approximation of one matrix by another of lower rank* (1936); M. E.
Tipping and C. M. Bishop, *Probabilistic principal component analysis* (1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Button, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import count, percent

_EXAMPLE = 0.75  # the rank of the example among the held-out pictures, by contrast
_BELOW = 0.5  # likelihoods farther below the first one are not drawn


@dataclass(frozen=True, eq=False)
class Method:
    """Method of rebuilding each picture from k numbers."""

    name: str
    title: str  # the title of a picture rebuilt from ``{k}`` numbers
    ink: fig.Ink
    rows: Doubles  # (r, d) orthonormal; the first k are used
    share_left: Doubles  # (r,) the share of the squared error left after 0 … r − 1 numbers


@dataclass(frozen=True, eq=False)
class HeldOutPictures:
    """Results of three methods on pictures that were not used in training."""

    components: PrincipalComponents  # of the training pictures
    example: Doubles  # (1, d) a held-out picture
    methods: tuple[Method, ...]
    likelihoods: Doubles  # (r − 1,) mean log-likelihood of a held-out picture, for 1 … r − 1
    likeliest: int  # the k at which held-out pictures are most likely
    shape: tuple[int, ...]
    counts: tuple[int, int]  # the number of training pictures and of held-out pictures

    @property
    def away(self) -> Doubles:
        """Example (1, d) minus the mean."""
        return self.example - self.components.mean

    @property
    def k_max(self) -> int:
        """Largest k that leaves some variance for noise."""
        return len(self.likelihoods)

    def k_for(self, share: float) -> int:
        """Return the smallest k that keeps at least ``share`` % of the variance."""
        lam = self.components.variances
        return fewest_components(np.cumsum(lam) / lam.sum(), share / 100)


def prepare(images: ImageSet, tick: Tick) -> HeldOutPictures:
    """Hold out a random fifth of the pictures, and return the results of three methods on them."""
    values, n = images.values, len(images)
    if n < 5:
        raise EigenfacesError("One picture in five is held out. Choose at least five pictures.")
    others, learned = np.split(np.random.default_rng(0).permutation(n), [n // 5])
    by_contrast = others[np.argsort(values[others].std(axis=1), kind="stable")]
    example = values[[by_contrast[int(_EXAMPLE * len(others))]]]
    components = pca(values[learned], part_of(tick, 0, 2))
    r, d = components.components.shape
    if r < 2:
        raise EigenfacesError("These pictures differ in only one way. Choose more pictures.")
    x, y = values[learned] - components.mean, values[others] - components.mean
    tick(3, 4)
    random = np.linalg.qr(np.random.default_rng(0).normal(size=(d, r)))[0].T
    by_variance = np.argsort(-(x**2).sum(axis=0), kind="stable")
    pixels = np.zeros((r, d))
    pixels[np.arange(r), by_variance[:r]] = 1
    bases: tuple[tuple[str, str, fig.Ink, Doubles], ...] = (
        ("components", "{k} components", "main", components.components),
        ("random directions", "{k} at random", "contrast", random),
        ("pixels", "The {k} best pixels", "grey", pixels),
    )
    methods = []
    for name, title, ink, rows in bases:
        energies = np.cumsum(((y @ rows.T) ** 2).sum(axis=0)) / (y**2).sum()
        methods.append(
            Method(name, title, ink, rows, np.maximum(1 - np.append(0, energies)[:r], 0))
        )
    likelihoods = log_likelihoods(components.components, components.variances, y)
    counts = len(x), len(y)
    return HeldOutPictures(components, example, tuple(methods), *likelihoods, images.shape, counts)


def log_likelihoods(ut: Doubles, lam: Doubles, y: Doubles) -> tuple[Doubles, int]:
    """Return mean log-likelihoods (r − 1,) of pictures for 1 … r − 1 components, and the best k.

    In this model (probabilistic PCA), the first k components ``ut`` (r, d) have the variances
    ``lam`` (r,). Every other direction has the mean of the remaining variances, which is the most
    likely noise variance. The mean has already been subtracted from the pictures ``y`` (n, d).
    """
    ks, d = np.arange(1, len(lam)), y.shape[1]
    noise = np.cumsum(lam[::-1])[::-1][1:] / (d - ks)  # in each of the other directions
    inside = np.mean((y @ ut.T) ** 2, axis=0)
    along = np.cumsum(np.log(2 * np.pi * lam) + inside / lam)[:-1]
    left = np.mean(np.sum(y**2, axis=1)) - np.cumsum(inside)[:-1]
    likelihoods = -0.5 * (along + (d - ks) * np.log(2 * np.pi * noise) + left / noise)
    likeliest = ks[likelihoods.argmax()]
    return likelihoods, int(likeliest)


def picture(ready: HeldOutPictures, k: float, share: float) -> fig.LessonPicture:
    """Draw a held-out picture rebuilt from k numbers in three ways, and the best values of k."""
    k, fewest, likeliest = min(int(k), ready.k_max), ready.k_for(share), ready.likeliest
    lam, shape = ready.components.variances, ready.shape
    row = [fig.pictures(ready.example, shape, "A new picture", caption="error left:")]
    for method in ready.methods:
        numbers = ready.away @ method.rows[:k].T
        back = np.clip(numbers @ method.rows[:k] + ready.components.mean, 0, 1)
        caption = percent(method.share_left[k], 0)
        row.append(fig.pictures(back, shape, method.title.format(k=k), caption=caption))
    ks = np.arange(float(len(lam)))
    left = {method.name: (method.share_left, method.ink) for method in ready.methods}
    mark = k, f"k = {k}"
    errors = fig.CurvesPanel(ks, left, "numbers k", "error left", mark, percent=True)
    goal = percent(share / 100)
    from_to = "learned from {:,} pictures; 1 of {:,} new ones is shown".format(*ready.counts)
    components, random, pixels = ready.methods
    return fig.LessonPicture(
        fig.Drawing(f"Rebuilt from {count(k, 'number')}", (tuple(row), (errors,)), from_to),
        fig.Drawing(
            "How many are enough?",
            (_answers(ready, fewest),),
            f"k = {fewest} for {goal}; k = {likeliest} most likely",
        ),
        {
            "fewest": float(fewest),
            "by_components": components.share_left[k],
            "by_random": random.share_left[k],
            "by_pixels": pixels.share_left[k],
            "likelihoods": ready.likelihoods,
            "likeliest": float(likeliest),
        },
        {"fewest": f"{fewest} of {len(lam)}", "goal": goal, "likeliest": f"{likeliest}"},
    )


def _answers(ready: HeldOutPictures, fewest: int) -> tuple[fig.Panel, fig.Panel]:
    """Draw the variance kept by k components, and the likelihood of held-out pictures."""
    lam, likelihoods = ready.components.variances, ready.likelihoods
    kept = {"P(k)": np.append(0, np.cumsum(lam / lam.sum()))}
    floor = likelihoods[0] - _BELOW * (likelihoods.max() - likelihoods[0])
    last = (
        int(np.flatnonzero(likelihoods >= floor)[-1]) + 1
    )  # at the end they may fall without limit
    falls = "" if last == len(likelihoods) else f"falls from {last} on"
    mark = fewest, f"{fewest}"
    return (
        fig.CurvesPanel(
            np.arange(1.0 + len(lam)), kept, "k", "", mark, percent=True, title="Variance kept"
        ),
        fig.CurvesPanel(
            np.arange(1.0, last + 1),
            {"mean per picture": likelihoods[:last]},
            "k",
            "",
            (ready.likeliest, f"{ready.likeliest}"),
            title="Log-likelihood of new pictures",
            caption=falls,
        ),
    )


LISTING = """\
order = np.random.default_rng(0).permutation(len(x))
others, x = x[order[: len(x) // 5]], x[order[len(x) // 5 :]]
x, y = x - x.mean(axis=0), others - x.mean(axis=0)
s, ut = np.linalg.svd(x, full_matrices=False)[1:]
lam = s[s > 1e-5 * s[0]] ** 2 / len(x)
ut, r, k = ut[: len(lam)], len(lam), min(int(k), len(lam) - 1)
fewest = 1 + np.searchsorted(np.cumsum(lam) / lam.sum(), share / 100 - 1e-9)
by_components = 1 - np.sum((y @ ut[:k].T) ** 2) / np.sum(y**2)
q = np.linalg.qr(np.random.default_rng(0).normal(size=(x.shape[1], r)))[0]
by_random = 1 - np.sum((y @ q[:, :k]) ** 2) / np.sum(y**2)
pixels = np.argsort(-x.var(axis=0), kind="stable")
by_pixels = 1 - np.sum(y[:, pixels[:k]] ** 2) / np.sum(y**2)
ks, d = np.arange(1, len(lam)), y.shape[1]
noise = np.cumsum(lam[::-1])[::-1][1:] / (d - ks)  # in each of the other directions
inside = np.mean((y @ ut.T) ** 2, axis=0)
along = np.cumsum(np.log(2 * np.pi * lam) + inside / lam)[:-1]
left = np.mean(np.sum(y**2, axis=1)) - np.cumsum(inside)[:-1]
likelihoods = -0.5 * (along + (d - ks) * np.log(2 * np.pi * noise) + left / noise)
likeliest = ks[likelihoods.argmax()]
print(f"{share:.1f} % at k = {fewest}; likeliest {likeliest}; left {by_components:.1%}")
"""

LESSON = Lesson(
    name="how-many",
    title="How many",
    line="Share of variance, and likelihood",
    group="Numbers",
    see=(
        "**{fewest}** components are enough to keep {goal} of the variance.",
        "On held-out pictures they leave less error than as many random directions or pixels.",
        "Held-out pictures are most **probable** with {likeliest} components. More components "
        "describe only the training pictures.",
    ),
    formula=(
        "P(*k*) = Σ<sub>i≤k</sub> λ<sub>i</sub> / Σ λ<sub>i</sub>,   log *p*(*x*) = −‖*x* − "
        "*x̂*‖² / 2σ² + …"
    ),
    why=(
        "Eckart and Young: no matrix of rank *k* is nearer to the data than the one from the "
        "first *k* components. If the rest is Gaussian noise that is equal in all directions, the "
        "least squares have the greatest likelihood. With the noise σ² = the mean of the "
        "remaining λ (Tipping and Bishop), each *k* has a likelihood, and held-out pictures show "
        "which *k* is too large."
    ),
    steps=(
        Step("40 components show a new face, but 40 pixels do not.", {"k": 40}),
        Step("Play *k*: when can you tell who it is?", {"k": 150}),
        Step("Keep 99 % instead of 90 %: how many more are needed?", {"share": 99}),
        Step("Ten numbers are enough to read many of the digits.", {"k": 10}, subject="digits"),
    ),
    question=Question(
        "How many of 319 components describe new faces best?",
        ("about 10", "about 60", "all 319"),
        1,
    ),
    subjects=("half", "digits", "gallery", "opened"),
    controls=(
        Slide("k", "Components k", "how many numbers rebuild a picture", 40, 0, 400, plays=True),
        Slide(
            "share",
            "Share to keep",
            "the share of the variance to keep",
            90.0,
            50,
            99.9,
            0.1,
            unit="\N{NO-BREAK SPACE}%",
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={
        "k for the share": Button(
            "Use as many components as the share needs",
            lambda ready, now: {"k": min(ready.k_for(now["share"]), ready.k_max)},
        ),
        "Most likely": Button(
            "Use as many components as are most likely", lambda ready, _now: {"k": ready.likeliest}
        ),
    },
    limits=lambda ready: {"k": ready.k_max},
)
