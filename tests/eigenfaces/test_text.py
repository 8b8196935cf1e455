"""Names as they are typed, long paths in short, tables in which no name becomes a formula."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError
from eigenfaces.space.distances import DISTANCES
from eigenfaces.text import cli_name, csv_cell, csv_text, parse_name, shortened

LONG = "/home/ada/holidays with the whole family/2024/summer/Person 12/IMG_20240512_edited.jpg"


@pytest.mark.parametrize("name", DISTANCES)
def test_every_name_is_found_as_it_is_and_as_it_is_typed(name: str) -> None:
    assert parse_name(DISTANCES, name) == parse_name(DISTANCES, cli_name(name)) == name
    assert parse_name(DISTANCES, f" {name.upper()} ") == name
    assert cli_name(name).isascii()


@pytest.mark.parametrize("wrong", ["", "l3", None, 3, [], {}, "x" * 10**6])
def test_what_is_none_is_a_sentence_of_a_readable_length(wrong: object) -> None:
    with pytest.raises(EigenfacesError, match=r"^There is no distance “.*Choose one of: L2") as no:
        parse_name(DISTANCES, wrong, "distance")
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


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+49 30", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "'=1+1"],
)
def test_what_a_spreadsheet_would_run_begins_with_an_apostrophe(name: str) -> None:
    assert csv_cell(name) == f"'{name}"
    for plain in ("Zoë", "'Brien", "-3.25", "1e-5", "", "Smith-Jones", "a=b"):
        assert csv_cell(plain) == plain


def test_a_table_is_read_by_any_reader() -> None:
    text = csv_text(("name", "value"), [("=a,b", -1.5), ('say "no"', 2), ("\udcff", "x\ny")])
    lines = list(csv.reader(io.StringIO(text, newline="")))
    assert lines[0] == ["name", "value"]
    assert lines[1:] == [["'=a,b", "-1.5"], ['say "no"', "2"], ["\\udcff", "x\ny"]]
