"""``sweep``: the table, taken up where it was left; and what cannot be gone through."""

import csv
from pathlib import Path
from typing import Any

import pytest

from cli.command_line import CROPPED, eigenfaces, failure

QUICK = ("--protocol", "first-3", "--distance", "l2")


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def swept(people: Path, table: Path, *said: object) -> str:
    result = eigenfaces("sweep", people, "-o", table, *CROPPED, *QUICK, *said)
    assert result.exit_code == 0, result.output
    return result.stderr


def test_every_combination_has_its_line(people: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    swept(
        people,
        table,
        *("--distance", "cosine", "-k", "2,4", "-k", 6, "--lighting", "none"),
        *("--lighting", "equalised", "--size", "12x16", "--size", "24x32", "--drop-first", 0),
        *("--drop-first", 3),
    )
    found = {
        tuple(row[name] for name in ("distance", "components", "lighting", "width", "dropped"))
        for row in rows(table)
    }
    expected = {
        (distance, k, light, width, dropped)
        for distance in ("L2", "cosine")
        for k, dropped in (("2", "0"), ("4", "0"), ("6", "0"), ("4", "3"), ("6", "3"))
        for light in ("none", "equalised")
        for width in ("12", "24")
    }
    assert found == expected
    assert len(rows(table)) == len(expected)


def test_what_matters_most_is_gone_through_too(people: Path, tmp_path: Path) -> None:
    """Of a repeated option every value counts; what comes to the same is measured once."""
    table = tmp_path / "table.csv"
    told = swept(
        people,
        table,
        *("-k", 4, "--window", "none", "--window", "oval", "--whitening", "none"),
        *("--whitening", "pca", "--smoothing", 0, "--smoothing", "10%", "--smoothing", 0.5),
        *("--rule", "nearest", "--rule", "class-mean", "--neighbours", 1, "--neighbours", 3),
    )
    names = ("window", "whitening", "smoothing", "rule", "neighbours")
    found = [tuple(row[name] for name in names) for row in rows(table)]
    expected = {
        (window, *whitening, *rule)
        for window in ("none", "oval")
        for whitening in (("none", "0.0"), ("pca", "0.0"), ("pca", "10%"), ("pca", "0.5"))
        for rule in (("nearest", "1"), ("nearest", "3"), ("class mean", "1"))
    }
    assert set(found) == expected
    assert len(found) == len(expected)
    assert "Smoothing left out without whitening" in told
    assert "Neighbours left out with the rule class mean" in told
    for row in rows(table)[::7]:
        said = ("-k", 4, "--window", row["window"], "--whitening", row["whitening"])
        said += ("--smoothing", row["smoothing"], "--rule", row["rule"], *CROPPED, *QUICK)
        result = eigenfaces("evaluate", people, *said, "--neighbours", row["neighbours"])
        assert f"Rank-1: {100 * float(row['accuracy']):.2f} %" in result.stdout


def test_what_does_not_go_together_is_left_out_and_that_is_said(
    people: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    said = ("--whitening", "none", "--whitening", "pca")
    told = swept(people, table, "-k", 4, "--distance", "l1", "--distance", "yambor", *said)
    assert "PCA whitening left out with Yambor" in told
    assert {(row["whitening"], row["distance"]) for row in rows(table)} == {
        *(("none", name) for name in ("L1", "L2", "Yambor")),
        *(("pca", "L1"), ("pca", "L2")),
    }


def test_of_the_usual_distances_those_are_taken_that_go_with_the_whitening(
    people: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    said = ("sweep", people, "-o", table, *CROPPED, "--protocol", "first-3", "-k", 4)
    assert eigenfaces(*said, "--whitening", "pca").exit_code == 0
    assert {row["distance"] for row in rows(table)} == {"L2", "L1", "cosine"}


def test_a_table_of_an_earlier_version_is_taken_up(people: Path, tmp_path: Path) -> None:
    """Its recipe says in words what has columns of its own now."""
    table = tmp_path / "table.csv"
    said = ("-k", "2,4", "--window", "oval", "--whitening", "pca", "--smoothing", 0.5)
    said += ("--rule", "class-mean")
    swept(people, table, *said)
    whole = rows(table)
    gone = ("window", "whitening", "smoothing", "rule", "neighbours")
    old = [{name: row[name] for name in row if name not in gone} for row in whole]
    assert {row["recipe"] for row in old} == {
        "Eigenfaces, window oval, whitening pca, smoothing 0.5, rule class mean"
    }
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(old[0]))
        writer.writeheader()
        writer.writerows(old)
    told = swept(people, table, *said)
    assert "is taken up where it was left, with 2 settings" in told
    assert rows(table) == whole


def test_ten_lines_are_said_with_what_they_are_worth(people: Path, tmp_path: Path) -> None:
    said = ("-k", ",".join(map(str, range(1, 12))), *CROPPED, *QUICK)
    result = eigenfaces("sweep", people, "-o", tmp_path / "t.csv", *said)
    assert result.exit_code == 0
    assert "20 photographs of 4 people" in result.stdout
    assert "11 settings" in result.stdout
    assert result.stdout.count(" L2 ") == 10
    assert result.stdout.count(" to ") >= 10
    assert result.stdout.rstrip().endswith("before you believe it.")
    assert "optimistic" in result.stdout


def test_it_agrees_with_evaluate(people: Path, tmp_path: Path) -> None:
    swept(people, tmp_path / "t.csv", "-k", "1,2", "--drop-first", 1, "--rule", "mean-distance")
    (row,) = rows(tmp_path / "t.csv")
    said = ("-k", 2, "--drop-first", 1, "--rule", "mean-distance", *CROPPED, *QUICK)
    result = eigenfaces("evaluate", people, *said)
    assert f"Rank-1: {100 * float(row['accuracy']):.2f} %" in result.stdout
    assert row["recipe"] == "Eigenfaces, rule mean distance"


def test_a_table_is_taken_up_where_it_was_left(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, whole = tmp_path / "table.csv", tmp_path / "whole.csv"
    said = ("-k", "2,4", "--lighting", "none", "--lighting", "equalised")
    swept(people, whole, *said)
    swept(people, table, *said[:4])
    before = rows(table)
    told = swept(people, table, *said)
    assert "is taken up where it was left, with 2 settings" in told
    assert sorted(map(str, rows(table))) == sorted(map(str, rows(whole)))
    assert all(row in rows(table) for row in before)

    def measured(*_: object) -> None:
        raise AssertionError("It was measured again.")

    monkeypatch.setattr("eigenfaces.evaluation.sweep.of_fold", measured)
    swept(people, table, *said)
    assert sorted(map(str, rows(table))) == sorted(map(str, rows(whole)))


def test_what_was_done_stays_when_it_is_stopped(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eigenfaces.evaluation import sweep

    table = tmp_path / "table.csv"
    measure, blocks = sweep._Task.cells, []

    def stopped(block: sweep._Task, *rest: Any) -> object:
        blocks.append(block)
        if len(blocks) == 2:
            raise KeyboardInterrupt
        return measure(block, *rest)

    monkeypatch.setattr(sweep._Task, "cells", stopped)
    said = ("sweep", people, "-o", table, *CROPPED, *QUICK, "-k", 2)
    lights = ("--lighting", "none", "--lighting", "equalised")
    result = eigenfaces(*said, *lights)
    assert result.exit_code == 130
    assert result.stderr == "Stopped. Nothing is left half-written.\n"
    assert [row["lighting"] for row in rows(table)] == ["none"]
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([people.name, table.name])
    monkeypatch.undo()
    assert eigenfaces(*said, *lights).exit_code == 0
    assert {row["lighting"] for row in rows(table)} == {"none", "equalised"}


def test_other_tables_are_refused_and_replaced_when_that_is_said(
    people: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    swept(people, table, "-k", 2)
    before = table.read_bytes()
    other = ("sweep", people, "-o", table, *CROPPED, "--protocol", "first-2", "-k", 3)
    said = failure(*other)
    assert "other faces or another protocol" in said
    assert "--overwrite" in said
    assert table.read_bytes() == before
    assert eigenfaces(*other, "--overwrite").exit_code == 0
    assert {row["components"] for row in rows(table)} == {"3"}
    (people / "Person 1" / "5.png").unlink()
    assert "other faces" in failure(*other)
    for content in (b"a,b\n1,2\n", (people / "Person 1" / "1.png").read_bytes()):
        table.write_bytes(content)
        assert "no table of a sweep" in failure(*other)
        assert table.read_bytes() == content


def test_counts_that_the_folds_do_not_have_are_left_out_and_that_is_said(
    people: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    assert "k = 12, 50 left out" in swept(people, table, "-k", "11,12,50")
    assert [row["components"] for row in rows(table)] == ["11"]
    said = ("sweep", people, "-o", tmp_path / "x.csv", *CROPPED, *QUICK)
    assert "at most 11 components" in failure(*said, "-k", 50)
    assert "none is left to compare" in failure(*said, "-k", 3, "--drop-first", 3)
    assert "smaller" in failure(*said, "-k", 3, "--size", "99x99")
    assert not (tmp_path / "x.csv").exists()


def test_leaks_bad_places_and_whitening_twice_are_a_sentence(people: Path, tmp_path: Path) -> None:
    said = ("sweep", people, *CROPPED, *QUICK, "-k", 2, "-o")
    assert "another place" in failure(*said, tmp_path / "no" / "t.csv")
    assert "is a folder" in failure(*said, tmp_path)
    twice = ("--whitening", "pca", "--distance", "yambor")
    assert "whitens by itself" in failure(*said, tmp_path / "t.csv", *twice)
    lists = tmp_path / "list.txt"
    lists.write_text("Person 1/1.png\nPerson 2/1.png\n")
    both = ("--protocol", "lists", "--gallery-list", lists, "--probe-list", lists)
    assert "--allow-leaks" in failure(*said, tmp_path / "t.csv", *both)
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("1\nA 1 2\nA 1 B 1\n")
    assert "sets or more" in failure(
        *said, tmp_path / "t.csv", "--protocol", "pairs", "--pairs", pairs
    )


@pytest.mark.parametrize(
    "said",
    [
        ("--sample",),
        ("--sample", "-o", "t.csv", "-k", "many"),
        ("--sample", "-o", "t.csv", "-k", "10,"),
        ("--sample", "-o", "t.csv", "-k", "0.95"),
        ("--sample", "-o", "t.csv", "--size", "small"),
        ("--sample", "-o", "t.csv", "--size", "0x5"),
        ("--sample", "-o", "t.csv", "--lighting", "candle"),
        ("--sample", "-o", "t.csv", "--protocol", "dance"),
        ("-o", "t.csv"),
    ],
)
def test_wrong_usage(
    said: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert eigenfaces("sweep", *said).exit_code == 2
    assert list(tmp_path.iterdir()) == []
