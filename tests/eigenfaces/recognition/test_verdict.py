"""Verdicts: the nearest people, ties, means, and what is decided and said about them."""

import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from synthetic import gallery as trained_gallery

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe, identify
from eigenfaces.errors import NotTrainedError
from eigenfaces.recognition.calibration import FEWEST_FOR_LIMIT, Calibration, FacenessModel, HeldOut
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import (
    KIND_MEANINGS,
    SHORT,
    Decision,
    Kind,
    decide,
    identify_all,
)
from eigenfaces.sample import PREPARATION, load_sample


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    return trained_gallery(rng)


def on_a_line(grey: list[float], names: list[str | None]) -> Gallery:
    """Faces of one grey each: in face space they lie on a line."""
    faces = FaceSet.from_arrays(np.stack([at(level) for level in grey]), names)
    preparation = Preparation(16, 16, already_cropped=True)
    return Gallery(faces, preparation, Recipe.of(components=1)).train()


def at(grey: float) -> np.ndarray:
    return np.full((16, 16), grey / 255, np.float32)


def test_the_runner_up_is_said_with_its_ratio_where_that_means_something() -> None:
    gallery = on_a_line([100, 120, 200], ["Ada", "Bob", "Cy"])
    alone = on_a_line([100, 120], ["Ada", None])
    for known, grey, pattern in (
        (gallery, 105, "^Ada is nearest, at a distance of 0.3137. Next is Bob, at 3.0 × the"),
        (gallery, 101, r"Next is Bob, at 1\.192 instead of 0\.0627\d\."),
        (gallery, 100, "Next is Bob, at .* instead of 0"),
        (alone, 101, "There is nobody else to compare with.$"),
    ):
        assert re.search(pattern, identify(known, at(grey)).decision.sentence)
    assert identify(alone, at(101)).runner_up is None
    for distance, following, words in (
        (0, 12, "at 12.00 instead of 0."),
        (0.5, 12, "at 12.00 instead of 0.5000."),
    ):
        assert words in decided(distance, following).sentence
    unsorted = replace(decided(5, 16), runner_up=("Person 40", 4.0))
    assert "at 4.000 instead of 5.000." in unsorted.sentence


@pytest.mark.parametrize(
    ("face", "words"),
    [
        (np.zeros(7), "20 × 16"),
        (np.zeros((20, 16)), "16 × 20 pixels and the gallery's have 20 × 16"),  # transposed
        (np.full((16, 20), np.nan), "not numbers"),
        (np.full((16, 20), 255), r"between 0 \(black\) and 1 \(white\)"),  # as OpenCV reads it
        (np.full((16, 20), -0.1), r"between 0 \(black\) and 1 \(white\)"),
    ],
)
def test_what_is_no_such_face_is_refused(
    rng: np.random.Generator, face: np.ndarray, words: str
) -> None:
    gallery = trained_gallery(rng, shape=(16, 20))
    own = gallery.faces.image(0)
    assert identify(gallery, own).closest.row == identify(gallery, own.ravel()).closest.row == 0
    with pytest.raises(EigenfacesError, match=words):
        identify(gallery, face)
    with pytest.raises(NotTrainedError):
        identify(replace(gallery, training=None), own)


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_distance_that_is_no_number_is_refused(gallery: Gallery, broken: float) -> None:
    """Whatever a damaged file, or a strange setting, has put into the face space."""
    training = gallery.trained
    mean, coordinates = training.space.mean.copy(), training.coordinates.copy()
    mean[3] = coordinates[5, 1] = broken
    space = replace(training.space, mean=mean)
    for damaged in (
        replace(training, space=space, matching_space=space),
        replace(training, coordinates=coordinates, matching_coordinates=coordinates),
    ):
        with pytest.raises(EigenfacesError, match="no finite numbers, so nobody is named"):
            identify(replace(gallery, training=damaged), gallery.faces.image(0))


