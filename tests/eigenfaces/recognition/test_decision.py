"""The words of a decision: true of every distance, and each figure one that was measured."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from eigenfaces.recognition.calibration import FEWEST_PEOPLE, Calibration, FaceLikeness, HeldOut
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import GROUPS, KINDS, Decision, Kind, decide, identify_all
from eigenfaces.sample import PREPARATION, load_sample


def calibration_of(people: int = 35, photos: int = 8, *, strangers: float = 10) -> Calibration:
    """Return one in which members lie at 1 … 9 and strangers at ``strangers`` and beyond."""
    numbers = np.repeat(np.arange(people), photos)
    spread = np.linspace(0, 1, len(numbers))
    member = Nearest(numbers, 1 + 8 * spread, 16 + 0 * spread)
    stranger = Nearest((numbers + 1) % people, strangers + 5 * spread, strangers + 5.5 * spread + 1)
    held = HeldOut(numbers, member, stranger)
    return Calibration(
        "basis",
        held,
        FaceLikeness(*[np.zeros(0, np.float32)] * 3, 0.58),
        np.full(len(numbers), 0.4),
    )


def decided(
    distance: float,
    following: float | None,
    left_over: float | None = 0.4,
    calibration: Calibration | None = None,
    share: float = 0.01,
) -> Decision:
    runner_up = None if following is None else ("Person 40", following)
    by = calibration or calibration_of()
    return decide(by, share, ("Person 05", distance), runner_up, left_over)


def test_every_kind_has_its_words() -> None:
    assert set(KINDS) == set(GROUPS) == set(get_args(Kind))


def test_sure() -> None:
    found = decided(4, 10.8)
    assert (found.kind, found.person, found.headline) == ("sure", "Person 05", "Person 05")
    assert found.chip == "sure: over 99 in 100 such names are right"
    assert found.sentence == "This is Person 05. Next is Person 40, at 2.7 × the distance."
    assert found.marks == (
        "Left of the marks passes. 58 %: 100 of 100 held-out faces. 10.02: at most 1 % of "
        "strangers; with 35 people no less than 4.0 % can be promised."
    )
    more = decided(4, 10.8, share=0.1)
    assert "at most 10 % of strangers; with 35 people 17." in more.marks


def test_likely_and_ask() -> None:
    likely = replace(decided(4, 10.8), kind="likely", probability=0.95)
    assert likely.sentence.startswith("This is probably Person 05. Next is Person 40")
    assert likely.chip == "likely: over 90 in 100 such names are right"
    close = replace(likely, kind="ask", runner_up=("Person 40", 4.06))
    assert close.headline == "Person 05 or 40?"
    assert close.chip == "too close to call"
    assert close.sentence == (
        "Person 05 is nearest, but the distance to Person 40 is only 1.5 % more. You decide."
    )
    unsure = replace(close, runner_up=("Person 40", 8.0), probability=0.899)
    assert unsure.chip == KINDS["ask"]
    assert "only 89 in 100 such names are right. Next is Person 40, at 2.0 ×" in unsure.sentence
    alone = replace(unsure, runner_up=None)
    assert alone.headline == "Person 05?"
    assert "nobody else to compare with" in alone.sentence


def test_few_people_or_photographs_make_the_words_rough() -> None:
    few = replace(decided(4, 10.8), calibration=calibration_of(people=8))
    assert few.chip == "sure, but roughly: only 8 people to learn from"
    seldom = replace(few, calibration=calibration_of(photos=3))
    assert seldom.chip == "sure, but roughly: only 3.0 photos of each person"


@pytest.mark.parametrize(
    ("distance", "strangers", "words"),
    [
        (8.5, 3, "; only 6 in 100 photos of enrolled people, held out, are this far"),
        (8.99, 3, "; fewer than 1 in 100 photos of enrolled people"),
        (5.0, 3, "; but 50 in 100 photos of enrolled people, held out, are this far from everyb"),
        (12, 10, "; none of 280 photos of enrolled people, held out, is this far from everybody."),
    ],
)
def test_nobody(distance: float, strangers: float, words: str) -> None:
    found = decided(distance, 20, calibration=calibration_of(strangers=strangers))
    assert (found.kind, found.person, found.headline) == ("unknown", None, "Nobody enrolled")
    assert found.sentence.startswith("This is a face, but farther from everybody than the mark.")
    assert f"Nearest is Person 05{words}" in found.sentence


def test_no_face() -> None:
    found = decided(20, 30, left_over=0.65)
    assert (found.kind, found.headline, found.chip) == ("no face", "Not a face", "no name is given")
    assert found.sentence == (
        "65 % of its contrast cannot be made of faces; 100 of 100 held-out faces stay under 58 %."
    )
    assert "is not asked" in found.marks
    near = decided(4, 10.8, left_over=0.5812)
    assert near.headline == "Near Person 05, but perhaps no face"
    assert "but 58.12 % of its contrast cannot be made of faces" in near.sentence
    assert "stay under 58.00 %" in near.sentence  # two numbers that differ look different
    few = calibration_of(people=9, photos=1)
    few.left_over[:2] = 0.6
    told = decided(20, 30, left_over=0.65, calibration=few)
    assert "7 of 9 held-out faces" in told.sentence
    assert "7 of 9 held-out faces" in told.marks
    assert near.probability is found.probability is None
    assert near.person is found.person is None
    assert near.group == found.group == "Not a face"


def test_not_calibrated_says_why() -> None:
    found = decide(None, 0.01, ("Ada", 1.0), ("Bob", 2.0), None)
    assert (found.headline, found.chip) == ("Closest: Ada", "not calibrated")
    assert found.sentence.startswith(
        "Ada is nearest, at a distance of 1.000. Next is Bob, at 2.0 ×"
    )
    assert "not measured yet" in found.reason
    assert found.marks == found.reason
    few = decided(4, 10.8, calibration=calibration_of(people=FEWEST_PEOPLE - 1))
    assert few.kind == "not calibrated"
    assert "fewer than 3 people" in few.reason
    assert decided(4, 10.8).reason == ""


@pytest.mark.parametrize(
    ("people", "recipe"), [(1, "Eigenfaces"), *((8, name) for name in RECIPES)]
)
def test_no_probability_is_said_that_nothing_measured(people: int, recipe: str) -> None:
    """With one photograph each, or one person, none was named while it was held out."""
    faces = load_sample()
    rows = range(0, 80, 10) if people > 1 else range(5)
    gallery = Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train().calibrate()
    for verdict in identify_all(gallery.with_share(1.0), faces.pixels[5:80:10]):
        decision = verdict.decision
        assert decision.probability is decision.person is None
        assert "in 100 such names" not in decision.chip + decision.sentence
        if decision.kind == "ask" and decision.chip != "too close to call":
            assert "not known how often names are right. Next is" in decision.sentence
        assert decision.kind in ("ask", "unknown" if people > 1 else "not calibrated")


def test_a_ratio_is_said_only_where_it_means_something() -> None:
    assert "at 12.00 instead of 0." in decided(0, 12).sentence
    assert "at 12.00 instead of 0.5000." in decided(0.5, 12).sentence
    assert "at −3.000 instead of −5.000." in decided(-5, -3).sentence
    unsorted = replace(decided(5, 16), runner_up=("Person 40", 4.0))
    assert "at 4.000 instead of 5.000." in unsorted.sentence
