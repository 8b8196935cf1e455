"""JSON in pieces: as the standard library writes it, and no piece takes long."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.evaluation.json_text import _pieces, json_text

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


def test_no_piece_is_long() -> None:
    """Ten thousand searches among some people are written one by one, not in one go."""
    lines = np.random.default_rng(0).random((1000, 20)).tolist()
    assert max(map(len, _pieces({"distances": lines}, ascii_only=False))) < 1000
