"""What was found in photographs is remembered by their content."""

import numpy as np
import pytest
from astronaut import PICTURE, encoded
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces import read
from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.read import FOUND, Picture, as_faces, as_text
from eigenfaces.photographs.photos import Eyes

CONTENT = encoded(PICTURE, "PNG")
numbers = st.floats(allow_nan=False, allow_infinity=False)
FACES = tuple(
    FoundFace(Eyes((1.5 + n, 0.1), (9, 0.3)), n / 7, (0.1, 2.0, 3.0), 1) for n in range(3)
)


@given(numbers, numbers)
def test_faces_become_text_and_back_to_the_last_bit(x: float, score: float) -> None:
    faces = (FoundFace(Eyes((x, 2.0), (3.0, x)), score, (x, 0.5, 1.0), 4),)
    assert as_faces(as_text(faces)) == faces
    assert as_faces(as_text(())) == ()


@pytest.mark.parametrize(
    "text",
    ["", "7", "[7]", "[{}]", "[null]", "{", "[" * 100_000]
    + [as_text(FACES[:1]).replace(old, new) for old, new in (("1.5", "NaN"), ("1.5", '"a"'))]
    + [as_text(FACES[:1]).replace("1.5,", ""), as_text(FACES[:1]).replace('"score"', '"other"')],
    ids=range(11),
)
def test_a_photograph_is_searched_once_for_each_turn_and_where_no_finding_is(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[np.ndarray] = []
    monkeypatch.setattr(read, "find_faces", lambda grey: searched.append(grey) or FACES)
    picture = Picture(CONTENT)
    FOUND[picture.key, 0] = text  # from a project file
    found = picture.faces()
    assert [face.score for face in found] == [face.score for face in FACES]
    assert picture.faces() == Picture(CONTENT, 4).faces() == found
    assert len(searched) == 1
    assert len(Picture(CONTENT, 1).faces()) == 3
    assert len(searched) == 2
    assert set(FOUND) == {(picture.key, 0), (picture.key, 1)}
