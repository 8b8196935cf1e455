"""Who is in the data: a weight is so many copies, and no direction is spent on who is left out."""

import numpy as np
import pytest
from made_subjects import cloud, noise

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.lessons.subjects import SUBJECTS, Subject
from eigenfaces.lessons.who_is_in import LESSON
from eigenfaces.space.arrays import Doubles, Flags


def shown(key: str, weight: float, group: str) -> tuple[Subject, Flags, dict[str, Doubles]]:
    subject = SUBJECTS[key].make(0)
    inside = np.array(subject.labels) == group
    return subject, inside, dict(LESSON.show(subject, weight=weight, group=group).numbers)


@pytest.mark.parametrize(("key", "group"), [("groups", "C"), ("digits", "1"), ("digits", "0")])
def test_who_is_left_out_is_seen_less_and_the_others_more(key: str, group: str) -> None:
    _, _, found = shown(key, 0, group)
    assert found["kept_group"][1] < found["kept_group"][0]
    assert found["kept_others"][1] >= found["kept_others"][0]
    _, _, much = shown(key, 5, group)
    assert much["kept_group"][1] > much["kept_group"][0]


def test_left_out_a_group_at_the_top_lands_in_the_middle() -> None:
    picture = LESSON.show(SUBJECTS["groups"].make(0), weight=0, group="C")
    middles = []
    for panel in picture.upper.rows[0]:
        dots = panel.layers[1]
        assert dots.names == ("A", "B", "C")
        middles.append([dots.at[dots.labels == group].mean(axis=0) for group in range(3)])
    (a, b, c), (d, e, f) = middles
    assert np.linalg.norm(c - (a + b) / 2) > 4
    assert np.linalg.norm(f - (d + e) / 2) < 0.5


def test_with_a_weight_of_one_both_maps_are_the_same() -> None:
    picture = LESSON.show(SUBJECTS["digits"].make(0), weight=1, group="3")
    one, other = picture.upper.rows[0]
    for first, second in zip(one.layers, other.layers, strict=True):
        np.testing.assert_allclose(first.at, second.at, atol=1e-8)
    pictures = picture.lower.rows[0] if picture.lower else ()
    np.testing.assert_allclose(pictures[0].pictures, pictures[1].pictures, atol=1e-8)


def test_groups_are_those_of_the_data_and_of_many_one_has_a_name() -> None:
    names = [f"Person {i:02}" for i in range(12) for _ in range(3)]
    faces = noise(36, 4, 3, labels=("", *names[1:]))
    ready = LESSON.prepare(faces, no_tick)
    choice = LESSON.controls_for(ready)[1]
    assert choice.choices["Person 00"] == "2 pictures"
    assert len(choice.choices) == 12
    settings = {"weight": 0, "group": "Person 07"}
    panel = LESSON.picture(LESSON.renew(ready, settings, no_tick), **settings).upper.rows[0][1]
    others, own = panel.layers
    assert (len(others.at), len(own.at), own.names) == (33, 3, ("Person 07",))


def test_without_a_group_there_may_be_no_plane() -> None:
    points = cloud([[0, 0], [1, 0], [2, 0], [0, 1]], ("A", "A", "A", "B"))
    settings = {"weight": 0, "group": "B"}
    ready = LESSON.prepared(points, settings)
    with pytest.raises(EigenfacesError, match="no plane"):
        LESSON.picture(ready, **settings)
    assert LESSON.picture(ready, weight=0.5).numbers["angle"] < 1e-6
