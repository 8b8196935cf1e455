"""Names as they are typed, and long paths in short."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError
from eigenfaces.cli.plaintext import skipped_text
from eigenfaces.photographs.photos import Skipped
from eigenfaces.space.distances import DISTANCES
from eigenfaces.text import number, one_of, shortened, typed

LONG = "/home/ada/holidays with the whole family/2024/summer/Person 12/IMG_20240512_edited.jpg"


@pytest.mark.parametrize("name", DISTANCES)
def test_every_name_is_found_as_it_is_and_as_it_is_typed(name: str) -> None:
    assert one_of(DISTANCES, name) == one_of(DISTANCES, typed(name)) == name
    assert one_of(DISTANCES, f" {name.upper()} ") == name
    assert typed(name).isascii()


@pytest.mark.parametrize("wrong", ["", "l3", None, 3, [], {}, "x" * 10**6])
def test_what_is_none_is_a_sentence_of_a_readable_length(wrong: object) -> None:
    with pytest.raises(EigenfacesError, match=r"^There is no distance “.*Choose one of: L2") as no:
        one_of(DISTANCES, wrong, "distance")
    assert len(str(no.value)) < 250


@given(st.text(st.characters(codec="utf-8", exclude_characters="…"), max_size=80), st.integers(1))
def test_a_path_is_never_longer_than_it_may_be(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    if len(text) <= most:
        assert short == text
    else:
        begin, _, end = short.partition("…")
        assert text.startswith(begin)
        assert text.endswith(end)


def test_the_middle_goes_first_and_the_name_last() -> None:
    assert shortened(LONG, 60) == "/home/ada/…/summer/Person 12/IMG_20240512_edited.jpg"
    assert shortened(LONG, 24) == "IMG_20240512_edited.jpg"
    assert shortened(LONG, 12) == "IMG_20…d.jpg"
    assert shortened(LONG.replace("/", "\\"), 40).startswith("\\home\\…\\")
    wide = shortened(LONG, 300, lambda text: 10 * len(text))
    assert wide == shortened(LONG, 30)


def test_the_reason_stays_in_sight_in_a_narrow_terminal() -> None:
    reason = "No face was found in it."
    lines = skipped_text([Skipped(Path(LONG), reason)], 80).splitlines()
    assert len(lines) == 3
    assert lines[2].endswith(reason)
    assert "…" in lines[2]
    assert "IMG_20240512_edited.jpg" in lines[2]
    assert LONG in skipped_text([Skipped(Path(LONG), reason)], 1000)  # into a file: all of it


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-7, "0"),
        (8.8334, "8.833"),
        (1339.6, "1,340"),
        (-12.5, "−12.50"),
        (999.97, "1,000"),
    ],
)
def test_distances_have_at_most_four_digits(value: float, text: str) -> None:
    assert number(value) == text
