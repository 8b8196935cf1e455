"""A calibration: thresholds, promises and certainty; what is held out; what is no face at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonfaces import nonfaces
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

from eigenfaces import FaceSet
from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.faces.general_model import face_vectors, general_faces
from eigenfaces.recognition.calibration import FacenessModel, held_out_histogram
from eigenfaces.recognition.certainty import Certainty
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import NO_PAIRS, CrossValidation, HeldOut
from eigenfaces.recognition.limits import Guarantee, conformal_limit
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.statistics import Histogram, bin_edges
from eigenfaces.recognition.training import PrincipalFaces
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, SHAPE, load_sample
from eigenfaces.space.principal import Principal


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 99))
def test_it_is_one_of_the_distances_and_at_most_the_share_is_nearer(
    count: int, share: float, seed: int
) -> None:
    distances = np.random.default_rng(seed).random(count)
    most = conformal_limit(distances, share)
    assert most in distances
    assert (distances < most).sum() <= share * (count + 1)
    assert conformal_limit(distances[::-1], share) == most


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_a_new_stranger_passes_as_seldom_as_asked(share: float) -> None:
    """On average over galleries, as conformal quantiles promise."""
    rng = np.random.default_rng(0)
    passed = [rng.normal() < conformal_limit(rng.normal(size=199), share) for _ in range(20_000)]
    assert np.mean(passed) == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EigenfacesError, match="people"):
        conformal_limit(np.empty(0), 0.01)
    with pytest.raises(EigenfacesError, match="from 0 to 1"):
        conformal_limit(np.ones(3), 1.5)


@pytest.mark.parametrize(("strangers", "named"), [(20, 0), (60, 3), (100, 5)])
def test_what_is_promised_is_the_upper_limit_of_a_count(strangers: int, named: int) -> None:
    promise = Guarantee(strangers, 1)
    assert promise.effective_strangers == strangers
    limit = promise.upper_bound(named / strangers)
    assert binom.cdf(named, strangers, limit) == pytest.approx(0.05)
    assert promise.upper_bound(0) == pytest.approx(promise.minimum)
    assert promise.upper_bound(1) == 1
    assert Guarantee(strangers, 10).minimum > Guarantee(2 * strangers, 5).minimum


def test_certainty_is_that_of_scikit_learn_with_equal_weight_of_strangers(
    rng: np.random.Generator,
) -> None:
    from sklearn.linear_model import LogisticRegression

    seen, strangers = rng.normal(1, 1, (200, 2)), rng.normal(-1, 1, (50, 2))
    right = seen.sum(axis=1) + rng.normal(0, 1, 200) > 0.5
    made = Certainty.fit(seen, right, strangers, rough=False)
    both = (np.concatenate([seen, strangers]) - made.mean) / made.deviation
    weights = np.concatenate([np.full(200, 1 / 200), np.full(50, 1 / 50)]) * 125
    peer = LogisticRegression(C=10, tol=1e-10, max_iter=1000)
    peer.fit(both, np.concatenate([right, np.zeros(50, bool)]), sample_weight=weights)
    expected = peer.predict_proba(both[:200])[:, 1]
    np.testing.assert_allclose(made.probability(seen), expected, atol=1e-5)


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Texture"])
def test_it_can_be_stopped_anywhere(recipe: str) -> None:
    rows, told = [row for row in range(70) if row % 10 < 6], list[float]()
    gallery = Gallery(load_sample().select(rows), PREPARATION, RECIPES[recipe]).train()
    whole = gallery.calibrate(lambda done, total: told.append(done / total)).calibration
    assert told == sorted(told)
    assert told[-1] == 1
    assert np.diff(told).max() < 0.3, "no stage is silent, the likeness to a face included"
    for last in np.linspace(0, len(told) - 1, 4).astype(int):
        ticks = iter(range(int(last)))

        def stop(done: int, total: int, ticks: Iterator[int] = ticks) -> None:
            if next(ticks, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            gallery.calibrate(stop)
    again = gallery.calibrate().calibration
    assert whole is not None
    assert again is not None
    assert np.array_equal(again.held_out.member.distance, whole.held_out.member.distance)
    assert np.array_equal(again.face_residual, whole.face_residual)


DISTANCES = st.lists(
    st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=1, max_size=60
).map(np.array)


@given(DISTANCES, DISTANCES)
def test_every_distance_is_in_one_bin(mated: np.ndarray, others: np.ndarray) -> None:
    edges = bin_edges(np.concatenate([mated, others]))
    spread = Histogram.of(edges, mated, others)
    assert spread.mated.sum() == pytest.approx(1)
    assert spread.non_mated.sum() == pytest.approx(1)
    assert spread.counts == (len(mated), len(others))
    assert 1 <= len(edges) - 1 <= 42
    assert (np.diff(edges) > 0).all()


def apart(people: np.ndarray, members: Sequence[float], strangers: Sequence[float]) -> HeldOut:
    near, far = (np.array(distances, float) for distances in (members, strangers))
    first = np.zeros(len(people), np.intp)
    both = (Nearest(first, distances, distances + 1) for distances in (near, far))
    return HeldOut(people, *both, near, NO_PAIRS)


def test_held_out_are_photos_whose_person_is_left_and_everybody_as_a_stranger() -> None:
    people = np.array([0, 0, 1, 2])  # two people with a single photograph
    held = apart(people, (1, 2, 8, 9), (5, 6, 7, np.inf))
    spread = held_out_histogram(held)
    assert spread is not None
    assert spread.counts == (2, 3)
    assert spread.mated.sum() == spread.non_mated.sum() == pytest.approx(1)
    assert spread.edges[[0, -1]] == pytest.approx([0, 7])
    alone = apart(np.array([0, 1]), (1, 2), (5, 6))
    one = apart(np.array([0, 0]), (1, 2), (np.inf, np.inf))
    assert held_out_histogram(alone) is held_out_histogram(one) is None  # without both


def sample(people: int, photos: int = 4) -> FaceSet:
    """Return photographs of so many people, person by person, at a quarter of their size."""
    rows = [row for row in range(10 * people) if row % 10 < photos]
    faces = load_sample().select(rows)
    images = faces.pixels[:].reshape(-1, *faces.shape)[:, ::4, ::4]
    return FaceSet.from_arrays(images, [photo.person or "" for photo in faces.index.photos])


def assert_as_trained_without(
    faces: FaceSet, held: HeldOut, recipe: Recipe, away: list[int], atol: float = 1e-4
) -> None:
    """All photographs of a person, or some of several: as in a gallery trained without them."""
    left = [row for row in range(len(faces)) if row not in away]
    preparation = replace(PREPARATION, width=faces.shape[1], height=faces.shape[0])
    gallery = Gallery(faces.select(left), preparation, recipe).train()
    nearest_people = held.stranger if len({*held.people[away]}) == 1 else held.member
    for row, verdict in zip(away, identify_all(gallery, faces.pixels[away]), strict=True):
        assert faces.index.people[nearest_people.person[row]] == verdict.closest.person
        assert verdict.runner_up is not None
        told = nearest_people.distance[row], nearest_people.runner_up[row]
        wanted = verdict.closest.distance, verdict.runner_up.distance
        assert_allclose(told, wanted, atol=atol, rtol=1e-4)


def held_out(faces: FaceSet, recipe: Recipe) -> HeldOut:
    seen = PrincipalFaces.of(faces, range(len(faces)), recipe.features)
    return CrossValidation(seen.principal, seen.people, recipe).held_out()


@pytest.mark.parametrize(
    ("recipe", "atol"),
    [
        (RECIPES["Eigenfaces"], 1e-4),
        (RECIPES["Fisherfaces"], 1e-4),
        (RECIPES["Texture"], 1e-4),
        (Recipe.of(components=0.9), 1e-4),
        (Recipe.of(dropped=2, distance="cosine"), 1e-4),
        (Recipe.of(distance="Mahalanobis L2", components=10), 1e-3),
        (Recipe.of(rule="class mean"), 1e-4),
        (Recipe.of(distance="Mahalanobis L1", components=5), 1e-3),
    ],
)
def test_as_trained_anew_without(recipe: Recipe, atol: float) -> None:
    """A person; and every tenth photograph, person by person."""
    faces = sample(9)
    nameless = {p.id: replace(p, person=None) for p in faces.index.photos[33:]}
    faces = faces.with_photos(nameless)  # these are no strangers, but fitted to
    held = held_out(faces, recipe)
    assert_array_equal(held.people, np.repeat(np.arange(9), [4] * 8 + [1]))
    for person in (0, 5):
        assert_as_trained_without(faces, held, recipe, [4 * person + at for at in range(4)], atol)
    assert_as_trained_without(faces, held, recipe, [1, 11, 21, 31], atol)
    assert held.person_count == 9
    assert held.mated.sum() == 32
    assert_array_equal(held.right, held.member.person == held.people)


def test_of_many_faces_the_leading_coordinates_are_refitted_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each refit costs the cube of their number."""
    faces, recipe = sample(7), Recipe.of(components=8)
    whole = held_out(faces, recipe)
    monkeypatch.setattr("eigenfaces.space.principal.MOST_COORDINATES", 20)
    some = held_out(faces, recipe)
    assert_allclose(some.stranger.distance, whole.stranger.distance, rtol=0.02)
    assert not np.allclose(some.stranger.distance, whole.stranger.distance, rtol=1e-6)


