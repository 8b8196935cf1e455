"""Limits: the auto-encoder, what maps keep, who is in the data, distorted faces, the face map."""

import numpy as np
import pytest
from made_subjects import cloud, images, noise
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.lessons import (
    auto_encoder,
    faceness_map,
    linear_limits,
    robustness,
    training_population,
)
from eigenfaces.lessons.components import pca
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.space.arrays import Doubles
from tests.synthetic import exact_faces, principal_angles, truth

DIGITS = SUBJECTS["digits"].make(0)
X = DIGITS.values
RNG = np.random.default_rng(0)
STEPS = auto_encoder.TRAINING_STEPS
# 60 faces of 16 × 16 pixels, fewer than pixels, each with noise.
FACES = 0.1 * exact_faces(RNG, truth(RNG, components=8), 60) + 0.002 * RNG.normal(size=(60, 256))


@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("x", [X, FACES], ids=["digits", "faces"])
def test_the_space_turns_into_that_of_the_components(x: Doubles, k: int) -> None:
    """scikit-learn finds the components; the loss never lies below theirs."""
    principal = pca(x)
    descent = auto_encoder.gradient_descent(principal.components, principal.variances, k, 1.0)
    theirs = PCA(k).fit(x)
    columns = descent.weights[STEPS].T @ principal.components
    assert principal_angles(columns, theirs.components_).max() < 1e-3
    lost = ((x - theirs.inverse_transform(theirs.transform(x))) ** 2).sum(axis=1).mean()
    np.testing.assert_allclose(descent.losses[-1], lost, rtol=1e-5)
    assert descent.losses.min() > principal.variances[k:].sum() * (1 - 1e-12)
    assert descent.losses[0] > 0.9 * principal.variances.sum()


def test_too_long_a_step_diverges_and_the_picture_says_so() -> None:
    fast = auto_encoder.LESSON.show(DIGITS, step=STEPS, rate=3.0).upper
    assert fast.note.startswith("diverged by step")
    losses = fast.rows[0][-1]
    assert all(np.isfinite(curve.y).all() and curve.y.max() < 1.3 for curve in losses.curves)
    usual = auto_encoder.LESSON.show(DIGITS, step=STEPS)
    share = 100 * usual.numbers["loss"] / X.var(axis=0).sum()
    assert usual.upper.note == f"12 numbers: loss {share:.2f} % of the variance"


def test_trained_it_rebuilds_a_face_as_the_components_do() -> None:
    ready = auto_encoder.prepare(DIGITS, no_tick, rate=1.0, k=5)
    early, late = (
        auto_encoder.LESSON.draw(ready, step=step).upper.rows[0][:3] for step in (5, STEPS)
    )
    photo, ours, theirs = (panel.pictures.ravel() for panel in late)
    np.testing.assert_allclose(photo, X[ready.example])
    pca5 = PCA(5).fit(X)
    rebuilt = pca5.inverse_transform(pca5.transform(X[[ready.example]]))[0]
    np.testing.assert_allclose(theirs, rebuilt.clip(0, 1), atol=1e-6)
    np.testing.assert_allclose(ours, theirs, atol=1e-3)
    assert np.abs(early[1].pictures.ravel() - theirs).max() > 0.05


def test_fewer_directions_than_columns_and_colour() -> None:
    three = images(np.eye(4)[:3], 2, 2)
    columns, parts, _ = auto_encoder.LESSON.show(three, k=6).lower.rows[0]
    assert len(columns.pictures) == len(parts.pictures) == 1
    controls = auto_encoder.LESSON.controls_for(auto_encoder.prepare(three, no_tick, 1.0, 6))
    assert [control.name for control in controls] == ["step", "rate"]
    panel = auto_encoder.LESSON.show(noise(5, 2, 2, 3)).lower.rows[0][0]
    assert panel.pictures.shape == (3, 2, 2, 3)
    assert 0 <= panel.visible.min() < panel.visible.max() <= 1


def test_on_a_ring_no_direction_stands_out_and_squares_follow_at_every_turn() -> None:
    ring = SUBJECTS["ring"].make(0).values
    shares = np.linalg.eigvalsh(np.cov(ring.T)) / np.cov(ring.T).trace()
    np.testing.assert_allclose(shares, 0.5, atol=0.02)
    for angle in range(0, 91, 5):
        linear, squares = linear_limits.r2_of_axes_and_squares(ring - ring.mean(axis=0), angle)
        assert linear < 0.001
        assert squares > 0.9


@pytest.mark.parametrize(("key", "group"), [("groups", "C"), ("digits", "1"), ("digits", "0")])
def test_a_group_left_out_is_seen_less_and_the_others_more(key: str, group: str) -> None:
    subject = SUBJECTS[key].make(0)
    show = training_population.LESSON.show
    without, heavy = (show(subject, weight=weight, group=group).numbers for weight in (0, 5))
    assert without["kept_group"][1] < without["kept_group"][0]
    assert without["kept_others"][1] >= without["kept_others"][0]
    assert heavy["kept_group"][1] > heavy["kept_group"][0]


