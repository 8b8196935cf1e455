"""How often the 95 % intervals hold the truth, with people of their own difficulty (minutes)."""

import numpy as np
import pytest
from evaluation.drawn import searches_of
from measuring import Rows, draws

from eigenfaces.evaluation import metrics
from eigenfaces.evaluation.metrics import Comparisons, Metric, open_set, verification
from eigenfaces.recognition.statistics import share_intervals
from eigenfaces.space.arrays import Doubles

WORLDS, MEASURED = len(draws(500)), 300

World = tuple[Doubles, Rows]
"""The distance of each photograph to each person, (m, p), and whose it is, (m,)."""


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


def world(rng: np.random.Generator, people: int, strangers: int, apart: float) -> World:
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
    return padded, own


def figures(distances: Doubles, own: Rows, seed: int = 0) -> list[Metric]:
    searches, people = searches_of(distances, own), distances.shape[1]
    comparisons = Comparisons.of_searches(searches)
    return [*verification(comparisons, None, people, seed), *open_set(searches, people, seed)]


@pytest.mark.parametrize(
    ("people", "strangers", "apart"), [(15, 0, 3.0), (40, 0, 4.5), (40, 20, 3.0), (20, 10, 4.5)]
)
def test_of_resampled_figures(
    monkeypatch: pytest.MonkeyPatch, people: int, strangers: int, apart: float
) -> None:
    """The least HTER is chosen where it is measured: it is too small, and so is its interval."""
    rng = np.random.default_rng(0)
    worlds = [world(rng, people, strangers, apart) for _ in range(WORLDS)]
    monkeypatch.setattr(metrics, "RESAMPLES", 2)
    together = (np.concatenate(parts) for parts in zip(*worlds, strict=True))
    truth = {figure.kind: figure.value for figure in figures(*together)}
    monkeypatch.setattr(metrics, "RESAMPLES", 200)
    covered: dict[str, list[bool]] = {}
    for seed, one in enumerate(worlds[:MEASURED]):
        for figure in figures(*one, seed):
            is_inside = figure.low <= truth[figure.kind] <= figure.high
            covered.setdefault(figure.kind, []).append(is_inside)
    print(f"\n{people} people, {strangers} of them strangers, {apart} apart")
    for name, inside in covered.items():
        print(f"  {name:18} {100 * truth[name]:5.1f} %: covered in {np.mean(inside):.3f}")
        assert np.mean(inside) > (0.6 if name == "least HTER" else 0.85)
