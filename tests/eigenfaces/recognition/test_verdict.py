"""Verdicts: the nearest people, ties, means, and what is decided and said about them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pytest
from synthetic import gallery as trained_gallery

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe, identify
from eigenfaces.errors import NotTrainedError
from eigenfaces.recognition.calibration import Calibration, FacenessModel
from eigenfaces.recognition.certainty import Certainty
from eigenfaces.recognition.decision import KIND_MEANINGS, SHORT, TOO_CLOSE, Decision, Kind, decide
from eigenfaces.recognition.held_out import NO_PAIRS, HeldOut
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, load_sample

VERDICTS = Path(__file__).with_name("verdicts.txt")


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
        (np.zeros((20, 16)), "16 × 20 pixels and the gallery’s faces have 20 × 16"),  # transposed
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
        with pytest.raises(EigenfacesError, match="not finite numbers, so nobody is named"):
            identify(replace(gallery, training=damaged), gallery.faces.image(0))


def calibration_of(people: int = 35, photos: int = 8, *, strangers: float = 10) -> Calibration:
    """Return one in which members lie at 1 … 9 and strangers at ``strangers`` and beyond."""
    numbers = np.repeat(np.arange(people), photos)
    spread = np.linspace(0, 1, len(numbers))
    member = Nearest(numbers, 1 + 8 * spread, 16 + 0 * spread)
    stranger = Nearest((numbers + 1) % people, strangers + 5 * spread, strangers + 5.5 * spread + 1)
    likeness = FacenessModel(*[np.zeros(0, np.float32)] * 3, 0.58)
    held = HeldOut(numbers, member, stranger, member.distance, NO_PAIRS)
    return Calibration("", held, likeness, np.full_like(spread, 0.4))


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


Place = Literal["inside", "at", "outside"]


def beside(limit: float, place: Place) -> float:
    """Return a limit, or the number that is next to it."""
    there = {"inside": -np.inf, "at": limit, "outside": np.inf}
    return float(np.nextafter(limit, there[place]))


TABLE: list[tuple[Place, Place, float, Kind, Kind]] = [
    # Its distance, what of it is no face, the probability; fitted to the gallery, general: there
    # the network says whether it is a face ("outside": it is none), and nobody within is asked.
    ("inside", "at", 1, "sure", "sure"),
    ("inside", "inside", beside(0.99, "outside"), "sure", "sure"),
    ("inside", "at", 0.99, "sure", "sure"),
    ("inside", "at", beside(0.99, "inside"), "likely", "likely"),
    ("inside", "at", beside(0.9, "outside"), "likely", "likely"),
    ("inside", "at", 0.9, "likely", "likely"),
    ("inside", "at", beside(0.9, "inside"), "ask", "likely"),
    ("inside", "inside", 0, "ask", "likely"),
    ("at", "at", 1, "perhaps", "perhaps"),
    ("outside", "at", 0.99, "perhaps", "perhaps"),
    ("at", "at", beside(0.5, "outside"), "perhaps", "perhaps"),
    ("at", "inside", 0.5, "perhaps", "perhaps"),
    ("at", "at", beside(0.5, "inside"), "unknown", "unknown"),
    ("outside", "inside", 0, "unknown", "unknown"),
    ("inside", "outside", 0.99, "near but no face", "near but no face"),
    ("inside", "outside", beside(0.99, "inside"), "near but no face", "near but no face"),
    ("inside", "outside", 0, "near but no face", "near but no face"),
    ("at", "outside", 1, "no face", "no face"),
    ("outside", "outside", 0, "no face", "no face"),
]
"""What is decided at each limit and beside it; only below that of the distance is a face named."""


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize(("distance", "residual", "certain", "fitted", "learnt_elsewhere"), TABLE)
def test_what_is_decided_at_each_limit(
    distance: Place,
    residual: Place,
    certain: float,
    fitted: Kind,
    learnt_elsewhere: Kind,
    general: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = replace(calibration_of(), general=general)
    limit = known.limit(0.01)
    assert limit is not None
    asked = list[tuple[float, float]]()

    def probability(self: Calibration, distance: float, runner_up: float) -> float:
        asked.append((distance, runner_up))
        return certain

    monkeypatch.setattr(Calibration, "probability", probability)
    monkeypatch.setattr(Calibration, "probability_beyond", lambda self, share, distance: certain)
    here, unlike = beside(limit, distance), beside(known.likeness.limit, residual)
    kind = learnt_elsewhere if general else fitted
    is_asked = kind not in ("near but no face", "no face")
    for runner_up in (("Bob", 2 * limit), None):  # or nobody else there is
        asked.clear()
        is_face = residual != "outside"
        decision = decide(known, 0.01, ("Ada", here), runner_up, unlike, is_face=is_face)
        assert decision.kind == kind
        assert decision.probability == (certain if is_asked else None)
        assert decision.person == ("Ada" if kind in ("sure", "likely") else None)
        if kind == "likely":  # by Network that is no promise of so many right names
            assert ("over 90 in 100" in decision.badge) == (not general)
        face_limit = None if general else known.likeness.limit
        assert (decision.limit, decision.face_limit) == (limit, face_limit)
        following = runner_up[1] if runner_up else np.inf
        assert asked == ([(here, following)] if is_asked else [])


@pytest.mark.parametrize(
    ("general", "following", "kind"),
    [
        (True, 1.0, "ask"),
        (True, 1.04, "ask"),
        (True, beside(TOO_CLOSE, "inside"), "ask"),
        (True, TOO_CLOSE, "sure"),
        (True, beside(TOO_CLOSE, "outside"), "sure"),
        (True, 1.06, "sure"),
        (False, 1.0, "sure"),
        (False, 1.04, "sure"),
    ],
)
def test_two_who_are_too_close_are_asked_about_where_it_is_general(
    general: bool, following: float, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The margin of a gallery's own certainty says it otherwise."""
    monkeypatch.setattr(Calibration, "probability", lambda self, *distances: 1.0)
    known = replace(calibration_of(), general=general)
    nearest, runner_up = ("Ada", 0.5), ("Bob", 0.5 * following)  # a product without rounding
    assert decide(known, 0.01, nearest, runner_up, 0.4).kind == kind


