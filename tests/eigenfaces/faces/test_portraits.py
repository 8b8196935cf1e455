"""Faces in colour: upright, where the eyes say, kept beside the crop."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import Preparation
from eigenfaces.faces.portraits import EYE_DISTANCE, PORTRAITS, SIDE, portrait
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.placement import Eyes


def spots(eyes: Eyes) -> np.ndarray:
    """Return a grey picture with a red spot where the left eye is, and a blue one at the right."""
    picture = np.full((300, 400, 3), 128, np.uint8)
    rows, columns = np.mgrid[:300, :400]
    for place, colour in ((eyes.left, (255, 0, 0)), (eyes.right, (0, 0, 255))):
        picture[(columns - place[0]) ** 2 + (rows - place[1]) ** 2 < 36] = colour
    return picture


def shown(jpeg: bytes) -> np.ndarray:
    with Image.open(BytesIO(jpeg)) as image:
        assert image.format == "JPEG"
        return np.asarray(image.convert("RGB")).astype(int)


@pytest.mark.parametrize("across", [45, 45 + 30j, -30 + 40j, -45])
def test_the_eyes_are_level_and_in_their_place(across: complex) -> None:
    middle = 200 + 150j
    left, right = middle - across / 2, middle + across / 2
    eyes = Eyes((left.real, left.imag), (right.real, right.imag))
    picture = shown(portrait(spots(eyes), eyes))
    assert picture.shape == (SIDE, SIDE, 3)
    at = {}
    for name, channel, other in (("left", 0, 2), ("right", 2, 0)):
        rows, columns = np.nonzero(picture[:, :, channel] - picture[:, :, other] > 120)
        at[name] = complex(columns.mean(), rows.mean())
    assert abs(at["right"] - at["left"] - EYE_DISTANCE) < 2
    assert abs((at["left"] + at["right"]).real / 2 - SIDE / 2) < 2


def test_beside_the_picture_its_border_goes_on() -> None:
    eyes = Eyes((2.0, 2.0), (30.0, 2.0))
    picture = shown(portrait(np.full((40, 40, 3), (200, 100, 50), np.uint8), eyes))
    assert np.abs(picture - (200, 100, 50)).max() < 6


def test_it_is_made_when_a_face_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.fromarray(spots(Eyes((180.0, 150.0), (220.0, 150.0)))).save(path)
    picture = Picture(path.read_bytes())
    levels = picture.crop(Eyes((180.0, 150.0), (220.0, 150.0)), Preparation(40, 32))
    from eigenfaces.faces.read import _hash_of

    kept = PORTRAITS.get(_hash_of(levels))
    assert kept is not None
    assert shown(kept).std(axis=2).max() > 50  # it is in colour
    PORTRAITS.forget([_hash_of(levels)])
    assert PORTRAITS.get(_hash_of(levels)) is None
