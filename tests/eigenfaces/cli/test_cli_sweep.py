"""``sweep``: every combination as `evaluate` measures it, the best first; and what cannot be."""

import csv
import json
from pathlib import Path

import pytest

from cli.command_line import CROPPED, eigenfaces, failure

QUICK = (*CROPPED, "--protocol", "first-3")


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_combination_has_its_line_the_best_first(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    grid = ("--grid", "k=2,4,95%", "--grid", "distance=l2,cosine")
    said = eigenfaces("sweep", people, *QUICK, "-o", table, *grid)
    assert said.exit_code == 0
    found = rows(table)
    assert list(found[0]) == ["components", "distance", "figure", "value", "low", "high"]
    assert {(row["components"], row["distance"]) for row in found} == {
        (k, distance) for k in ("2", "4", "0.95") for distance in ("L2", "cosine")
    }
    values = [float(row["value"]) for row in found]
    assert values == sorted(values, reverse=True)
    assert "6 combinations" in said.stdout
    assert "is optimistic" in said.stdout


def test_each_is_what_evaluate_says(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    assert eigenfaces("sweep", people, *QUICK, "-o", table, "--grid", "k=2").exit_code == 0
    (row,) = rows(table)
    told = eigenfaces("evaluate", people, *QUICK, "-k", 2, "--no-curves", "--json").stdout
    first = json.loads(told)["figures"][0]
    assert row["figure"] == first["name"] == "rank-1"
    assert [float(row[name]) for name in ("value", "low", "high")] == [
        first[name] for name in ("value", "low", "high")
    ]


def test_recipes_and_what_is_not_possible_with_one(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    grid = ("--grid", "recipe=eigenfaces,texture", "--grid", "lighting=none,tan-triggs")
    said = eigenfaces("sweep", people, *QUICK, "-o", table, *grid)
    assert [(row["recipe"], row["lighting"]) for row in rows(table)].count(
        ("Eigenfaces", "Tan–Triggs")
    ) == 1
    assert "Texture, none: left out. The recipe “Texture” has no setting “lighting”" in said.stderr
    much = ("--grid", "k=2,4000")
    said = eigenfaces("sweep", people, *QUICK, "-o", table, *much, "--overwrite")
    assert "4000: left out. These folds have at most 11 components" in said.stderr
    assert [row["components"] for row in rows(table)] == ["2"]
    dropped = ("--grid", "drop-first=1,11")
    said = eigenfaces("sweep", people, *QUICK, "-o", table, *dropped, "--overwrite")
    assert "11: left out. Only" in said.stderr
    assert [row["dropped"] for row in rows(table)] == ["1"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((), "Missing option"),
        (("--grid", "dance=1"), "There is no setting “dance”"),
        (("--grid", "k="), "Say which values"),
        (("--grid", "distance=l2,l3"), "There is no distance “l3”"),
        (("--grid", "k=2", "--grid", "k=3"), "once for each setting"),
    ],
)
def test_wrong_grids(people: Path, tmp_path: Path, said: tuple[str, ...], why: str) -> None:
    result = eigenfaces("sweep", people, "-o", tmp_path / "table.csv", *said)
    assert result.exit_code == 2
    assert why in " ".join(result.stderr.replace("│", "").split())


def test_refusals_leave_no_table(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    asked = ("sweep", people, *QUICK, "-o", table)
    result = eigenfaces(*asked, "--grid", "k=4000")
    assert (result.exit_code, table.exists()) == (1, False)
    assert "None of these combinations is possible." in result.stderr
    few = eigenfaces(*asked[:2], *CROPPED, "--protocol", "9-shot", *asked[-2:], "--grid", "k=1,2")
    assert few.stderr.count("needs people with at least 10 photos") == 1
    (people / "Person 1" / "5.png").write_bytes((people / "Person 1" / "1.png").read_bytes()[:9])
    assert eigenfaces(*asked, "--grid", "k=2").exit_code == 3
    assert "exists already" in failure(*asked, "--grid", "k=2")
