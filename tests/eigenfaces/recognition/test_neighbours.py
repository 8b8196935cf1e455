"""The nearest people: beside SciPy, scikit-learn and the rules written out plainly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from synthetic import gallery as trained_gallery

from eigenfaces import Recipe
from eigenfaces.errors import NotPossibleError
from eigenfaces.recognition.neighbours import Matching, Nearest, distance_in_space
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.recognition.verdict import identify_all

SEEDS = st.integers(0, 2**32 - 1)


METRICS = {"L2": "euclidean", "L1": "cityblock", "L∞": "chebyshev", "cosine": "cosine"}
METRICS |= {f"Mahalanobis {name}": METRICS[name] for name in ("L1", "L2", "cosine")}


@given(
    SEEDS,
    st.sampled_from(list(METRICS)),
    st.sampled_from(["nearest", "class mean", "mean distance"]),
    st.sampled_from([0, 1, 2]),
)
def test_they_are_those_of_the_rule(seed: int, distance: str, rule: str, dropped: int) -> None:
    """Some photographs are there several times, so that many are equally far; C has none."""
    rng = np.random.default_rng(seed)
    k, people = int(rng.integers(2, 9)) + dropped, rng.permutation(np.repeat([0, 1, 3, 4, 5], 4))
    photos = rng.standard_normal((20, k)).astype(np.float32)
    photos[rng.integers(0, 20, 6)] = photos[rng.integers(0, 20, 6)]
    probes = rng.standard_normal((3, k)).astype(np.float32)
    variances = np.sort(rng.gamma(1.0, 1.0, k) + 0.1)[::-1]
    matcher = Matcher(k, dropped, distance, rule)  # type: ignore[arg-type]
    along = distance_in_space(matcher, variances, np.cumsum(variances) / variances.sum())
    scale = np.sqrt(variances) if distance[0] == "M" else np.ones(k)
    queries, there = ((of / scale)[:, dropped:] for of in (probes, photos))
    means = [there[people == person].mean(axis=0, dtype=float) for person in np.unique(people)]
    to_photos = cdist(queries, there, METRICS[distance])
    to_means = np.full((3, 6), np.inf)
    to_means[:, np.unique(people)] = cdist(queries, np.array(means), METRICS[distance])
    matching = Matching(
        rule=matcher.rule,
        people=people,
        count=6,
        distances=along.between,
        probes=along.standardised(probes),
        photos=along.standardised(photos),
    )
    np.testing.assert_allclose(matching.to_photos, to_photos, atol=1e-7)
    assert np.isinf(matching.to_people[:, 2]).all()
    assert (matching.nearest_photos[:, 2] == -1).all()
    for probe, line in enumerate(matching.to_photos):  # whose ties are exact
        far = np.full(6, np.inf)
        for person in np.unique(people):
            own = np.flatnonzero(people == person)
            row = own[line[own].argmin()]
            assert matching.nearest_photos[probe, person] == row
            far[person] = {
                "nearest": line[row],
                "class mean": to_means[probe, person],
                "mean distance": line[own].mean(),
            }[rule]
        np.testing.assert_allclose(matching.to_people[probe], far, atol=1e-7)
        order = np.argsort(far.round(9), kind="stable")
        assert matching.ranking[probe].tolist() == order.tolist()
        assert matching.nearest.person[probe] == order[0]
        assert matching.nearest.runner_up[probe] == pytest.approx(far[order[1]], abs=1e-7)


@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
def test_people_out_of_the_question_are_in_no_ranking(rng: np.random.Generator, rule: str) -> None:
    gallery = trained_gallery(rng)
    queries = gallery.with_recipe(Recipe.of(components=1.0, rule=rule))
    probe = np.random.default_rng(3).random((1, 256))
    (verdict,) = identify_all(queries, probe)
    out = verdict.ranking[1].person
    (rest,) = identify_all(queries, probe, [{out}])
    left = [match for match in verdict.ranking if match.person != out]
    assert list(rest.ranking) == left
    assert [rest.closest, rest.runner_up] == left[:2]
    (everybody,) = identify_all(queries, probe, [gallery.people])
    assert everybody.ranking == verdict.ranking
    rows = [row for row in verdict.rows if gallery.index.photos[row].person != out]
    assert rest.rows.tolist() == rows


def test_to_drop_all_that_would_be_compared_is_refused() -> None:
    variances = np.array([4.0, 3.0, 2.0, 1.0])
    kept = np.cumsum(variances) / variances.sum()
    assert distance_in_space(Matcher(0.7, 1), variances, kept).k == 2
    for dropped in (2, 3):
        with pytest.raises(NotPossibleError, match="none is left"):
            distance_in_space(Matcher(0.7, dropped), variances, kept)


def test_a_name_is_the_surer_the_nearer_and_the_farther_the_next() -> None:
    nearest = Nearest(np.zeros(3, np.intp), np.array([1, 2, 3.0]), np.array([1.5, 2, np.inf]))
    assert nearest.scores.tolist() == [[-1, 0.5], [-2, 0], [-3, 0]]
