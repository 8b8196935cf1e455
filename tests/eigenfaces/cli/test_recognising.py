"""``recognise`` and ``calibrate``: what they say of faces, and of what that is worth."""

import csv
import io
import json
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.command_line import CROPPED, eigenfaces, opened
from eigenfaces.cli import app


def test_recognise_says_who_it_is_or_that_it_is_nobody(
    project: Path, people: Path, stranger: Path
) -> None:
    known = eigenfaces("recognise", project, people / "Person 2" / "3.png")
    assert known.exit_code == 0
    assert "Person 2 (sure, but roughly: few people or photos to learn from)" in known.stdout
    assert "This is Person 2. Next is " in known.stdout
    assert "in the gallery as “Person 2”, so its distance proves nothing." in known.stdout
    assert "The face space was fitted to it, too." in known.stdout
    said = eigenfaces("recognise", project, stranger, "--top", 4).stdout
    assert "Unknown · nearest is Person 1 (a face, but too far from everybody)" in said
    assert "(limit " in said
    assert "Distance from face space: " in said
    assert "in the gallery" not in said
    assert "[bold]Ångström, “=1+1”" in said  # a name is not markup
    assert "At most 1 % of strangers; with 4 people no less than " in said
    assert "Held out, 20 of 20 photos are nearest to the right person: 100.00 %" in said


def test_a_photograph_from_standard_input_and_patterns(project: Path, people: Path) -> None:
    photo = people / "Person 2" / "3.png"
    piped = CliRunner().invoke(app, ["recognise", str(project), "-"], input=photo.read_bytes())
    assert (piped.exit_code, piped.stdout.splitlines()[0]) == (0, "-")
    assert "This is Person 2." in piped.stdout
    said = eigenfaces("recognise", project, people / "Person [12]" / "?.png", "--csv", "--top", 1)
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    assert [row["person"] for row in rows] == ["Person 1"] * 5 + ["Person 2"] * 5
    none = eigenfaces("recognise", project, people / "*.gif")
    assert (none.exit_code, "*.gif: The file is not there" in none.stderr) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_name_of_several_lines_makes_none(project: Path, stranger: Path, tmp_path: Path) -> None:
    odd = shutil.copy(stranger, tmp_path / "a\nThis is Person 1.png")
    assert eigenfaces("recognise", project, odd).stdout.startswith(f"{tmp_path}/a�This is Person")


def test_names_are_written_beside_the_photographs_and_copies_sorted(
    project: Path, people: Path, stranger: Path, tmp_path: Path
) -> None:
    known, folder = people / "Person 2" / "3.png", tmp_path / "sorted"
    content = known.read_bytes()
    options = ("--xmp", "--sort-into", folder)
    said = eigenfaces("recognise", project, known, stranger, *options)
    assert said.exit_code == 0
    assert "1 face named; 1 sidecar file written." in said.stderr
    assert f"1 copy made in “{folder}”; 1 photograph without a name." in said.stderr
    assert (folder / "Person 2" / "3.png").read_bytes() == known.read_bytes() == content
    sidecar = known.with_name("3.png.xmp")
    assert 'mwg-rs:Name="Person 2"' in sidecar.read_text("utf-8")
    sidecar.write_text("mine", "utf-8")
    refused = eigenfaces("recognise", project, known, "--xmp")
    assert (refused.exit_code, sidecar.read_text("utf-8")) == (3, "mine")
    assert "is left as it is. It is no XMP file, or a damaged one." in refused.stderr
    sidecar.unlink()
    piped = eigenfaces("recognise", project, "-", "--xmp")
    assert "need photographs that are files" in piped.output


def test_a_summary_of_several_and_another_share_of_strangers(
    project: Path, people: Path, stranger: Path
) -> None:
    said = eigenfaces("recognise", project, people, stranger).stdout
    assert "\n21 faces on 21 photographs: sure 20, unknown 1.\n" in said
    lax = eigenfaces("recognise", project, people, stranger, "--strangers", "100%", "--json")
    told = json.loads(lax.stdout)
    assert told["strangers"] == 1
    assert "At most 100 % of strangers" in told["note"]
    usual = json.loads(eigenfaces("recognise", project, stranger, "--json").stdout)
    assert usual["strangers"] == 0.01
    assert told["answers"][0]["threshold"] > usual["answers"][0]["threshold"]


