"""JSON in pieces: as the standard library writes it, and no piece takes long."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.evaluation.json_text import json_pieces, json_text, read_json

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


@given(ANYTHING)
def test_it_is_what_json_writes_at_once(content: object) -> None:
    assert json_text(content) == json.dumps(content, ensure_ascii=False)


def test_what_no_text_can_hold_is_escaped() -> None:
    assert json_text({"\udce9": ["ü", "\udce9"]}) == '{"\\udce9": ["\\u00fc", "\\udce9"]}'


def test_what_is_not_finite_is_null() -> None:
    assert json_text({"a": [np.float64(np.inf), -np.inf], "b": (np.nan, 1)}) == (
        '{"a": [null, null], "b": [null, 1]}'
    )


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (7,), (2500,), (2, 3), (3, 1, 2)])
def test_arrays_are_lists(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    for array in (rng.standard_normal(shape), rng.integers(0, 9, shape), rng.random(shape) < 0.5):
        assert json_text({"of": array}) == json.dumps({"of": array.tolist()})
        assert json_text([array, [array]]) == json.dumps([array.tolist(), [array.tolist()]])


def test_infinite_numbers_of_arrays_are_null(rng: np.random.Generator) -> None:
    array = np.array([[np.inf, 1.5], [-np.inf, np.nan]])
    assert json_text(array) == "[[null, 1.5], [null, null]]"
    assert json_text(array.ravel()) == "[null, 1.5, null, null]"


def test_no_piece_is_long() -> None:
    """Ten thousand searches among some people are written one by one, not in one go."""
    lines = np.random.default_rng(0).random((1000, 20))
    for each in (lines, lines.tolist()):
        assert max(map(len, json_pieces({"distances": each}))) < 1000
    assert max(map(len, json_pieces(lines.ravel()))) < 30_000


@given(ANYTHING, st.integers(0, 3), st.data())
def test_it_is_read_as_json_reads_it(content: object, indent: int, data: st.DataObject) -> None:
    """Damaged at any place, too: refused by both, or read as the same."""
    whole = {"a": {"b": [content, [1.5], content], "c": content}, "b": content}
    text = json.dumps(whole, indent=indent or None)
    assert read_json(text, ("a", "b"), lambda value: value) == whole
    at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    spoilt = text[:at] + data.draw(st.sampled_from(["", *"[]{},:1 "])) + text[end:]
    try:
        expected = json.loads(spoilt)
    except ValueError:
        with pytest.raises(ValueError, match=r"\w"):
            read_json(spoilt, ("a", "b"), lambda value: value)
    else:
        assert read_json(spoilt, ("a", "b"), lambda value: value) == expected


def test_of_a_long_list_each_value_is_made_smaller_as_it_is_read() -> None:
    text = '{"a": {"b": [[1, 2], [], "c"], "c": [[1]]}, "b": [[3]]}'
    whole = {"a": {"b": [2, 0, 1], "c": [[1]]}, "b": [[3]]}
    assert read_json(text, ("a", "b"), len) == whole
    assert read_json('{"a": [[1, 2]]}', ("a", "b"), len) == {"a": [[1, 2]]}
    with pytest.raises(ValueError, match="too large"):
        read_json("9" * 301, ("a", "b"), len)