PEOPLE = 12


@pytest.mark.parametrize("people", [1, 3, 12])
def test_other_photos_of_the_enrolled_are_faces_and_noise_is_none(
    people: int, att: FaceSet, rng: np.random.Generator
) -> None:
    """On the average of several galleries: of one person, only four other photos tell little."""
    passed = []
    for first in range(0, PEOPLE, people):
        every = np.arange(10 * first, 10 * (first + people))
        known, others = every[every % 10 < 6], every[every % 10 >= 6]
        like, _ = FacenessModel.fit(att.pixels.select(known), SHAPE, known // 10)
        passed.append(
            (like.face_residual(att.pixels[others].reshape(-1, *SHAPE)) <= like.limit).mean()
        )
    assert np.mean(passed) > 0.9
    noise = rng.random((4, *SHAPE), np.float32)
    assert (like.face_residual(noise) > like.limit).all()
    flat = np.full((1, *SHAPE), 0.3, np.float32)
    assert like.face_residual(flat) == 1 > like.limit


def test_people_held_out_are_not_in_the_space_that_sees_them(att: FaceSet) -> None:
    """Twelve people in five groups; the limit keeps 98 in 100, ⌈121 · 0.98⌉ = 119 of 120."""
    people = np.arange(120) // 10
    like, residuals = FacenessModel.fit(att.pixels.select(np.arange(120)), SHAPE, people)
    vectors, away = face_vectors(att.pixels[:120].reshape(-1, *SHAPE)), people % 5 == 0
    others = general_faces().joint_space(vectors, np.flatnonzero(~away))
    np.testing.assert_allclose(residuals[away], others.residuals(vectors[away]), rtol=1e-6)
    whole = general_faces().joint_space(vectors, np.arange(120)).residuals(vectors)
    assert residuals.mean() > whole.mean() + 0.02
    assert like.limit > general_faces().limit
    assert (residuals <= like.limit).sum() == 119


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Fisherfaces", "Texture"])
def test_what_is_no_face_is_not_named(recipe: str) -> None:
    rows = [row for row in range(10 * PEOPLE) if row % 10 < 5]
    gallery = Gallery(load_sample().select(rows), PREPARATION, RECIPES[recipe]).train().calibrate()
    assert gallery.share == 0.01
    crops = nonfaces()
    pixels = np.stack([crop.ravel() for crop in crops.values()])
    for name, verdict in zip(crops, identify_all(gallery, pixels), strict=True):
        kind = verdict.decision.kind
        assert kind not in ("sure", "likely", "ask"), name
        if name in ("noise", "flat", "grass", "brick"):
            assert kind == "no face"


def test_of_one_person_a_tenth_is_away_at_a_time_whatever_the_order(
    rng: np.random.Generator,
) -> None:
    """Ten people by turns, three photographs each: two of them are always left."""
    principal = Principal.of(rng.random((30, 50), np.float32))
    own, _ = CrossValidation(principal, np.arange(30) % 10, Recipe.of()).own_distances()
    assert np.isfinite(own).all()


def test_faces_are_known_again_by_crops_and_features_and_have_their_names_of_now() -> None:
    faces = sample(3)
    rows = range(len(faces))
    features = RECIPES["Eigenfaces"].features
    before = PrincipalFaces.of(faces, rows, features)
    renamed = faces.with_photos({p.id: replace(p, person="Ada") for p in faces.index.photos[:5]})
    now = PrincipalFaces.of(renamed, rows, features, known=[before])
    assert now.principal is before.principal
    assert now.names == tuple(photo.person for photo in renamed.index.photos)
    for others in (
        PrincipalFaces.of(faces, rows[1:], features, known=[before]),
        PrincipalFaces.of(faces, rows, RECIPES["Fisherfaces"].features, known=[before]),
    ):
        assert others.principal is not before.principal
        assert others.principal.mean != pytest.approx(before.principal.mean)
