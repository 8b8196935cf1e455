"""How photographs are cut; whole photographs are in test_faces.py."""

import math
from typing import Any

import numpy as np
import pytest
from astronaut import EYES, grey
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, Preparation
from eigenfaces.faces.prepare import crop_at

sides = st.integers(16, 512)


@given(sides, sides)
def test_eyes_of_every_size_lie_at_the_same_shares(height: int, width: int) -> None:
    preparation = Preparation(height, width)
    assert preparation.shape == (height, width)
    assert preparation.eye_distance == pytest.approx(width * 40 / 96)
    crop = preparation.crop(grey(), EYES)
    assert crop.shape == (height, width)
    assert crop.dtype == np.float32


def test_a_crop_is_the_aligned_one_in_whole_grey_levels() -> None:
    crop, exact = Preparation().crop(grey(), EYES), crop_at(grey(), EYES, (112, 92))
    assert np.abs(crop - exact.clip(0, 1)).max() <= 0.5001 / 255
    assert np.array_equal(crop, (np.rint(crop * 255) / 255).astype(np.float32))


def test_a_photograph_of_the_size_is_still_cut_where_its_eyes_are() -> None:
    photo = grey()[:112, 150:242]
    eyes = EYES.at(EYES.middle - 150, EYES.across)
    assert not np.array_equal(Preparation().crop(photo, eyes), photo)
    assert np.array_equal(Preparation().crop(photo), photo)


@pytest.mark.parametrize("size", [(15, 92), (112, 513), (0, 0), (-20, 20)])
def test_sizes_that_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(EigenfacesError, match="16 to 512 pixels"):
        Preparation(*size)


def test_a_policy_that_is_none() -> None:
    with pytest.raises(EigenfacesError, match="no aspect policy"):
        Preparation(fit="squeeze")


@pytest.mark.parametrize("wrong", [None, True, "112", 112.0, math.nan, math.inf, 1e300, [], 1j])
def test_sides_are_whole_numbers_whoever_states_them(wrong: Any) -> None:
    for field in ("height", "width"):
        with pytest.raises(EigenfacesError, match=r"16 to 512 pixels .*\.$"):
            Preparation(**{field: wrong})
    with pytest.raises(EigenfacesError, match=r"^[A-Z].*\.$"):
        Preparation(fit=wrong)
    if wrong is not True:
        with pytest.raises(EigenfacesError, match=r"^[A-Z].*\.$"):
            Preparation(already_cropped=wrong)


def test_sides_as_numpy_has_them_and_policies_as_they_are_typed() -> None:
    prepared = Preparation(np.int64(56), np.uint16(46), fit="Fit")  # type: ignore[arg-type]
    assert prepared == Preparation(56, 46, fit="fit")
    assert type(prepared.height) is type(prepared.width) is int
