"""Histograms of held-out distances: every distance is in one bin, and bins are round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.recognition.calibration import (
    HeldOut,
    Histogram,
    held_out_histogram,
    left_over_histogram,
    round_edges,
)
from eigenfaces.recognition.neighbours import Nearest

DISTANCES = st.lists(
    st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=1, max_size=60
).map(np.array)


@given(DISTANCES, DISTANCES)
def test_every_distance_is_in_one_bin(mated: np.ndarray, others: np.ndarray) -> None:
    edges = round_edges(np.concatenate([mated, others]))
    spread = Histogram.of(edges, mated, others)
    assert spread.mated.sum() == pytest.approx(1)
    assert spread.non_mated.sum() == pytest.approx(1)
    for shares, those in ((spread.mated, mated), (spread.non_mated, others)):
        bins = np.searchsorted(edges[1:-1], those, "right")
        assert (shares == np.bincount(bins, minlength=len(shares)) / len(those)).all()
    assert spread.counts == (len(mated), len(others))
    assert 1 <= len(edges) - 1 <= 42
    assert (np.diff(edges) > 0).all()


def test_edges_are_round_and_begin_at_zero() -> None:
    assert round_edges(np.linspace(2.1, 17.7, 560)) == pytest.approx(np.arange(0, 18.1, 0.5))
    assert round_edges(np.linspace(0.91, 0.99, 100))[0] == pytest.approx(0.91)
    assert round_edges(np.linspace(-3, 2, 9))[0] == -3


def nearest(*distances: float) -> Nearest:
    each = np.array(distances)
    return Nearest(np.zeros(len(each), np.intp), each, each + 1)


def test_held_out_are_photos_whose_person_is_left_and_everybody_as_a_stranger() -> None:
    people = np.array([0, 0, 1, 2])  # two people with a single photograph
    held = HeldOut(people, nearest(1, 2, 8, 9), nearest(5, 6, 7, np.inf))
    spread = held_out_histogram(held)
    assert spread is not None
    assert spread.counts == (2, 3)
    filled = np.flatnonzero(spread.mated)
    assert spread.edges[filled] == pytest.approx([1, 2])
    assert spread.edges[np.flatnonzero(spread.non_mated)[-1] + 1] >= 7


def test_without_both_there_is_none() -> None:
    alone = HeldOut(np.array([0, 1]), nearest(1, 2), nearest(5, 6))
    assert held_out_histogram(alone) is None
    one = HeldOut(np.array([0, 0]), nearest(1, 2), nearest(np.inf, np.inf))
    assert held_out_histogram(one) is None


def test_what_is_asked_about_has_room_beside_the_faces() -> None:
    spread = left_over_histogram(np.array([0.2, 0.25, 0.3]), 0.95)
    assert spread.counts == (3, 0)
    assert spread.mated.sum() == pytest.approx(1)
    assert not spread.non_mated.any()
    assert spread.edges[0] <= 20
    assert spread.edges[-1] >= 95
