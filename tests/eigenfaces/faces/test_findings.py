"""What was found in photographs is remembered by their content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.read import FoundByFile, as_faces, as_text
from eigenfaces.photographs.photos import Eyes

numbers = st.floats(allow_nan=False, allow_infinity=False)
FACES = tuple(
    FoundFace(Eyes((1.5 + n, 0.1), (9, 0.3)), n / 7, (0.1, 2.0, 3.0), 1) for n in range(3)
)


def never() -> tuple[FoundFace, ...]:
    raise AssertionError("it was searched twice")


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
def test_what_is_no_finding_is_searched_again(text: str) -> None:
    known = FoundByFile()
    known.remember({("key", 0): text})
    assert known.of("key", 0, lambda: FACES) == FACES
    assert known.of("key", 0, never) == FACES


def test_a_photograph_is_searched_once_for_each_turn() -> None:
    known = FoundByFile()
    assert known.of("key", 0, lambda: FACES) == FACES
    assert known.of("key", 4, never) == FACES
    assert known.of("key", 1, lambda: ()) == ()
    assert set(known.texts({"key", "other"})) == {("key", 0), ("key", 1)}
