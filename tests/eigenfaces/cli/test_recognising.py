"""``recognise`` and ``calibrate``: what they say of faces, and of what that is worth."""

import contextlib
import csv
import json
import os
import shutil
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from cli.command_line import CROPPED, answer, eigenfaces, failure, opened, printed
from eigenfaces.cli import app
from eigenfaces.photographs.find import Photo, photos_of
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.project.exports import sidecar_path
from eigenfaces.project.project import Project
from eigenfaces.recognition.answers import apply_answer
from eigenfaces.recognition.probes import probes_on, with_known_numbers


def test_recognise_says_who_it_is_or_that_it_is_nobody(
    project: Path, people: Path, stranger: Path
) -> None:
    known = printed("recognise", project, people / "Person 2" / "3.png")
    for words in (
        "Person 2 (sure, but roughly: few people or photos to learn from)",
        "This is Person 2. Next is ",
        "in the gallery as “Person 2”, so its distance proves nothing.",
        "The face space was also fitted to it.",
    ):
        assert words in known
    unknown = printed("recognise", project, stranger, "--top", 4)
    assert "in the gallery" not in unknown
    for words in (
        "Unknown · nearest is Person 1 (a face, but too far from everybody)",
        *("(limit ", "Distance from face space: "),
        "[bold]Ångström, “=1+1”",  # a name is not markup
        "At most 1 % of strangers. With 4 people, no share below ",
        "Held out, 20 of 20 photos are nearest to the right person: 100.00 %",
    ):
        assert words in unknown


def test_a_photograph_from_standard_input_and_patterns(project: Path, people: Path) -> None:
    photo = people / "Person 2" / "3.png"
    piped = CliRunner().invoke(app, ["recognise", str(project), "-"], input=photo.read_bytes())
    assert (piped.exit_code, piped.stdout.splitlines()[0]) == (0, "-")
    assert "This is Person 2." in piped.stdout
    text = printed("recognise", project, people / "Person [12]" / "?.png", "--csv", "--top", 1)
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["person"] for row in rows] == ["Person 1"] * 5 + ["Person 2"] * 5
    none = eigenfaces("recognise", project, people / "*.gif")
    assert (none.exit_code, "*.gif: The file is not there" in none.stderr) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_name_of_several_lines_makes_none(project: Path, stranger: Path, tmp_path: Path) -> None:
    odd = shutil.copy(stranger, tmp_path / "a\nThis is Person 1.png")
    assert printed("recognise", project, odd).startswith(f"{tmp_path}/a�This is Person")


def test_names_are_written_beside_the_photographs_and_copies_sorted(
    project: Path, people: Path, stranger: Path, tmp_path: Path
) -> None:
    known, folder = people / "Person 2" / "3.png", tmp_path / "sorted"
    content = known.read_bytes()
    result = eigenfaces("recognise", project, known, stranger, "--xmp", "--sort-into", folder)
    assert result.exit_code == 0
    assert "1 face named; 1 sidecar file written." in result.stderr
    assert f"1 copy made in “{folder}”. 1 photo without a name." in result.stderr
    assert (folder / "Person 2" / "3.png").read_bytes() == known.read_bytes() == content
    sidecar = known.with_name("3.png.xmp")
    assert 'mwg-rs:Name="Person 2"' in sidecar.read_text("utf-8")
    sidecar.write_text("mine", "utf-8")
    refused = eigenfaces("recognise", project, known, "--xmp")
    assert (refused.exit_code, sidecar.read_text("utf-8")) == (3, "mine")
    assert "was not changed. It is not an XMP file, or it is damaged." in refused.stderr
    sidecar.unlink()
    piped = eigenfaces("recognise", project, "-", "--xmp")
    assert "need photos that are files" in piped.output