def test_too_few_people_are_not_named_but_ranked(people: Path, tmp_path: Path) -> None:
    for name in ("Person 3", "[bold]Ångström, “=1+1”"):
        shutil.rmtree(people / name)
    file, photo = tmp_path / "two.eigenfaces", people / "Person 1" / "1.png"
    eigenfaces("build", people, "-o", file, *CROPPED)
    told = json.loads(eigenfaces("recognise", file, photo, "--json").stdout)
    (first,) = told["answers"]
    assert (told["calibrated"], first["calibrated"]) == (False, False)
    assert (first["verdict"], first["headline"]) == ("not calibrated", "Closest: Person 1")
    assert "fewer than 3 people" in told["note"]
    nothing = ("person", "probability", "threshold", "left_over", "left_over_limit")
    assert [first[key] for key in nothing] == [None] * 5
    said = eigenfaces("recognise", file, photo).stdout
    assert "Closest: Person 1 (not calibrated)" in said
    assert "fewer than 3 people" in said
    assert "fewer than 3 people" in eigenfaces("calibrate", file).stdout


def test_recognise_in_json_and_csv(
    project: Path, people: Path, stranger: Path, tmp_path: Path
) -> None:
    """A photograph that cannot be used does not stop the others."""
    photos = (tmp_path / "gone.png", stranger, people)
    result = eigenfaces("recognise", project, *photos, "--json")
    assert (result.exit_code, "gone.png: The file is not there" in result.stderr) == (3, True)
    told = json.loads(result.stdout)
    keys = "calibrated note distance components recipe strangers answers skipped"
    assert list(told) == keys.split()
    assert (told["calibrated"], told["distance"], len(told["answers"])) == (True, "L2", 21)
    assert (told["recipe"], told["strangers"]) == ("Eigenfaces", 0.01)
    assert [skipped["photo"] for skipped in told["skipped"]] == [str(photos[0])]
    first, *others = told["answers"]
    assert (first["in_gallery"], first["filed_as"]) == (False, None)
    assert first["distance_in"] == first["ranking"][0]["distance"] >= first["threshold"]
    assert (first["verdict"], first["person"], len(first["ranking"])) == ("unknown", None, 3)
    for answer in others:
        assert answer["closest"] == answer["filed_as"] == answer["person"]
        assert (answer["verdict"], answer["calibrated"]) == ("sure", True)
        assert answer["distance_in"] < answer["threshold"]
    rows = list(
        csv.DictReader(
            eigenfaces("recognise", project, *photos, "--csv", "--top", 9).stdout.splitlines()
        )
    )
    assert len(rows) == 21 * 4
    for name in ("distance_in", "distance_from"):
        assert float(rows[0][name]) == first[name]
    assert list(rows[0])[-10:] == [
        *("verdict", "named", "probability", "threshold"),
        *("left_over", "left_over_limit", "recipe", "left", "top", "size"),
    ]
    assert (rows[0]["verdict"], rows[0]["named"]) == ("unknown", "")
    assert {row["named"] for row in rows[4:]} == {row["person"] for row in rows}
    none = eigenfaces("recognise", project, photos[0])
    assert (none.exit_code, none.stdout) == (1, "")


def test_it_says_what_was_promised_and_what_held(project: Path) -> None:
    said = eigenfaces("calibrate", project)
    assert said.exit_code == 0
    assert "20 photographs of 4 people, each held out, by the recipe Eigenfaces." in said.stdout
    assert "At most 1 % of strangers; with 4 people no less than " in said.stdout
    assert [line.split()[0] for line in said.stdout.splitlines() if " %  " in line] == [
        *("0.1", "1", "2", "5", "10")
    ]
    assert "these words are rough" in said.stdout
    assert "of its contrast over: 20 of 20 known ones do." in said.stdout


def test_in_json_with_another_share(project: Path, stranger: Path) -> None:
    told = json.loads(eigenfaces("calibrate", project, "--strangers", "3%", "--json").stdout)
    assert (told["calibrated"], told["asked"], told["people"]) == (True, 0.03, 4)
    shares = [mark["asked"] for mark in told["marks"]]
    assert shares == [0.001, 0.01, 0.02, 0.03, 0.05, 0.1]
    limits = [mark["limit"] for mark in told["marks"]]
    assert limits == sorted(limits)
    assert [word["word"] for word in told["words"]] == ["sure", "likely", "ask"]
    assert told["named_rightly"]["of"] == 20
    kept = opened(project)
    assert (kept.share, kept.calibrated is not None) == (0.03, True)
    again = json.loads(eigenfaces("calibrate", project, "--json").stdout)
    assert again == told
    eigenfaces("recognise", project, stranger, "--strangers", "9%")
    assert opened(project).share == 0.03  # only calibrate keeps it
