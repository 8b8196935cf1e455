"""The search is exact: as comparing every probe with every photograph, to the last bit."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from synthetic import gallery as trained_gallery

from eigenfaces import DISTANCES, EigenfacesError, identify
from eigenfaces.recognition import candidates
from eigenfaces.recognition.candidates import References
from eigenfaces.recognition.comparison import (
    Comparison,
    Enrolled,
    Matching,
    order_of_people,
)
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.search import Match, Search
from eigenfaces.recognition.verdict import without
from eigenfaces.space.arrays import Doubles, Floats, Numbers

WHITENINGS = ("none", "pca")
RULES = ("nearest", "class mean", "mean distance")


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes with given variances."""

    variances: Doubles

    @property
    def kept(self) -> Doubles:
        return np.cumsum(self.variances) / self.variances.sum()


@st.composite
def matchers(draw: st.DrawFn, k: int) -> Matcher:
    distance = draw(st.sampled_from(list(DISTANCES)))
    plain = not DISTANCES[distance].whitens
    components = draw(st.integers(1, k))
    return Matcher(
        components=components,
        dropped=draw(st.integers(0, components - 1)),
        whitening=draw(st.sampled_from(WHITENINGS if plain else WHITENINGS[:1])),
        smoothing=draw(st.sampled_from((0.0, 0.3, "10%"))),
        distance=distance,
        rule=draw(st.sampled_from(RULES)),
        neighbours=draw(st.sampled_from((1, 1, 2, 3, 5, 40))),
    )


