"""Who is in the data: a weight is so many copies, and no direction is spent on who is left out."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from eigenfaces.errors import Cancelled, EigenfacesError, no_tick
from eigenfaces.laboratory.drawing import Dots, PicturesPanel, PlanePanel
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.subjects import SUBJECTS, Cloud, Subject
from eigenfaces.laboratory.lessons.who_is_in import WHO_IS_IN, GroupSettings
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import OneOf
from tests.synthetic import principal_angles


def shown(key: str, settings: GroupSettings) -> tuple[Subject, Flags, dict[str, Doubles]]:
    subject = SUBJECTS[key].make(0)
    inside = np.array(subject.labels) == settings.group
    return subject, inside, dict(WHO_IS_IN.show(subject, settings).numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(("key", "group"), [("groups", "B"), ("digits", "1")])
@pytest.mark.parametrize("weight", [0, 1, 2, 5])
def test_a_weight_is_so_many_copies(key: str, group: str, weight: int) -> None:
    """scikit-learn's components of the copies: the same planes, the same shares."""
    subject, inside, found = shown(key, GroupSettings(weight, group))
    x = subject.values
    copied = np.repeat(x, np.where(inside, weight, 1), axis=0)
    planes = [PCA(2).fit(each).components_ for each in (x, copied)]
    angle = np.degrees(principal_angles(*planes).max())
    assert found["angle"] == pytest.approx(angle, abs=1e-5)
    away = x - x[~inside].mean(axis=0)
    for name, rows in (("kept_group", inside), ("kept_others", ~inside)):
        kept = [((away[rows] @ each.T) ** 2).sum() / (away[rows] ** 2).sum() for each in planes]
        np.testing.assert_allclose(found[name], kept, rtol=1e-6)


@pytest.mark.parametrize(("key", "group"), [("groups", "C"), ("digits", "1"), ("digits", "0")])
def test_who_is_left_out_is_seen_less_and_the_others_more(key: str, group: str) -> None:
    _, _, found = shown(key, GroupSettings(0, group))
    assert found["kept_group"][1] < found["kept_group"][0]
    assert found["kept_others"][1] >= found["kept_others"][0]
    _, _, much = shown(key, GroupSettings(5, group))
    assert much["kept_group"][1] > much["kept_group"][0]


def test_left_out_a_group_at_the_top_lands_in_the_middle() -> None:
    picture = WHO_IS_IN.show(SUBJECTS["groups"].make(0), GroupSettings(0, "C"))
    middles = []
    for panel in picture.upper.rows[0]:
        assert isinstance(panel, PlanePanel)
        dots = panel.layers[1]
        assert isinstance(dots, Dots)
        assert dots.labels is not None
        assert dots.names == ("A", "B", "C")
        middles.append([dots.at[dots.labels == group].mean(axis=0) for group in range(3)])
    (a, b, c), (d, e, f) = middles
    assert np.linalg.norm(c - (a + b) / 2) > 4
    assert np.linalg.norm(f - (d + e) / 2) < 0.5


def test_with_a_weight_of_one_both_maps_are_the_same() -> None:
    picture = WHO_IS_IN.show(SUBJECTS["digits"].make(0), GroupSettings(1, "3"))
    one, other = picture.upper.rows[0]
    assert isinstance(one, PlanePanel)
    assert isinstance(other, PlanePanel)
    for first, second in zip(one.layers, other.layers, strict=True):
        assert isinstance(first, Dots)
        assert isinstance(second, Dots)
        np.testing.assert_allclose(first.at, second.at, atol=1e-8)
    pictures = picture.lower.rows[0] if picture.lower else ()
    assert all(isinstance(each, PicturesPanel) for each in pictures)
    np.testing.assert_allclose(pictures[0].pictures, pictures[1].pictures, atol=1e-8)  # type: ignore[attr-defined]


def test_a_weight_between_those_that_are_ready_is_found_as_well() -> None:
    subject, inside, found = shown("groups", GroupSettings(0.1, "A"))
    x, weights = subject.values, np.where(inside, 0.1, 1.0)
    mean = np.average(x, axis=0, weights=weights)
    vectors = np.linalg.eigh(np.cov(x.T, aweights=weights))[1][:, ::-1].T
    np.testing.assert_allclose(mean, (weights @ x) / weights.sum())
    whole = np.linalg.eigh(np.cov(x.T))[1][:, ::-1].T
    angle = np.degrees(principal_angles(whole[:2], vectors[:2]).max())
    assert found["angle"] == pytest.approx(angle, abs=1e-6)


def people(count: int, photos: int = 3) -> ImageSet:
    pixels = np.random.default_rng(0).random((count * photos, 12)).astype(np.float32)
    labels = tuple(f"Person {i:02}" for i in range(count) for _ in range(photos))
    return ImageSet(title="some faces", pixels=pixels, shape=(4, 3), labels=labels)


def test_groups_are_those_of_the_data_and_of_many_one_has_a_name() -> None:
    faces = replace(people(12), labels=("", *people(12).labels[1:]))  # type: ignore[index]
    ready = WHO_IS_IN.prepare(faces, no_tick)
    choice = WHO_IS_IN.controls_for(ready)[1]
    assert isinstance(choice, OneOf)
    assert choice.choices["Person 00"] == "2 pictures"
    assert len(choice.choices) == 12
    settings = GroupSettings(0, "Person 07")
    panel = WHO_IS_IN.picture(WHO_IS_IN.renewed(ready, settings), settings).upper.rows[0][1]
    assert isinstance(panel, PlanePanel)
    others, own = panel.layers
    assert isinstance(others, Dots)
    assert isinstance(own, Dots)
    assert (len(others.at), len(own.at), own.names) == (33, 3, ("Person 07",))


def test_what_cannot_be_shown_is_refused_in_a_sentence() -> None:
    nobody = replace(people(2), labels=None)
    with pytest.raises(EigenfacesError, match="nobody to leave out"):
        WHO_IS_IN.show(nobody)
    values = np.array([[0.0, 0], [1, 0], [2, 0], [0, 1]])
    cloud = Cloud(title="four", values=values, columns=("x", "y"), labels=("A", "A", "A", "B"))
    settings = GroupSettings(0, "B")
    ready = WHO_IS_IN.prepared(cloud, settings)
    with pytest.raises(EigenfacesError, match="no plane"):
        WHO_IS_IN.picture(ready, settings)
    assert WHO_IS_IN.picture(ready, replace(settings, weight=0.5)).numbers["angle"] < 1e-6


def test_it_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        WHO_IS_IN.prepare(people(4), stop)
    ready = WHO_IS_IN.prepare(people(4), no_tick)
    with pytest.raises(Cancelled):
        WHO_IS_IN.renewed(ready, WHO_IS_IN.settings, stop)
