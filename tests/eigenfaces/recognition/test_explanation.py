"""Why somebody is nearest: what the parts add up to, what is said of them; a face taken apart."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.recognition.calibration import Calibration, FacenessModel
from eigenfaces.recognition.decision import KIND_MEANINGS, Decision
from eigenfaces.recognition.explanation import (
    MOST_BARS,
    Explanation,
    Reconstruction,
    closeness_words,
    error_rates_words,
    explain,
    question_words,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import NO_PAIRS, HeldOut
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import Verdict, identify
from eigenfaces.sample import PREPARATION, load_sample
from eigenfaces.space.distances import DISTANCES, Distance
from eigenfaces.text import percent
from tests.synthetic import small_gallery

FACES = load_sample()
PEOPLE = 8
PROBES = (6, 27, 155)  # two of known people, and a stranger


@pytest.fixture(scope="module")
def galleries() -> dict[str, Gallery]:
    faces = FACES.select([row for row in range(10 * PEOPLE) if row % 10 < 5])
    galleries = {name: Gallery(faces, PREPARATION, recipe) for name, recipe in RECIPES.items()}
    return {name: gallery.train().calibrate() for name, gallery in galleries.items()}


def explained(gallery: Gallery, row: int = 6) -> tuple[Explanation, Verdict]:
    verdict = identify(gallery, FACES.image(row))
    return explain(gallery, FACES.image(row), verdict), verdict


@pytest.mark.parametrize("distance", DISTANCES.values(), ids=DISTANCES)
def test_of_pixels_bars_and_map_add_up_to_the_same(
    galleries: dict[str, Gallery], distance: Distance
) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(distance=distance.name, dropped=3))
    for probe in PROBES:
        explanation, verdict = explained(gallery, probe)
        assert explanation.pictures
        for split, match in zip(explanation.splits, verdict.ranking[:2], strict=True):
            assert split.match == match
            assert split.distance == pytest.approx(match.distance, rel=1e-4)
            assert split.squares[:3].max() == 0 < split.squares[3:].min()
            bars, face_map = explanation.bars(split), split.face_map
            assert len(bars) == len(explanation.labels) <= MOST_BARS
            assert face_map is not None
            assert face_map.shape == FACES.shape
            assert face_map.min() >= 0
            assert face_map.sum() == pytest.approx(bars.sum(), rel=1e-5)
            total = float(split.map_caption.removeprefix("adds up to ").replace(",", ""))
            assert total == pytest.approx(bars.sum(), rel=1e-3)
            if distance.kind == "euclidean":
                assert bars.sum() == pytest.approx(match.distance**2, rel=1e-4)
            elif distance.kind == "angle":
                assert bars.sum() == pytest.approx(2 * match.distance, rel=1e-4)


@pytest.mark.parametrize("recipe", ["Fisherfaces", "Texture"])
@pytest.mark.parametrize(
    "settings", [{}, {"distance": "Mahalanobis cosine"}, {"components": 4}], ids=str
)
def test_an_angle_splits_over_axes_and_its_cosine_over_the_face(
    galleries: dict[str, Gallery], recipe: str, settings: dict[str, object]
) -> None:
    gallery = galleries[recipe].with_recipe(RECIPES[recipe].changed(**settings))
    for probe in PROBES:
        explanation, verdict = explained(gallery, probe)
        assert not explanation.pictures
        for split, match in zip(explanation.splits, verdict.ranking[:2], strict=True):
            assert explanation.bars(split).sum() == pytest.approx(2 * match.distance, abs=1e-5)
            assert split.distance == pytest.approx(match.distance, abs=1e-5)
            assert split.face_map is not None
            assert split.face_map.shape == FACES.shape
            assert split.face_map.sum() == pytest.approx(1 - match.distance, abs=1e-5)
        assert explanation.map_words.startswith(
            "These are the parts of the cosine, 1 − the distance"
        )


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("rule", ["nearest", "class mean", "mean distance"])
def test_it_explains_what_the_rule_measured_to(
    galleries: dict[str, Gallery], recipe: str, rule: str
) -> None:
    gallery = galleries[recipe].with_recipe(RECIPES[recipe].changed(rule=rule))
    explanation, verdict = explained(gallery, 27)
    nearest = min(
        distance
        for row, distance in zip(verdict.rows, verdict.distances, strict=True)
        if gallery.index.photos[row].person == verdict.closest.person
    )
    measured = nearest if rule == "mean distance" else verdict.closest.distance
    first = explanation.splits[0]
    assert np.hypot(first.distance, np.sqrt(first.added)) == pytest.approx(measured, rel=1e-4)
    by_score = recipe == "Network" and rule == "class mean"
    assert (first.added > 0) == by_score
    assert ("for a mean of several" in explanation.bars_words) == by_score


@pytest.mark.parametrize(
    ("settings", "equal", "remark"),
    [
        ({}, "², the squared distance.", ""),
        ({"distance": "cosine"}, ", twice the cosine distance.", ""),
        ({"distance": "L1"}, "the squared L2 distance; L1, here", ""),
        ({"distance": "Mahalanobis L1"}, "squared Mahalanobis L2 distance; Mahalanobis", ""),
        (
            {"rule": "class mean"},
            "², the squared distance.",
            ("to the mean of each person’s photos"),
        ),
        ({"rule": "mean distance"}, "the squared distance.", "the verdict uses the average"),
    ],
    ids=str,
)
def test_it_is_said_what_the_bars_add_up_to(
    galleries: dict[str, Gallery], settings: dict[str, str], equal: str, remark: str
) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(**settings))
    explanation, verdict = explained(gallery)
    first, _, *remarks = explanation.bars_words.splitlines()
    assert first.startswith(f"{verdict.closest.person}: the bars add up to ")
    assert equal in first
    assert len(remarks) == bool(remark)
    assert remark in " ".join(remarks)


def test_without_a_map_or_a_second_person_it_is_said_so(galleries: dict[str, Gallery]) -> None:
    texture = galleries["Texture"].with_recipe(RECIPES["Texture"].changed(distance="L2"))
    explanation, verdict = explained(texture)
    split = explanation.splits[0]
    assert split.squares.sum() == pytest.approx(verdict.closest.distance**2, rel=1e-4)
    assert (split.face_map, split.map_caption) == (None, "")
    assert explanation.map_words.startswith("There is no map: Texture compares along axes")
    alone = replace(verdict, ranking=verdict.ranking[:1])
    explanation = explain(texture, FACES.image(6), alone)
    assert [split.match for split in explanation.splits] == [verdict.closest]


def test_every_kind_has_its_question(galleries: dict[str, Gallery]) -> None:
    decision = explained(galleries["Eigenfaces"])[1].decision
    questions = {kind: question_words(replace(decision, kind=kind)) for kind in KIND_MEANINGS}
    assert questions["sure"] == questions["likely"] == f"Why {decision.nearest[0]}?"
    assert questions["ask"].startswith(f"Why {decision.nearest[0]} or ")
    assert questions["unknown"] == "Why nobody?"
    assert all(text.endswith("?") and "??" not in text for text in questions.values())


POINTS = st.lists(st.tuples(st.floats(0, 20), st.floats(0, 1)), max_size=30).map(
    lambda pairs: np.array(pairs, float).reshape(-1, 2)
)


def held_apart(
    members: np.ndarray, strangers: np.ndarray, limit: float, face_limit: float
) -> Decision:
    """Return a decision at the limit, by held-out photographs at these places."""
    m, s = len(members), len(strangers)
    people = np.concatenate([np.zeros(m + 1, int), np.arange(1, s + 1)])  # one was not held out
    known = np.concatenate([members[:, 0], np.full(s + 1, np.nan)])
    strange = np.concatenate([np.full(m + 1, np.inf), strangers[:, 0]])
    both = (Nearest(people, far, far + 1) for far in (known, strange))
    held = HeldOut(people, *both, known, NO_PAIRS)
    unlike = np.concatenate([members[:, 1], [0], strangers[:, 1]])
    likeness = FacenessModel(*[np.zeros(0, np.float32)] * 3, face_limit)
    calibration = Calibration("", held, likeness, unlike)
    return Decision("unknown", ("Ada", limit), None, limit=limit, calibration=calibration)


@given(POINTS, POINTS, st.floats(0, 20), st.floats(0, 1))
def test_counts_are_those_of_the_rule(
    members: np.ndarray, strangers: np.ndarray, limit: float, face_limit: float
) -> None:
    decision = held_apart(members, strangers, limit, face_limit)
    sentence = error_rates_words(decision)
    passes = [d < limit and left <= face_limit for d, left in members.tolist()]
    if passes:
        refused = percent((len(passes) - sum(passes)) / len(passes), 0)
        assert f"limits, {refused} of known people’s photos are refused" in sentence
    passes = [d < limit and left <= face_limit for d, left in strangers.tolist()]
    if passes:
        assert f" {sum(passes)} of {len(passes)} strangers " in sentence
    assert bool(sentence) == bool(len(members) + len(strangers))
    assert bool(closeness_words(decision)) == bool(len(members))


def test_sentences_hold_both_classes() -> None:
    members = np.stack([np.arange(100.0), np.full(100, 0.5)], axis=1)
    strangers = np.stack([np.arange(50.0, 90), np.full(40, 0.5)], axis=1)
    farther = "87 in 100 photos of known people and all 40 photos of strangers are farther"
    near, at = (held_apart(members, strangers, limit, 0.5) for limit in (12.5, 51.0))
    assert closeness_words(near) == f"Held out, {farther} than 12.50."
    refused = "With these limits, 49 % of known people’s photos are refused"
    assert error_rates_words(at) == f"{refused}. 1 of 40 strangers is named."
    assert (
        closeness_words(replace(at, calibration=None))
        == error_rates_words(replace(at, limit=None))
        == ""
    )


def test_pictures_and_figures_agree_with_the_core() -> None:
    recipe = Recipe.of(lighting="photo mean", window="oval")
    gallery = replace(small_gallery(), recipe=recipe).train()
    face, photo = gallery.faces.image(3), gallery.index.photos[3]
    ours = Reconstruction.of(gallery, photo, face)
    errors = []
    for k in (0, 4, ours.most):
        rebuilt, space = ours.rebuilt(k), gallery.trained.space.first(k)
        expected = space.reconstruct(gallery.trained.coordinates[3, :k])
        np.testing.assert_allclose(rebuilt, expected.reshape(rebuilt.shape), atol=1e-5)
        errors.append(ours.rmse(rebuilt))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.01
    assert np.all(np.diff(ours.errors) <= 1e-12)
