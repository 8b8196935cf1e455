"""The limit for strangers: the law of Network, and the evidence against it."""

import numpy as np
import pytest
from scipy.stats import binom

from eigenfaces.recognition.limits import Strangers, conformal_limit, general_limit


def test_the_law_is_what_was_learnt() -> None:
    """0.577 + 0.0175 ln(5 / N); with one photograph each it is on the safe side."""
    for people, limit in ((5, 0.577), (10, 0.565), (19, 0.554), (20, 0.553), (50, 0.537)):
        assert general_limit(0.01, [5] * people) == pytest.approx(limit, abs=0.002)
    for people, needed in ((1, 0.605), (5, 0.568), (10, 0.553), (20, 0.528), (60, 0.502)):
        assert needed - 0.01 < general_limit(0.01, [1] * people) < needed + 0.0001


def test_the_law_falls_evenly_with_people_and_rises_with_the_share() -> None:
    by_people = [general_limit(0.01, [5] * people) for people in range(1, 60)]
    assert (np.diff(by_people) < 0).all()
    assert abs(by_people[19] - by_people[18]) < 0.0011
    by_share = [general_limit(share, [5] * 20) for share in (0, 0.001, 0.01, 0.05, 0.1, 1)]
    assert (np.diff(by_share) > 0).all()
    mixed = general_limit(0.01, [1, 5] * 20)
    assert general_limit(0.01, [1] * 40) < mixed < general_limit(0.01, [5] * 40)


def strangers(people: int, near: int, *, general: bool = True, photos: int = 5) -> Strangers:
    """Return people of whom so many come near somebody else with one photograph."""
    distances = np.linspace(0.7, 0.9, people * photos)
    distances[np.arange(near) * photos] = 0.4 + 0.001 * np.arange(near)
    of = np.repeat(np.arange(people), photos)
    return Strangers(distances, of, np.full(people, float(photos)), general)


@pytest.mark.parametrize("people", [8, 19, 20, 60, 300])
@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
def test_own_people_speak_on_evidence_only(people: int, share: float) -> None:
    """More of them near somebody else than 1 of 100 galleries has by the law: binomial."""
    chance = share * 5 / (1 + 0.4 * 4)
    for near in range(min(people, 60)):
        own = strangers(people, near)
        speaks = near > 2 and binom.sf(near - 1, people, chance) < 0.01
        assert own.speak(share) == speaks
        law = general_limit(share, [5] * people)
        expected = min(law, conformal_limit(own.distances, share)) if speaks else law
        assert own.limit(share) == expected


def test_one_pair_alone_never_speaks_and_other_recipes_have_no_law() -> None:
    for people in (2, 5, 20):
        assert strangers(people, 2).limit(0.01) == strangers(people, 0).limit(0.01)
    own = strangers(20, 2, general=False)
    assert own.limit(0.01) == conformal_limit(own.distances, 0.01)
    assert own.guarantee.people == 20


def test_of_people_who_are_nowhere_near_the_law_holds() -> None:
    none = Strangers(np.empty(0), np.empty(0, int), np.ones(1), general=True)
    assert none.limit(0.01) == general_limit(0.01)
    assert none.share_within(none.limit(0.05)) == pytest.approx(0.05)