@st.composite
def searches(draw: st.DrawFn) -> tuple[Search, Floats]:
    """A few people, some of them not enrolled, with the same photograph again and again."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k, n, count = draw(st.integers(1, 40)), draw(st.integers(2, 60)), draw(st.integers(1, 12))
    scale = draw(st.sampled_from((1e-12, 1.0, 3e4, 1e25)))
    variances = np.sort(rng.gamma(0.4, 1.0, k) + 1e-6)[::-1]
    coordinates = rng.standard_normal((n, k)) * np.sqrt(variances) * scale
    # Nearer to each other than what single precision makes of their products.
    alike = draw(st.sampled_from((1.0, 1e-5, 1e-7)))
    coordinates = coordinates[:1] + alike * (coordinates - coordinates[:1])
    if draw(st.booleans()):
        coordinates = np.round(coordinates / scale) * scale  # whose distances often are the same
    copies = rng.random(n) < draw(st.sampled_from((0.0, 0.3, 0.9)))
    coordinates[copies] = coordinates[rng.integers(0, n, copies.sum())]
    coordinates[rng.random(n) < 0.05] = 0
    coordinates = coordinates.astype(np.float32)
    people = rng.integers(0, count, n)
    people[rng.random(n) < draw(st.sampled_from((0.0, 0.4)))] = -1
    assume((people >= 0).any())
    matcher = draw(matchers(k))
    comparison = Comparison.of(matcher, Axes(variances * scale**2))
    names = tuple(f"Person {number}" for number in range(count))
    probes = rng.standard_normal((5, k)) * np.sqrt(variances) * scale
    own = coordinates[rng.integers(0, n, 2)]
    middle = coordinates[rng.integers(0, n, (2, 2))].mean(axis=1)
    probes = np.concatenate([probes, 30 * probes[:1], own, middle, np.zeros((1, k))])
    return Search(matcher, comparison, coordinates, people, names), probes.astype(np.float32)


def everybody(search: Search, probes: Floats) -> tuple[list[list[Match]], Doubles]:
    """Return all people in order for each probe, and the distances of all photographs, plainly."""
    comparison, rows = search.comparison, search.rows
    variances, distance = comparison.variances, comparison.distance

    def distances(a: Floats, b: Floats) -> Doubles:
        ready = (distance.standardised(each, variances) for each in (a, b))
        return distance.one_by_one(*ready)

    matching = Matching(
        search.matcher,
        Enrolled(search.people[rows], len(search.names)),
        distances,
        comparison.compared(probes),
        comparison.compared(search.coordinates[rows]),
    )
    voted = search.matcher.rule == "nearest"
    orders = order_of_people(matching.to_people, *(matching.votes if voted else ()))
    nearest = matching.enrolled.nearest_photos(matching.to_photos)
    rankings = [
        [
            Match(
                search.names[person],
                float(matching.to_people[m, person]),
                int(rows[nearest[m, person]]),
                int(matching.votes[0][m, person]) if voted else 0,
            )
            for person in order
            if nearest[m, person] >= 0
        ]
        for m, order in enumerate(orders)
    ]
    return rankings, matching.to_photos


@given(searches())
def test_it_is_as_comparing_with_everybody(drawn: tuple[Search, Floats]) -> None:
    search, probes = drawn
    with np.errstate(all="ignore"):
        rankings, lines = everybody(search, probes)
    if not np.isfinite(lines).all():
        with pytest.raises(EigenfacesError, match="no finite numbers"):
            search.first(probes)
        return
    for count in (1, 2, 3, 99):
        for found, ranking in zip(search.first(probes, count), rankings, strict=True):
            assert list(found) == ranking[:count]
    for probe, ranking, line in zip(probes, rankings, lines, strict=True):
        assert list(search.first(probe[None])[0]) == ranking[:2]
        assert search.farthest(probe) == np.abs(line).max()
        order = np.argsort(line, kind="stable")
        for count in (1, 4, len(line)):
            found, distances = search.nearest(probe, count)
            assert found.tolist() == search.rows[order[:count]].tolist()
            assert distances.tolist() == line[order[:count]].tolist()


@pytest.mark.parametrize("distance", ["L2", "cosine", "Yambor", "Mahalanobis L2"])
def test_few_are_compared_exactly_and_none_is_copied(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch, distance: str
) -> None:
    """Or the search would be as slow as comparing all."""
    coordinates = rng.standard_normal((3000, 20)).astype(np.float32)
    matcher = Matcher(components=20, dropped=2, distance=distance)
    comparison = Comparison.of(matcher, Axes(np.linspace(3, 1, 20)))
    people = rng.integers(-1, 100, 3000)
    search = Search(matcher, comparison, coordinates, people, tuple(map(str, range(100))))
    compared: list[int] = []
    pairs = References.pairs

    def counted(self: References, probes: Doubles, which: Numbers, rows: Numbers) -> Doubles:
        compared.append(len(rows))
        return pairs(self, probes, which, rows)

    monkeypatch.setattr(References, "pairs", counted)
    monkeypatch.delattr(References, "lines")
    search.first(rng.standard_normal((50, 20)).astype(np.float32))
    assert 100 <= sum(compared) <= 200
    assert search.photos.screen is not None
    assert np.shares_memory(search.photos.screen.points, coordinates)


def test_what_is_kept_of_a_probe_is_not_changed_by_ranking_it(rng: np.random.Generator) -> None:
    """Else another thread that asks about the same probe meanwhile would get wrong people."""
    coordinates = rng.standard_normal((300, 8)).astype(np.float32)
    comparison = Comparison.of(Matcher(), Axes(np.linspace(3, 1, 8)))
    people = rng.integers(0, 30, 300)
    search = Search(Matcher(), comparison, coordinates, people, tuple(map(str, range(30))))
    probe = coordinates[:1] + 0.1
    search.nearest(probe[0], 3)
    (kept,) = search.last.values()
    kept.scores.setflags(write=False)
    assert len(search.first(probe, 5)[0]) >= 5
    assert search.last == {next(iter(search.last)): kept}


@pytest.mark.parametrize("distance", DISTANCES)
def test_points_are_compared_with_one_another_a_few_at_a_time(
    rng: np.random.Generator, distance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As each is compared as a probe; of a few numbers at a time, many pieces are put together."""
    axes = Axes(np.linspace(3, 1, 6))
    comparison = Comparison.of(Matcher(distance=distance), axes)
    points = comparison.compared(rng.standard_normal((30, 6)).astype(np.float32))
    references, some = References.of(comparison, points), np.array([4, 0, 29])
    others = rng.permutation(30)[:20]
    whole = references.between(some, others)
    lines = references.lines(references.standardised(points[some]))
    assert_allclose(whole, lines[:, others], rtol=1e-9, atol=1e-9)
    monkeypatch.setattr(candidates, "_NUMBERS", 12)
    assert_allclose(references.between(some, others), whole, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
@pytest.mark.parametrize("neighbours", [1, 4])
def test_more_is_known_when_somebody_asks(
    rng: np.random.Generator, rule: str, neighbours: int
) -> None:
    """And it is as a ranking of everybody says; people out of the question are in none of it."""
    gallery = trained_gallery(rng)
    asked = gallery.with_recipe(gallery.recipe.changed(rule=rule, neighbours=neighbours))
    verdict = identify(asked, np.random.default_rng(3).random((16, 16)))
    out = verdict.ranking[1].person
    rest = without(asked, verdict, {out})
    left = [match for match in verdict.ranking if match.person != out]
    assert list(rest.ranking) == left
    assert [rest.closest, rest.runner_up] == left[:2]
    assert list(rest.top(1)) == left[:1]
    rows = [row for row in verdict.rows if gallery.index.photos[row].person != out]
    assert rest.rows.tolist() == rows
    assert [row for row, _ in rest.nearest(3)] == rows[:3]
    assert rest.farthest == rest.distances.max()