def calibration_of(people: int = 35, photos: int = 8, *, strangers: float = 10) -> Calibration:
    """Return one in which members lie at 1 … 9 and strangers at ``strangers`` and beyond."""
    numbers = np.repeat(np.arange(people), photos)
    spread = np.linspace(0, 1, len(numbers))
    member = Nearest(numbers, 1 + 8 * spread, 16 + 0 * spread)
    stranger = Nearest((numbers + 1) % people, strangers + 5 * spread, strangers + 5.5 * spread + 1)
    likeness = FacenessModel(*[np.zeros(0, np.float32)] * 3, 0.58)
    return Calibration("", HeldOut(numbers, member, stranger), likeness, np.full_like(spread, 0.4))


def decided(
    distance: float,
    following: float,
    face_residual: float = 0.4,
    by: Calibration | None = None,
    share: float = 0.01,
) -> Decision:
    nearest, runner_up = ("Person 05", distance), ("Person 40", following)
    return decide(by or calibration_of(), share, nearest, runner_up, face_residual)


def test_every_kind_has_its_words() -> None:
    assert set(KIND_MEANINGS) == set(SHORT) == set(get_args(Kind))
    for kind in KIND_MEANINGS:
        for runner_up in [("Bob", 1.01), ("Bob", 3.0), None]:
            decision = Decision(kind, ("Ada", 1.0), runner_up)
            assert not re.search(r"\d|[{}]", f"{decision.word} {decision.short}")
            assert len(decision.short.split()) <= 11


def test_sure_and_likely() -> None:
    sure = decided(4, 10.8)
    assert (sure.kind, sure.person, sure.headline) == ("sure", "Person 05", "Person 05")
    assert sure.badge == "sure: over 99 in 100 such names are right"
    assert sure.sentence == "This is Person 05. Next is Person 40, at 2.7 × the distance."
    assert sure.limits == (
        "What is up to 58 % unlike a face counts as one: 100 of 100 held-out faces do. A face "
        "nearer than 10.02 is named, which lets through at most 1 % of strangers; with 35 people "
        "no less than 4.0 % can be promised."
    )
    assert "at most 10 % of strangers; with 35 people 17." in decided(4, 10.8, share=0.1).limits
    likely = replace(sure, kind="likely", probability=0.95)
    assert likely.sentence.startswith("This is probably Person 05. Next is Person 40")
    assert likely.badge == "likely: over 90 in 100 such names are right"
    few = replace(sure, calibration=calibration_of(people=8))
    seldom = replace(few, calibration=calibration_of(photos=3))
    assert few.badge == seldom.badge == "sure, but roughly: few people or photos to learn from"


def test_ask() -> None:
    close = replace(decided(4, 10.8), kind="ask", runner_up=("Person 40", 4.06), probability=0.95)
    assert close.headline == "Person 05 or Person 40?"
    assert close.sentence == (
        "Person 05 is nearest, but not clearly enough: 95 in 100 such names are right. "
        "Next is Person 40, at 1.01 × the distance. You decide."
    )
    alone = replace(close, runner_up=None)
    assert alone.headline == "Person 05?"
    assert alone.label == "Person 05"
    for name in ("Grandma?", "Ada · Paris"):
        labels = [replace(alone, kind=kind, nearest=(name, 4.0)).label for kind in KIND_MEANINGS]
        assert labels[:4] == [name, name, name, f"Perhaps {name}"]
        assert labels[4:] == ["Unknown", "Perhaps no face", "Not a face", f"Closest: {name}"]
    assert "nobody else to compare with" in alone.sentence


def beyond_the_limit(following: float) -> tuple[Decision, float]:
    """Return what is decided beyond the limit, and the probability, by how far the next person is.

    Strangers have next to no margin here, members a large one: it is what tells.
    """
    decision = decided(9.4, following, by=calibration_of(strangers=8))
    assert decision.limit is not None
    assert decision.limit <= 9.4
    assert decision.probability is not None
    assert decision.person is None
    return decision, decision.probability