def test_an_answer_of_the_project_is_written_as_confirmed_and_a_verdict_as_a_guess(
    project: Path, people: Path, stranger: Path
) -> None:
    known = people / "Person 2" / "3.png"
    with contextlib.closing(Project.open(project)) as file:
        gallery = file.gallery
        (probe,) = with_known_numbers(gallery, probes_on(Photo(stranger), gallery.preparation))
        file.save(apply_answer(gallery, probe, "it is", ["Zoë"]).gallery)
    result = eigenfaces("recognise", project, known, stranger, "--xmp")
    assert "2 faces named; 2 sidecar files written." in result.stderr
    known_xmp, stranger_xmp = (sidecar_path(path).read_text("utf-8") for path in (known, stranger))
    assert 'eigenfaces:Guess="Person 2"' in known_xmp
    assert 'eigenfaces:Confirmed="Zoë"' in stranger_xmp
    found = with_marked_faces(photos_of([known, stranger]))
    assert [photo.person for photo in found.photos] == [None, "Zoë"]


def test_a_summary_of_several_and_another_share_of_strangers(
    project: Path, people: Path, stranger: Path
) -> None:
    text = printed("recognise", project, people, stranger)
    assert "\n21 faces on 21 photos: sure 20, unknown 1.\n" in text
    lax = answer("recognise", project, people, stranger, "--strangers", "100%")
    usual = answer("recognise", project, stranger)
    assert (lax["strangers"], usual["strangers"]) == (1, 0.01)
    assert "At most 100 % of strangers" in lax["note"]
    assert lax["answers"][0]["threshold"] > usual["answers"][0]["threshold"]


def test_too_few_people_are_not_named_but_ranked(people: Path, tmp_path: Path) -> None:
    for name in ("Person 3", "[bold]Ångström, “=1+1”"):
        shutil.rmtree(people / name)
    file, photo = tmp_path / "two.eigenfaces", people / "Person 1" / "1.png"
    printed("build", people, "-o", file, *CROPPED)
    content = answer("recognise", file, photo)
    (first,) = content["answers"]
    assert (content["calibrated"], first["calibrated"]) == (False, False)
    assert (first["verdict"], first["headline"]) == ("not calibrated", "Closest: Person 1")
    nothing = ("person", "probability", "threshold", "face_residual", "face_residual_limit")
    assert [first[key] for key in nothing] == [None] * 5
    text = printed("recognise", file, photo)
    assert "Closest: Person 1 (not calibrated)" in text
    for note in (text, content["note"], printed("calibrate", file)):
        assert "fewer than 3 people" in note