@pytest.mark.parametrize(
    ("people", "photos", "general", "inside", "outside"),
    [
        (1, 8, False, "not calibrated", "not calibrated"),
        (2, 8, False, "not calibrated", "not calibrated"),
        (3, 8, False, "sure", "unknown"),
        (3, 1, False, "ask", "unknown"),  # nobody has two photographs: no probability
        (1, 1, True, "sure", "unknown"),
        (1, 8, True, "sure", "unknown"),
    ],
)
def test_what_is_decided_among_few_people(
    people: int, photos: int, general: bool, inside: Kind, outside: Kind
) -> None:
    known = replace(calibration_of(people, photos), general=general)
    limit = known.limit(0.01)
    assert (limit is None) == (inside == "not calibrated")
    for distance, kind in ((0.3 * (limit or 1), inside), (9 * (limit or 1), outside)):
        runner_up = ("Bob", distance + 12) if people > 1 else None
        decision = decide(known, 0.01, ("Ada", distance), runner_up, 0.4)
        assert decision.kind == kind
        is_measured = limit is not None and (general or photos > 1)
        assert (decision.probability is not None) == is_measured


def test_perhaps_is_said_by_network_where_own_photographs_bear_it_out() -> None:
    """Just beyond the limit, if more of them lie there than strangers do; certainly not beyond."""
    known = replace(calibration_of(20, 5, strangers=0.8), general=True)
    limit = known.strangers.law(0.01)

    def with_members(beyond: int) -> Calibration:
        held = known.held_out
        distances = np.full(100, 0.4)
        distances[:beyond] = limit + 0.01
        member = Nearest(held.people, distances, distances + 0.3)
        return replace(known, held_out=replace(held, member=member))

    shares = [with_members(beyond).probability_beyond(0.01, limit + 0.01) for beyond in (0, 1, 8)]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[1] < 0.5 < shares[2]
    for beyond, kind in ((1, "unknown"), (8, "perhaps")):
        decision = decide(with_members(beyond), 0.01, ("Ada", limit + 0.01), None, 0.4)
        assert decision.kind == kind
    assert decision.probability == shares[2]
    for distance in (limit - 0.001, limit + 0.021):
        assert with_members(8).probability_beyond(0.01, distance) == 0


