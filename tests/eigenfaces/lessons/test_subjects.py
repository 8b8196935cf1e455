"""Subjects: each is what the lines in its listing make, and another seed makes others."""

from typing import Any

import numpy as np
import pytest

from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons.subjects import SUBJECTS, Cloud, Known


@pytest.mark.parametrize("known", SUBJECTS.values(), ids=SUBJECTS)
def test_a_subject_is_what_its_code_makes_and_another_seed_another_one(known: Known) -> None:
    subject, again, other = (known.make(seed) for seed in (3, 3, 4))
    made: dict[str, Any] = {"np": np}
    exec(subject.code, made)
    np.testing.assert_array_equal(made["x"], subject.values)
    np.testing.assert_array_equal(again.values, subject.values)
    assert subject.labels == (tuple(map(str, made["labels"])) if "labels" in made else None)
    assert np.array_equal(other.values, subject.values) is not known.is_random


def test_patches_are_those_of_the_four_photographs() -> None:
    made = SUBJECTS["patches"].make(0)
    assert isinstance(made, ImageSet)
    assert made.values.shape == (4000, 144)
    assert made.shape == (12, 12)
    assert 0 <= made.values.min() < made.values.max() <= 1
    assert len(np.unique(made.values, axis=0)) > 3900


def test_points_moved_by_hand_are_stated_exactly_with_their_labels() -> None:
    groups = SUBJECTS["groups"].make(0)
    assert isinstance(groups, Cloud)
    moved = groups.moved(2, np.array([1.23456, 0, -2])).added(np.zeros(3)).without(0)
    made: dict[str, Any] = {"np": np}
    exec(moved.code, made)
    np.testing.assert_array_equal(made["x"], moved.values)
    np.testing.assert_array_equal(moved.values[1], [1.235, 0, -2])
    assert tuple(made["labels"]) == moved.labels == ("A",) * 49 + ("B",) * 50 + ("C",) * 51
    assert moved.title == "150 points of your own"
