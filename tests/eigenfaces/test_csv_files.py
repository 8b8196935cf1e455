"""Tables for other programs: no name becomes a formula."""

import csv
import io
import re
from pathlib import Path

import pytest

from eigenfaces.text import as_cell, as_table

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+49 30", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "'=1+1"],
)
def test_what_a_spreadsheet_would_run_begins_with_an_apostrophe(name: str) -> None:
    assert as_cell(name) == f"'{name}"


@pytest.mark.parametrize("name", ["Zoë", "'Brien", "-3.25", "1e-5", "", "Smith-Jones", "a=b"])
def test_all_else_stays_as_it_is(name: str) -> None:
    assert as_cell(name) == name


def test_a_table_is_read_by_any_reader() -> None:
    text = as_table(("name", "value"), [("=a,b", -1.5), ('say "no"', 2), ("\udcff", "x\ny")])
    lines = list(csv.reader(io.StringIO(text, newline="")))
    assert lines == [
        ["name", "value"],
        ["'=a,b", "-1.5"],
        ['say "no"', "2"],
        ["\\udcff", "x\ny"],
    ]


def test_every_table_is_written_in_this_one_place() -> None:
    places = [*(ROOT / "eigenfaces").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]
    writers = [path.name for path in places if re.search(r"csv\.\w*[wW]riter", path.read_text())]
    assert writers == ["text.py"]