@pytest.mark.parametrize("general", [False, True])
def test_a_name_that_may_be_the_right_one_is_no_wrong_one(general: bool) -> None:
    """Of two names who may be one person: neither certainty nor “perhaps” counts it as wrong."""
    known = replace(calibration_of(20, 5, strangers=0.8 if general else 10), general=general)
    held, limit = known.held_out, known.limit(0.01) or 0
    person, distances = held.member.person.copy(), held.member.distance.copy()
    if general:
        distances[:] = 0.4
    person[:10] = [*[1] * 5, *[0] * 5]
    distances[:10] = limit + 0.01 if general else 4.0
    member = replace(held.member, person=person, distance=distances)
    measured, asked = (
        replace(known, held_out=replace(held, member=member, alike=alike))
        for alike in (NO_PAIRS, np.array([[0, 1, -1]]))
    )
    assert np.flatnonzero(asked.held_out.perhaps_right).tolist() == [*range(10)]
    if general:
        beyond = [by.probability_beyond(0.01, limit + 0.01) for by in (measured, asked)]
    else:
        beyond = [by.probability(4.0, 16.0) for by in (measured, asked)]
    assert beyond[0] < beyond[1]


def test_twice_as_many_people_halve_the_odds_of_a_name_by_network() -> None:
    scores = np.array([[-0.4, 0.3], [-0.5, 0.1], [-0.6, 0.0]])
    few, many = (Certainty.in_general(people).probability(scores) for people in (10, 20))
    np.testing.assert_allclose(few / (1 - few), 2 * many / (1 - many))
    assert (np.diff(few) < 0).all()


def test_who_has_one_photograph_says_nothing_about_how_often_names_are_right() -> None:
    """They are strangers, and no names that were wrong."""
    known = calibration_of(people=25)
    single = np.arange(25, 35)

    def with_singles(distance: float) -> Calibration:
        held = known.held_out
        near, away = np.full(10, distance), np.full(10, 10.0)
        member = Nearest(
            np.append(held.member.person, np.zeros(10, np.intp)),
            np.append(held.member.distance, near),
            np.append(held.member.runner_up, near + 1),
        )
        stranger = Nearest(
            np.append(held.stranger.person, np.zeros(10, np.intp)),
            np.append(held.stranger.distance, away),
            np.append(held.stranger.runner_up, away + 1),
        )
        people = np.append(held.people, single)
        held = HeldOut(people, member, stranger, member.distance, NO_PAIRS)
        return replace(known, held_out=held)

    near, far = (with_singles(distance).probability(5, 9) for distance in (2, 30))
    assert near == far
    assert 0 < near < 1


@pytest.mark.parametrize("known", [None, calibration_of()])
def test_what_is_not_measured_is_not_decided(known: Calibration | None) -> None:
    decision = decide(known, 0.01, ("Ada", 1.0), ("Bob", 2.0), None)
    assert (decision.kind, decision.probability, decision.limit) == ("not calibrated", None, None)
    assert decide(None, 0.01, ("Ada", 1.0), None, 0.4).kind == "not calibrated"


def every_decision() -> Iterator[Decision]:
    """Yield decisions of every kind, and one for each other thing that is said of them."""
    sure = decided(4, 10.8)
    yield sure
    yield decided(4, 10.8, share=0.1)
    yield replace(sure, calibration=calibration_of(people=8))
    yield replace(sure, calibration=calibration_of(photos=3))
    yield replace(sure, kind="likely", probability=0.95)
    close = replace(sure, kind="ask", runner_up=("Person 40", 4.06), probability=0.85)
    yield close
    yield replace(close, runner_up=None)
    yield replace(close, probability=None)
    yield replace(close, nearest=("Person 05", 0.0))
    far = replace(sure, nearest=("Person 05", 12.0), runner_up=("Person 40", 30.0))
    yield replace(far, kind="perhaps", probability=0.68)
    yield replace(far, kind="unknown", probability=0.2)
    yield decided(4, 10.8, face_residual=0.6)
    yield decided(20, 30, face_residual=0.65)
    few = calibration_of(people=9, photos=1)
    few.face_residual[:2] = 0.6
    yield decided(20, 30, face_residual=0.65, by=few)
    yield decide(None, 0.01, ("Ada", 1.0), ("Bob", 2.0), None)
    yield decided(4, 10.8, by=calibration_of(people=2))
    yield decided(4, 10.8, by=calibration_of(people=4, photos=20))
    yield decided(4, 10.8, by=calibration_of(strangers=0.5))