def test_left_out_a_group_at_the_top_lands_in_the_middle() -> None:
    picture = training_population.LESSON.show(SUBJECTS["groups"].make(0), weight=0, group="C")
    middles = []
    for panel in picture.upper.rows[0]:
        dots = panel.layers[1]
        assert dots.names == ("A", "B", "C")
        middles.append([dots.at[dots.labels == group].mean(axis=0) for group in range(3)])
    (a, b, c), (d, e, f) = middles
    assert np.linalg.norm(c - (a + b) / 2) > 4
    assert np.linalg.norm(f - (d + e) / 2) < 0.5


def test_with_a_weight_of_one_both_maps_are_the_same() -> None:
    picture = training_population.LESSON.show(DIGITS, weight=1, group="3")
    one, other = picture.upper.rows[0]
    for first, second in zip(one.layers, other.layers, strict=True):
        np.testing.assert_allclose(first.at, second.at, atol=1e-8)
    first, second = picture.lower.rows[0]
    np.testing.assert_allclose(first.pictures, second.pictures, atol=1e-8)


def test_of_many_groups_only_the_chosen_one_has_a_name() -> None:
    names = [f"Person {i:02}" for i in range(12) for _ in range(3)]
    faces, lesson = noise(36, 4, 3, labels=("", *names[1:])), training_population.LESSON
    settings = {"weight": 0, "group": "Person 07"}
    ready = lesson.prepare(faces, no_tick)
    choice = lesson.controls_for(ready)[1]
    assert choice.choices["Person 00"] == "2 pictures"
    assert len(choice.choices) == 12
    others, own = lesson.draw(ready, **settings).upper.rows[0][1].layers
    assert (len(others.at), len(own.at), own.names) == (33, 3, ("Person 07",))


def test_without_a_group_there_may_be_no_plane() -> None:
    points = cloud([[0, 0], [1, 0], [2, 0], [0, 1]], ("A", "A", "A", "B"))
    ready = training_population.prepare(points, no_tick)
    with pytest.raises(EigenfacesError, match="no plane"):
        training_population.LESSON.draw(ready, weight=0, group="B")
    assert training_population.LESSON.draw(ready, weight=0.5, group="B").numbers["angle"] < 1e-6


def test_a_change_is_what_it_is_called() -> None:
    face, distorted = RNG.random((11, 10)), robustness.distorted
    for change in robustness._CHANGES:
        np.testing.assert_allclose(distorted(face, change, 0), face)
    turned_back = distorted(face[::-1, ::-1], "turn", 100)
    np.testing.assert_allclose(distorted(face, "turn", 100), turned_back[::-1, ::-1])
    np.testing.assert_allclose(distorted(face, "shift", 100)[:, 3:], face[:, :-3])
    np.testing.assert_allclose(distorted(face, "size", 100)[5, 0], face[5, 1:3].mean(), atol=0.4)
    assert np.ptp(distorted(face, "blur", 100)) < 0.1 * np.ptp(face)
    lit = distorted(face, "light", 50) - face
    assert (lit[:, 5:] >= 0).all()
    assert (lit[:, :5] <= 0).all()
    assert (distorted(face, "cover", 100)[2:] == 0.5).all()


def test_the_name_changes_with_a_turn_and_not_with_a_blur() -> None:
    sample = robustness.prepare(SUBJECTS["sample"].make(0), no_tick)
    upright, turned = (robustness.LESSON.draw(sample, amount=amount) for amount in (0, 60))
    assert upright.numbers["own"] < upright.numbers["other"]
    assert turned.numbers["own"] > turned.numbers["other"]
    assert upright.words["named"] == "Person 01" != turned.words["named"]
    assert turned.upper.rows[1][0].mark == (24, "wrong name")
    blurred = robustness.LESSON.draw(sample, change="blur", amount=40)
    assert blurred.words["named"] == "Person 01"


def test_a_face_that_nobody_has_named_is_called_so_and_others_are_refused() -> None:
    faces = noise(4, 6, 5, labels=("Ada", "Ada", "", "Ada"))
    picture = robustness.LESSON.show(faces, change="cover", amount=100)
    assert picture.upper.rows[0][2].caption == "someone without a name"
    for labels, shape, words in ((None, (6, 5), "two people"), ("AABB", (6, 5, 3), "in colour")):
        with pytest.raises(EigenfacesError, match=words):
            robustness.LESSON.show(noise(4, *shape, labels=labels and tuple(labels)))


def test_the_face_is_among_the_nearest_places_and_lost_with_more_components() -> None:
    lesson = faceness_map.LESSON
    ready = lesson.prepared(SUBJECTS["sample"].make(0), lesson.default_settings)
    assert faceness_map.LESSON.draw(ready).words["alarms"] == "7 false alarms"  # of eight places
    assert faceness_map.LESSON.draw(ready, k=40).words["alarms"] == "8 false alarms"
    coffee = lesson.show(SUBJECTS["sample"].make(0), photo="coffee")
    assert coffee.words["alarms"] == "8 false alarms"


def test_places_lie_apart_and_the_nearest_is_first() -> None:
    far: Doubles = RNG.random((80, 70))
    places = faceness_map.nearest_places(far, 6)
    assert places[0] == np.unravel_index(far.argmin(), far.shape)
    values = [far[place] for place in places]
    assert values == sorted(values)
    for at, (row, column) in enumerate(places):
        for up, aside in places[:at]:
            assert abs(row - up) >= 12 or abs(column - aside) >= 10
