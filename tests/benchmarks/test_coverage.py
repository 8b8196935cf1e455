"""How often the 95 % intervals hold the truth, with people of their own difficulty.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_coverage.py``: a minute or two.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from measuring import draws

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "eigenfaces"))

from evaluation.drawn import searches_of

from eigenfaces.evaluation import metrics
from eigenfaces.evaluation.metrics import Comparisons, error_rates, open_set, verification
from eigenfaces.evaluation.searches import Searches
from eigenfaces.recognition.statistics import share_intervals

WORLDS, MEASURED = len(draws(500)), 300


@pytest.mark.parametrize("people", [8, 15, 40, 100])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.98])
def test_shares(people: int, share: float) -> None:
    """The more ``alike`` people are, the less one photograph tells of the next."""
    coverages = []
    for alike in (0.5, 1, 3, 10, 50):
        rng = np.random.default_rng(1)
        of = rng.integers(2, 15, people)
        rates = rng.beta(share * alike, (1 - share) * alike, (4000, people))
        low, high = share_intervals(rng.binomial(of, rates), of)
        coverages.append(((low <= share) & (share <= high)).mean())
    print(f"\n{people} people, share {share}: {' '.join(f'{c:.3f}' for c in coverages)}")
    assert min(coverages) > 0.93


def world(rng: np.random.Generator, people: int, strangers: int, apart: float) -> Searches:
    """Members who are hard to find, and easily taken for others, each in their own way."""
    own = np.repeat(np.arange(people), rng.integers(3, 12, people))
    members = people - strangers
    hard = 0.7 * rng.standard_normal(people)[own]
    distances = apart + 0.5 * hard[:, None] + 0.35 * rng.standard_normal(members)
    noise = rng.standard_normal(distances.shape)
    distances += noise
    known = np.flatnonzero(own < members)
    distances[known, own[known]] = noise[known, own[known]] + 1.5 * hard[known]
    padded = np.full((len(own), people), np.inf)
    padded[:, :members] = distances
    return searches_of(padded, own)


@pytest.mark.parametrize(
    ("people", "strangers", "apart"), [(15, 0, 3.0), (40, 0, 4.5), (40, 20, 3.0), (20, 10, 4.5)]
)
def test_of_resampled_figures(
    monkeypatch: pytest.MonkeyPatch, people: int, strangers: int, apart: float
) -> None:
    """The least HTER is chosen where it is measured: it is too small, and so is its interval."""
    monkeypatch.setattr(metrics, "RESAMPLES", 200)
    rng = np.random.default_rng(0)
    worlds = [world(rng, people, strangers, apart) for _ in range(WORLDS)]
    truth = _truth(worlds)
    covered: dict[str, list[bool]] = {}
    for seed, one in enumerate(worlds[:MEASURED]):
        figures = verification(Comparisons.of_searches(one), None, people, seed)
        for figure in [*figures, *open_set(one, people, seed)]:
            is_inside = figure.low <= truth[figure.kind] <= figure.high
            covered.setdefault(figure.kind, []).append(is_inside)
    print(f"\n{people} people, {strangers} of them strangers, {apart} apart")
    for name, inside in covered.items():
        print(f"  {name:18} {100 * truth[name]:5.1f} %: covered in {np.mean(inside):.3f}")
        assert np.mean(inside) > (0.6 if name == "least HTER" else 0.85)


def _truth(worlds: list[Searches]) -> dict[str, float]:
    """Return what all worlds together give."""
    pairs = [Comparisons.of_searches(one) for one in worlds]
    distances, mated = (
        np.concatenate([getattr(p, n) for p in pairs]) for n in ("distances", "mated")
    )
    rates = error_rates(distances, mated)
    truth = {"EER": rates.equal[0], "least HTER": rates.least[0]}
    truth |= {f"TAR at FAR {100 * far:g} %": rates.accepted_at(far) for far in (0.01, 0.001)}
    best = np.concatenate([one.distances.min(axis=1) for one in worlds])
    strange = ~np.concatenate([one.mated for one in worlds])
    right = np.concatenate([one.right for one in worlds])
    for fpir in (0.01, 0.1) if strange.any() else ():
        near = best <= np.quantile(best[strange], fpir)
        truth[f"DIR at FPIR {100 * fpir:g} %"] = float((near & right).sum() / (~strange).sum())
    return truth
