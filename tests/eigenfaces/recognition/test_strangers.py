"""The threshold for strangers: what it keeps to, and what can be promised."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from eigenfaces import FaceSet, Gallery, identify_all
from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.strangers import Promise, limit, threshold
from eigenfaces.samples import PREPARATION


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 99))
def test_it_is_one_of_the_scores_and_at_most_the_share_is_above(
    count: int, share: float, seed: int
) -> None:
    scores = np.random.default_rng(seed).random(count)
    least = threshold(scores, share)
    assert least in scores
    assert (scores > least).sum() <= share * (count + 1)
    assert threshold(scores[::-1], share) == least


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_a_new_stranger_passes_as_seldom_as_asked(share: float) -> None:
    """On average over galleries, as conformal quantiles promise."""
    rng = np.random.default_rng(0)
    passed = [rng.normal() > threshold(rng.normal(size=199), share) for _ in range(20_000)]
    assert np.mean(passed) == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))


def test_of_three_people_members_set_the_limit_too() -> None:
    strangers, members = np.array([0.9, 0.8, 0.7]), np.arange(1, 101) / 200
    assert limit(strangers, members[:0], 0.01) == 0.7
    told = limit(strangers, members, 0.01)
    assert (members > told).sum() == 10
    assert limit(np.array([0.2, 0.3]), members, 0.01) == 0.2
    assert limit(strangers, members, 1) == members.max()


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
def test_nobody_is_named_where_so_many_went_that_the_space_is_of_another_kind(
    att: FaceSet, name: str
) -> None:
    """Until it is trained again: its distances are not those that three people would have."""
    faces = att.select([10 * person + photo for person in range(5) for photo in range(4)])
    gallery = Gallery(faces, PREPARATION, RECIPES[name]).train()
    gone = [photo.key for photo in faces.index.photos[12:]]
    fewer = gallery.remove(gone).calibrate()
    strangers = att.pixels[200::5]
    assert not any(verdict.decision.person for verdict in identify_all(fewer, strangers))
    again = fewer.train().calibrate()
    members = att.pixels[[4, 5, 14, 15, 24, 25]]
    assert sum(v.decision.kind != "unknown" for v in identify_all(again, members)) >= 3


def test_the_smaller_the_share_the_higher_the_threshold() -> None:
    scores = np.random.default_rng(0).random(50)
    limits = [threshold(scores, share) for share in np.linspace(0, 1, 40)]
    assert limits == sorted(limits, reverse=True)
    assert limits[0] == scores.max()


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

    def test_nothing_asked_is_the_least(self) -> None:
        assert Promise(30, 4).at_most(0) == pytest.approx(Promise(30, 4).least)
        assert Promise(30, 4).at_most(1) == 1

    def test_more_people_promise_more_than_more_photographs(self) -> None:
        assert Promise(40, 5).least < Promise(20, 10).least < Promise(20, 5).least
