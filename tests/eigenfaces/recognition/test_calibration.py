"""A calibration: thresholds, promises and certainty, and when what was measured holds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.recognition.calibration import (
    Certainty,
    HeldOut,
    Histogram,
    Promise,
    held_out_histogram,
    left_over_histogram,
    limit,
    round_edges,
    threshold,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify
from eigenfaces.sample import PREPARATION, load_sample


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 99))
def test_it_is_one_of_the_scores_and_at_most_the_share_is_above(
    count: int, share: float, seed: int
) -> None:
    scores = np.random.default_rng(seed).random(count)
    least = threshold(scores, share)
    assert least in scores
    assert (scores > least).sum() <= share * (count + 1)
    assert threshold(scores[::-1], share) == least
    assert limit(-scores, share) == -least  # of distances, the nearest are the most alike


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_a_new_stranger_passes_as_seldom_as_asked(share: float) -> None:
    """On average over galleries, as conformal quantiles promise."""
    rng = np.random.default_rng(0)
    passed = [rng.normal() > threshold(rng.normal(size=199), share) for _ in range(20_000)]
    assert np.mean(passed) == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EigenfacesError, match="people"):
        threshold(np.empty(0), 0.01)
    with pytest.raises(EigenfacesError, match="from 0 to 1"):
        threshold(np.ones(3), 1.5)


class TestPromise:
    @pytest.mark.parametrize(("strangers", "named"), [(20, 0), (60, 3), (100, 5)])
    def test_it_is_the_upper_limit_of_a_count(self, strangers: int, named: int) -> None:
        promise = Promise(strangers, 1)
        assert promise.strangers == strangers
        limit = promise.at_most(named / strangers)
        assert binom.cdf(named, strangers, limit) == pytest.approx(0.05)
        assert promise.at_most(0) == pytest.approx(promise.least)
        assert promise.at_most(1) == 1

    def test_more_people_promise_more_than_more_photographs(self) -> None:
        assert Promise(40, 5).least < Promise(20, 10).least < Promise(20, 5).least


class TestCertainty:
    def test_as_scikit_learn_with_equal_weight_of_strangers(self, rng: np.random.Generator) -> None:
        from sklearn.linear_model import LogisticRegression

        seen, strangers = rng.normal(1, 1, (200, 2)), rng.normal(-1, 1, (50, 2))
        right = seen.sum(axis=1) + rng.normal(0, 1, 200) > 0.5
        made = Certainty.fit(seen, right, strangers, rough=False)
        both = (np.concatenate([seen, strangers]) - made.mean) / made.deviation
        weights = np.concatenate([np.full(200, 1 / 200), np.full(50, 1 / 50)]) * 125
        peer = LogisticRegression(C=10, tol=1e-10, max_iter=1000)
        peer.fit(both, np.concatenate([right, np.zeros(50, bool)]), sample_weight=weights)
        expected = peer.predict_proba(both[:200])[:, 1]
        np.testing.assert_allclose(made.probability(*seen.T), expected, atol=1e-5)

    def test_separable_and_constant_scores(self) -> None:
        seen, strangers = np.array([[1.0, 0.5]] * 9), np.array([[0.0, 0.5]] * 9)
        made = Certainty.fit(seen, np.ones(9, bool), strangers, rough=True)
        assert made.probability(np.array([1.0]), np.array([0.5]))[0] > 0.95
        assert made.probability(np.array([0.0]), np.array([0.5]))[0] < 0.05

    @given(st.integers(0, 2**32 - 1))
    def test_nearer_is_more_certain(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        seen, strangers = rng.normal(1, 1, (40, 2)), rng.normal(-1, 1, (40, 2))
        made = Certainty.fit(seen, seen[:, 0] > 0, strangers, rough=True)
        said = made.probability(np.linspace(-5, 5, 50), np.zeros(50))
        assert (np.diff(said) >= 0).all()


def gallery_of(recipe: str = "Eigenfaces", people: int = 8) -> Gallery:
    faces = load_sample()
    rows = [row for row in range(10 * people) if row % 10 < 6]
    return Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train()


@pytest.fixture(scope="module")
def calibrated() -> Gallery:
    return gallery_of().calibrate()


def test_it_holds_until_something_that_it_depends_on_changes(calibrated: Gallery) -> None:
    key = calibrated.index.photos[0].key
    assert calibrated.calibrated is not None
    assert replace(calibrated, share=0.1).calibrated is calibrated.calibration
    for changed in (
        calibrated.move([key], "Somebody else"),
        calibrated.exclude([key]),
        calibrated.remove([key]),
        calibrated.with_recipe(calibrated.recipe.changed(distance="cosine")),
    ):
        assert changed.calibrated is None
        assert identify(changed, changed.faces.pixels[0]).decision.kind == "not calibrated"
    back = calibrated.move([key], "Somebody else").move([key], calibrated.people[0])
    assert back.calibrated is calibrated.calibration


def test_it_depends_on_photographs_without_a_name_that_are_fitted_to() -> None:
    gallery = gallery_of(people=4)
    keys = [gallery.index.photos[row].key for row in (3, 9)]
    gallery = gallery.move(keys, None).train().calibrate()
    for changed in (gallery.exclude(keys), gallery.remove(keys)):
        assert changed.enrolled
        assert changed.calibrated is None
        anew = changed.calibrate().calibrated
        assert anew is not None
        assert anew.limit(0.1) != gallery.calibrated.limit(0.1)  # type: ignore[union-attr]
    back = gallery.exclude(keys).exclude(keys, excluded=False)
    assert back.calibrated is gallery.calibration


@pytest.mark.parametrize("recipe", RECIPES)
def test_it_can_be_stopped_anywhere(recipe: str) -> None:
    gallery, told = gallery_of(recipe, people=7), list[float]()
    whole = gallery.calibrate(lambda done, total: told.append(done / total)).calibration
    assert told == sorted(told)
    assert told[-1] == 1
    assert np.diff(told).max() < 0.3, "no stage is silent, the likeness to a face included"
    for last in np.linspace(0, len(told) - 1, 4).astype(int):
        asked = iter(range(int(last)))

        def stop(done: int, total: int, asked: Iterator[int] = asked) -> None:
            if next(asked, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            gallery.calibrate(stop)
    again = gallery.calibrate().calibration
    assert whole is not None
    assert again is not None
    assert np.array_equal(again.held.member.distance, whole.held.member.distance)
    assert np.array_equal(again.left_over, whole.left_over)


def test_too_few_people_have_no_threshold() -> None:
    gallery = gallery_of(people=2).calibrate()
    assert gallery.calibrated is not None
    assert "fewer than 3 people" in gallery.calibrated.reason
    assert gallery.calibrated.limit(0.01) is None


DISTANCES = st.lists(
    st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=1, max_size=60
).map(np.array)


@given(DISTANCES, DISTANCES)
def test_every_distance_is_in_one_bin(mated: np.ndarray, others: np.ndarray) -> None:
    edges = round_edges(np.concatenate([mated, others]))
    spread = Histogram.of(edges, mated, others)
    assert spread.mated.sum() == pytest.approx(1)
    assert spread.non_mated.sum() == pytest.approx(1)
    for shares, those in ((spread.mated, mated), (spread.non_mated, others)):
        bins = np.searchsorted(edges[1:-1], those, "right")
        assert (shares == np.bincount(bins, minlength=len(shares)) / len(those)).all()
    assert spread.counts == (len(mated), len(others))
    assert 1 <= len(edges) - 1 <= 42
    assert (np.diff(edges) > 0).all()


def nearest(*distances: float) -> Nearest:
    each = np.array(distances)
    return Nearest(np.zeros(len(each), np.intp), each, each + 1)


def test_held_out_are_photos_whose_person_is_left_and_everybody_as_a_stranger() -> None:
    people = np.array([0, 0, 1, 2])  # two people with a single photograph
    held = HeldOut(people, nearest(1, 2, 8, 9), nearest(5, 6, 7, np.inf))
    spread = held_out_histogram(held)
    assert spread is not None
    assert spread.counts == (2, 3)
    filled = np.flatnonzero(spread.mated)
    assert spread.edges[filled] == pytest.approx([1, 2])
    assert spread.edges[np.flatnonzero(spread.non_mated)[-1] + 1] >= 7
    alone = HeldOut(np.array([0, 1]), nearest(1, 2), nearest(5, 6))
    one = HeldOut(np.array([0, 0]), nearest(1, 2), nearest(np.inf, np.inf))
    assert held_out_histogram(alone) is held_out_histogram(one) is None  # without both


def test_what_is_asked_about_has_room_beside_the_faces() -> None:
    spread = left_over_histogram(np.array([0.2, 0.25, 0.3]), 0.95)
    assert spread.counts == (3, 0)
    assert spread.mated.sum() == pytest.approx(1)
    assert not spread.non_mated.any()
    assert spread.edges[0] <= 20
    assert spread.edges[-1] >= 95