@pytest.mark.parametrize("following", [9.5, 11.0, 13.0])
def test_beyond_the_limit_and_rather_wrong_is_unknown(following: float) -> None:
    decision, probability = beyond_the_limit(following)
    assert probability < 0.5
    assert decision.kind == "unknown"
    assert decision.headline == "Unknown · nearest is Person 05"
    assert decision.sentence.startswith("This is a face, but farther from everybody than the")


@pytest.mark.parametrize("following", [20.0, 30.0])
def test_perhaps_is_beyond_the_limit_but_rather_right(following: float) -> None:
    decision, probability = beyond_the_limit(following)
    assert probability >= 0.5
    assert decision.kind == "perhaps"
    headline = "Perhaps Person 05", "more often right than wrong"
    assert (decision.headline, decision.badge) == headline
    assert decision.sentence.startswith("This is perhaps Person 05: farther than the limit, but ")
    assert f"{int(100 * probability)} in 100 such names are right" in decision.sentence


def test_what_the_limit_cannot_promise_is_one_sentence() -> None:
    few = decided(4, 10.8, by=calibration_of(people=4, photos=20))
    assert few.caveat == (
        "With 4 people, up to 28 in 100 strangers may be named; with 20 people, 6."
    )
    assert decided(4, 10.8, share=0.1).caveat == ""
    nobody = decided(4, 10.8, by=calibration_of(strangers=0.5))
    assert re.match(r"The limit is 0\.5.*so nobody is named", nobody.caveat)


def test_no_face() -> None:
    far = decided(20, 30, face_residual=0.65)
    assert (far.kind, far.headline, far.badge) == ("no face", "Not a face", "no name is given")
    assert far.sentence == (
        "Unlike a face: 65 % (limit 58 %); 100 of 100 held-out faces stay below."
    )
    assert "is not asked" in far.limits
    near = decided(4, 10.8, face_residual=0.6)
    assert near.headline == "Near Person 05, but perhaps no face"
    assert "within the limit, but unlike a face: 60 % (limit 58 %)" in near.sentence
    assert near.probability is far.probability is near.person is far.person is None
    few = calibration_of(people=9, photos=1)
    few.face_residual[:2] = 0.6
    of_few = decided(20, 30, face_residual=0.65, by=few)
    assert "7 of 9 held-out faces" in of_few.sentence
    assert "7 of 9 held-out faces" in of_few.limits


def test_not_calibrated_says_why() -> None:
    unmeasured = decide(None, 0.01, ("Ada", 1.0), ("Bob", 2.0), None)
    assert (unmeasured.headline, unmeasured.badge) == ("Closest: Ada", "not calibrated")
    assert unmeasured.sentence.startswith(
        "Ada is nearest, at a distance of 1.000. Next is Bob, at 2.0 ×"
    )
    assert "not measured yet" in unmeasured.reason
    assert unmeasured.limits == unmeasured.reason
    few = decided(4, 10.8, by=calibration_of(people=FEWEST_FOR_LIMIT - 1))
    assert few.kind == "not calibrated"
    assert "fewer than 3 people" in few.reason
    assert decided(4, 10.8).reason == ""


@pytest.mark.parametrize(
    ("people", "recipe"),
    [(1, "Eigenfaces"), *((8, name) for name in ["Eigenfaces", "Fisherfaces", "Texture"])],
)
def test_no_probability_is_said_that_nothing_measured(people: int, recipe: str) -> None:
    """With one photograph each, or one person, none was named while it was held out."""
    faces = load_sample()
    rows = range(0, 80, 10) if people > 1 else range(5)
    gallery = Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train().calibrate()
    for verdict in identify_all(gallery.with_share(1.0), faces.pixels[5:80:10]):
        decision = verdict.decision
        assert decision.probability is decision.person is None
        assert "in 100 such names" not in decision.badge + decision.sentence
        if decision.kind == "ask":
            assert "not known how often names are right. Next is" in decision.sentence
        assert decision.kind in ("ask", "unknown" if people > 1 else "not calibrated")