def test_recognise_in_json_and_csv(
    project: Path, people: Path, stranger: Path, tmp_path: Path
) -> None:
    """A photograph that cannot be used does not stop the others."""
    photos = (tmp_path / "gone.png", stranger, people)
    result = eigenfaces("recognise", project, *photos, "--json")
    assert (result.exit_code, "gone.png: The file is not there" in result.stderr) == (3, True)
    content = json.loads(result.stdout)
    keys = "calibrated note distance components recipe strangers answers skipped"
    assert list(content) == keys.split()
    assert (content["calibrated"], content["distance"], content["strangers"]) == (True, "L2", 0.01)
    assert (content["recipe"], len(content["answers"])) == ("Eigenfaces", 21)
    assert [skipped["photo"] for skipped in content["skipped"]] == [str(photos[0])]
    first, *others = content["answers"]
    assert (first["in_gallery"], first["filed_as"]) == (False, None)
    assert first["distance_in"] == first["ranking"][0]["distance"] >= first["threshold"]
    assert (first["verdict"], first["person"], len(first["ranking"])) == ("unknown", None, 3)
    for other in others:
        assert other["closest"] == other["filed_as"] == other["person"]
        assert (other["verdict"], other["calibrated"]) == ("sure", True)
        assert other["distance_in"] < other["threshold"]
    text = printed("recognise", project, *photos, "--csv", "--top", 9, code=3)
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 21 * 4
    for name in ("distance_in", "distance_from"):
        assert float(rows[0][name]) == first[name]
    assert list(rows[0])[-10:] == [
        *("verdict", "named", "probability", "threshold"),
        *("face_residual", "face_residual_limit", "recipe", "left", "top", "size"),
    ]
    assert (rows[0]["verdict"], rows[0]["named"]) == ("unknown", "")
    assert {row["named"] for row in rows[4:]} == {row["person"] for row in rows}
    assert printed("recognise", project, photos[0], code=1) == ""


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photograph that is there and may not be read, not even by an administrator."""
    photo, may, read = tmp_path / "locked.png", os.access, Path.read_bytes
    photo.write_bytes(b"secret")

    def read_bytes(path: Path) -> bytes:
        if path == photo:
            raise PermissionError(13, "Permission denied", str(photo))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(
        os, "access", lambda path, mode: str(path) != str(photo) and may(path, mode)
    )
    return photo


def test_a_photograph_that_may_not_be_read_is_skipped_as_one_that_is_gone(
    project: Path, people: Path, locked: Path
) -> None:
    known, gone = people / "Person 2" / "3.png", people / "gone.png"
    for others in ([gone], [locked], [gone, locked]):
        result = eigenfaces("recognise", project, *others, known)
        assert (result.exit_code, "This is Person 2." in result.stdout) == (3, True)
        assert [line.partition(": ")[0] for line in result.stderr.splitlines()] == [
            *map(str, others)
        ]
    assert "no permission to read" in result.stderr
    assert eigenfaces("recognise", project, locked).exit_code == 1, "nothing could be used"
    faces = ("-k", 2, "-o", people / "rebuilt.png")
    for command in (("verify", locked, known), ("reconstruct", project, locked, *faces)):
        assert "no permission to read" in failure(*command)


def test_it_says_what_was_promised_and_what_held(project: Path) -> None:
    text = printed("calibrate", project)
    assert "20 photos of 4 people, each held out, with the recipe Eigenfaces." in text
    assert "At most 1 % of strangers. With 4 people, no share below " in text
    shares = [line.split()[0] for line in text.splitlines() if " %  " in line]
    assert shares == ["0.1", "1", "2", "5", "10"]
    assert "these words are only rough" in text
    assert "of the contrast is unexplained. This is true of 20 of 20 known faces." in text


def test_in_json_with_another_share(project: Path, stranger: Path) -> None:
    report = answer("calibrate", project, "--strangers", "3%")
    assert (report["calibrated"], report["asked"], report["people"]) == (True, 0.03, 4)
    thresholds = [(mark["asked"], mark["limit"]) for mark in report["marks"]]
    assert [share for share, _ in thresholds] == [0.001, 0.01, 0.02, 0.03, 0.05, 0.1]
    assert thresholds == sorted(thresholds, key=lambda pair: pair[1])
    assert [word["word"] for word in report["words"]] == ["sure", "likely", "ask"]
    assert report["named_rightly"]["of"] == 20
    gallery = opened(project)
    assert (gallery.share, gallery.calibrated is not None) == (0.03, True)
    assert answer("calibrate", project) == report
    printed("recognise", project, stranger, "--strangers", "9%")
    assert opened(project).share == 0.03  # only calibrate keeps it


def test_a_photograph_that_was_saved_again_is_the_one_in_the_project(
    people: Path, project: Path
) -> None:
    """Its distance proves nothing, though its file is another; and so where it has moved."""
    path = people / "Person 2" / "3.png"
    picture = Image.open(path).copy()
    picture.save(path, compress_level=0)
    moved = path.with_name("moved.png")
    (people / "Person 2" / "2.png").rename(moved)
    answers = json.loads(printed("recognise", project, path, moved, "--json"))["answers"]
    assert [answer["filed_as"] for answer in answers] == ["Person 2", "Person 2"]
    assert all(answer["cautions"][0]["kind"] == "itself" for answer in answers)
