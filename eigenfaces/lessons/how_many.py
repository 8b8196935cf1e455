"""Lesson: how many components are enough: by variance, on pictures held out, by likelihood.

C. Eckart and G. Young, *The approximation of one matrix by another of lower rank* (1936); M. E.
Tipping and C. M. Bishop, *Probabilistic principal component analysis* (1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, part_of
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.lesson import Lesson, slide, told
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import fewest_components
from eigenfaces.text import percent

_EXAMPLE = 0.75  # where it stands among all, by how much there is to be seen
_BELOW = 0.5
_HAIR = 0.001


@dataclass(frozen=True, eq=False)
class Method:
    """A way to put pictures back from k numbers each: orthonormal ``rows`` (r, d), the first k.

    ``left`` (r,) is the share of the held-out pictures’ squared distance from the mean that is left
    after 0 … r − 1 of them.
    """

    title: str
    ink: fig.Ink
    rows: Doubles
    left: Doubles


@dataclass(frozen=True, eq=False)
class FromOthers:
    """What four methods make of pictures that they have not seen.

    ``found`` are the components of the pictures learned from, ``examples`` (1, d) one held out;
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


def prepare(images: ImageSet, tick: Tick) -> FromOthers:
    """Return what four methods leave of the fifth of the pictures that is held out, by a seed."""
    values, shape, n = images.values, images.shape, len(images)
    if n < 5:
        raise EigenfacesError("One picture in five is held out. Choose at least five pictures.")
    kept, learned = np.split(np.random.default_rng(0).permutation(n), [n // 5])
    by_contrast = kept[np.argsort(values[kept].std(axis=1), kind="stable")]
    kept = np.roll(by_contrast, -int(_EXAMPLE * len(kept)))  # the example first
    found = decomposed(values[learned], part_of(tick, 0, 3))
    r = len(found.variances)
    if r < 2:
        raise EigenfacesError("These pictures differ in one way only. Choose more of them.")
    x, y = values[learned] - found.mean, values[kept] - found.mean
    energy = float((y**2).sum())
    tick(4, 9)

    def left(energies: Doubles) -> Doubles:
        return np.maximum(1 - np.append(0, np.cumsum(energies))[:r] / energy, 0)

    drawn = np.random.default_rng(0).normal(size=(x.shape[1], r))
    bases: tuple[tuple[str, fig.Ink, Doubles], ...] = (
        ("Components", "main", found.components),
        ("Cosines", "good", _cosines(x, shape, r)),
        ("Random", "contrast", np.linalg.qr(drawn)[0].T),
        ("Pixels", "grey", _units((x**2).sum(axis=0), r)),
    )
    methods = tuple(
        Method(title, ink, rows, left(((y @ rows.T) ** 2).sum(axis=0)))
        for title, ink, rows in bases
    )
    tick(6, 9)
    own = np.linalg.eigvalsh(y @ y.T if len(y) < x.shape[1] else y.T @ y)[::-1][:r]
    tick(8, 9)
    inside = ((y @ found.components.T) ** 2).mean(axis=0)
    likelihoods = log_likelihoods(found.variances, inside, energy / len(y), x.shape[1])
    least = left(np.pad(own, (0, r - len(own))))
    counts = len(x), len(y)
    return FromOthers(found, values[kept[:1]], methods, least, likelihoods, shape, counts)


def _units(energies: Doubles, r: int) -> Doubles:
    """Return the unit vectors (r, d) of the r numbers that vary most."""
    rows = np.zeros((r, len(energies)))
    rows[range(r), np.argsort(-energies, kind="stable")[:r]] = 1
    return rows


def _cosines(x: Doubles, shape: tuple[int, ...], r: int) -> Doubles:
    """Return the r cosines (r, d) that vary most in pictures (n, d), each colour for itself."""
    from scipy.fft import dctn, idctn

    waves = dctn(x.reshape(-1, *shape), axes=(1, 2), norm="ortho").reshape(len(x), -1)
    units = _units((waves**2).sum(axis=0), r).reshape(r, *shape)
    return np.asarray(idctn(units, axes=(1, 2), norm="ortho")).reshape(r, -1)


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


def picture(ready: FromOthers, k: float = 10, share: float = 99) -> fig.LessonPicture:
    """Return held-out pictures put back from k numbers, and three answers to how many."""
    k, fewest, asked = min(int(k), ready.most), ready.fewest(share), percent(share / 100)
    (learned, kept), mean, likeliest = ready.counts, ready.found.mean, ready.likeliest
    row = [fig.pictures(ready.examples, ready.shape, "Held out", caption="error left:")]
    for each in ready.methods:
        rows = each.rows[:k]
        back = (ready.examples - mean) @ rows.T @ rows + mean
        said = percent(each.left[k])
        row.append(fig.pictures(back, ready.shape, each.title, caption=said))
    components, _, random, pixels = ready.methods
    heading, source = f"Put back from {k} numbers each", f"learned from {learned:,}"
    found = f"k = {fewest} for {asked}; k = {likeliest} most likely"
    return fig.LessonPicture(
        fig.Drawing(heading, (tuple(row),), f"{source}; 1 of {kept:,} others"),
        fig.Drawing("Three answers", (_answers(ready, k, fewest),), found),
        {
            "fewest": float(fewest),
            "by_components": components.left[k],
            "by_random": random.left[k],
            "by_pixels": pixels.left[k],
            "likelihoods": ready.likelihoods,
            "likeliest": float(likeliest),
        },
        {
            "fewest": f"{fewest} of {len(ready.found.variances)}",
            "asked": asked,
            "likeliest": f"{likeliest}",
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
    lam, found, likeliest = ready.found.variances, ready.likelihoods, ready.likeliest
    floor = found[0] - _BELOW * (found.max() - found[0])
    last = int(np.flatnonzero(found >= floor)[-1]) + 1  # the last ones may fall without end
    x = np.arange(ready.most + 1.0)
    errors = [
        fig.DrawnCurve(each.title.lower(), x, each.left, each.ink, dashed=each.ink != "main")
        for each in ready.methods
    ]
    errors.append(fig.DrawnCurve("limit", x, ready.least, "faint", dashed=True))
    kept = fig.DrawnCurve(
        "P(k)", np.arange(1.0 + len(lam)), np.append(0, np.cumsum(lam / lam.sum()))
    )
    mean = (fig.DrawnCurve("mean of a picture", np.arange(1.0, last + 1), found[:last]),)
    falls = "" if last == len(found) else f"falls from {last} on"
    title, mark = "Log-likelihood", (likeliest, f"{likeliest}")
    return (
        fig.CurvesPanel(
            (kept,), "k", "", (fewest, f"{fewest}"), percent=True, title="Variance kept"
        ),
        fig.CurvesPanel(
            tuple(errors), "k", "", (k, f"{k}"), percent=True, title="Error left", weight=1.7
        ),
        fig.CurvesPanel(mean, "k", "", mark, title=title, caption=falls),
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

WORDS = """
title: How many
line: Share of variance, and likelihood
group: Numbers
see: The fewest components that keep {asked} of the variance are **{fewest}**.
see: On pictures held out they leave less error than as many random directions, pixels or cosines,
    {ahead}; nothing linear is below the pale **limit**.
see: As a **probability**, held-out pictures are likeliest with {likeliest}: after that the
    components describe only the pictures that they were learned from.
formula: P(*k*) = Σ<sub>i≤k</sub> λ<sub>i</sub> / Σ λ<sub>i</sub>,   log *p*(*x*) = −‖*x* − *x̂*‖² /
    2σ² + …
why: Eckart and Young: no matrix of rank k is nearer to the data than the first k components make
    it. If what is left is Gaussian noise, equal in all directions, least squares is greatest
    likelihood; with the noise σ² = the mean of the λ that are left (Tipping and Bishop) each k has
    a likelihood, and others’ pictures tell which is too large.
try: Let k run: when can you read the pictures, with components and with pixels?
try: Ask for 90 % instead of 99 %: how many fewer are enough?
try: Compare components and cosines on digits and on patches.
set k: how many numbers each picture is put back from
set share: the share of the variance for which the fewest components are sought
press k for the share: As many as the share needs
press Most likely: As many as are most likely
"""

LESSON = Lesson(
    **told(WORDS),
    name="how-many",
    subjects=("digits", "patches", "gallery", "opened"),
    fields=(
        slide("k", "Components k", 0, 400, whole=True, plays=True),
        slide("share", "Share to keep", 50, 99.9, 0.1, unit="\N{NO-BREAK SPACE}%"),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    buttons={
        "k for the share": lambda ready, now: {"k": min(ready.fewest(now["share"]), ready.most)},
        "Most likely": lambda ready, _now: {"k": ready.likeliest},
    },
    fitted=lambda ready: {"k": ready.most},
)