def words_of(decisions: Iterable[Decision]) -> str:
    """Return all that is said of decisions, after the kind of the first; the same words once."""
    names = "headline", "label", "word", "short", "badge", "sentence", "limits", "caveat"
    said = dict[tuple[str, str], str]()
    for decision in decisions:
        for name in names:
            if words := getattr(decision, name):
                said.setdefault((name, words), decision.kind)
    return "".join(f"{kind}, {name}: {words}\n" for (name, words), kind in said.items())


def test_what_is_said_of_every_decision() -> None:
    """A change that is meant is made in `verdicts.txt` too, so that the commit shows it."""
    decisions = list(every_decision())
    assert {decision.kind for decision in decisions} == set(get_args(Kind))
    assert words_of(decisions) == VERDICTS.read_text("utf-8")


def test_no_sentence_about_a_decision_is_long() -> None:
    """What has two things to say says them in two."""
    lines = VERDICTS.read_text("utf-8").replace("Person ", "").splitlines()
    said = [sentence for line in lines for sentence in re.split(r"[.?] ", line.partition(": ")[2])]
    assert [sentence for sentence in said if len(sentence.split()) > 16] == []


def test_a_label_keeps_the_name() -> None:
    """Whatever signs are in it."""
    ask = Decision("ask", ("Grandma?", 4.0), None)
    for name in ("Grandma?", "Ada · Paris"):
        labels = [replace(ask, kind=kind, nearest=(name, 4.0)).label for kind in KIND_MEANINGS]
        assert labels[:4] == [name, name, name, f"Perhaps {name}"]
        assert labels[4:] == ["Unknown", "Unclear", "Unclear", f"Closest: {name}"]


@pytest.mark.parametrize("following", [9.5, 11.0, 13.0, 20.0, 30.0])
def test_beyond_the_limit_the_margin_tells(following: float) -> None:
    """Strangers have next to no margin here, members a large one."""
    decision = decided(9.4, following, by=calibration_of(strangers=8))
    assert decision.limit is not None
    assert decision.limit <= 9.4
    assert decision.probability is not None
    assert (decision.probability >= 0.5) == (following >= 20)
    assert decision.kind == ("perhaps" if following >= 20 else "unknown")


@pytest.mark.parametrize(
    ("people", "recipe"),
    [(1, "Eigenfaces"), *((8, name) for name in ["Eigenfaces", "Fisherfaces", "Texture"])],
)
def test_there_is_no_probability_that_nothing_measured(people: int, recipe: str) -> None:
    """With one photograph each, or one person, none was named while it was held out."""
    faces = load_sample()
    rows = range(0, 80, 10) if people > 1 else range(5)
    gallery = Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train().calibrate()
    for verdict in identify_all(gallery.with_share(1.0), faces.pixels[5:80:10]):
        decision = verdict.decision
        assert decision.probability is decision.person is None
        assert decision.kind in ("ask", "unknown" if people > 1 else "not calibrated")


@pytest.mark.parametrize(
    ("people", "photos", "rough"), [(19, 8, True), (20, 5, False), (20, 4, True), (21, 8, False)]
)
def test_words_are_rough_of_few_people_and_of_few_photographs(
    people: int, photos: int, rough: bool
) -> None:
    known = calibration_of(people, photos)
    assert known.certainty.rough == rough
    assert ("roughly" in decided(4, 10.8, by=known).badge) == rough
