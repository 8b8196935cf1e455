"""``faces``, and ``build`` and ``recognise`` on photographs that are no faces yet."""

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data
from typer.testing import Result

from cli.command_line import eigenfaces, failure, opened
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import read_face
from eigenfaces.photographs.photos import Eyes, Photo, read_eyes
from eigenfaces.project.exports import grey_levels

COLUMNS = (
    "photo,person,face,box_left,box_top,box_size,left_x,left_y,right_x,right_y,angle,sharpness,"
    "found,concerns,reason"
)


@dataclass(frozen=True)
class Cut:
    """An album, and what ``faces`` made of it."""

    album: Path
    folder: Path
    result: Result

    @property
    def rows(self) -> dict[str, dict[str, str]]:
        """The lines of ``faces.csv`` by the names of the photographs."""
        lines = (self.folder / "faces.csv").read_text("utf-8").splitlines()
        assert lines[0] == COLUMNS
        return {Path(row["photo"]).name: row for row in csv.DictReader(lines)}


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A face in four pictures, two of the names alike but for the ending; noise, and two faces."""
    folder = tmp_path_factory.mktemp("whole") / "album"
    for person in ("Eileen", "Nobody there"):
        (folder / person).mkdir(parents=True)
    face = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250))
    face.save(folder / "Eileen" / "a.png")
    face.save(folder / "Eileen" / "A.jpg", quality=95)
    face.rotate(-8, Image.Resampling.BICUBIC, fillcolor="grey").save(folder / "Eileen" / "b.bmp")
    face.rotate(4, fillcolor="grey").save(folder / "strange.name", "PNG")
    two = Image.new("RGB", (460, 230))
    two.paste(face, (0, 0))
    two.paste(face.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (230, 0))
    two.save(folder / "Nobody there" / "two.png")
    noise = np.random.default_rng(3).integers(0, 256, (90, 90), np.uint8)
    Image.fromarray(noise).save(folder / "Nobody there" / "noise.png")
    (folder / "Nobody there" / "bad.png").write_text("no picture")
    return folder


@pytest.fixture(scope="module")
def cut(album: Path) -> Cut:
    folder = album.parent / "cut"
    return Cut(album, folder, eigenfaces("faces", album, "-o", folder))


def test_every_photograph_has_a_line(cut: Cut) -> None:
    assert cut.result.exit_code == 3
    assert "cut: 4 faces, 0 of them doubtful" in cut.result.stdout
    assert "3 photographs were not used: " in cut.result.stdout
    assert set(cut.rows) == {path.name for path in cut.album.rglob("*") if path.is_file()}
    for name, reason in (
        ("two.png", "There are 2 faces in it"),
        ("noise.png", "No face was found"),
        ("bad.png", "not a picture"),
    ):
        row = cut.rows[name]
        assert reason in row["reason"]
        assert row["person"] == "Nobody there"
        assert {row[column] for column in COLUMNS.split(",")[2:-1]} == {""}


def test_the_line_of_a_face_says_where_it_is(cut: Cut) -> None:
    for name, row in cut.rows.items():
        if row["reason"]:
            continue
        seen = read_face(Photo(Path(row["photo"])), Preparation())
        written = np.asarray(Image.open(cut.folder / row["face"]))
        assert np.array_equal(written, grey_levels(seen.face)), name
        x, y, u, v = (float(row[column]) for column in ("left_x", "left_y", "right_x", "right_y"))
        eyes = Eyes((x, y), (u, v))
        assert eyes.box == pytest.approx(
            [float(row[f"box_{side}"]) for side in ("left", "top", "size")], abs=0.05
        )
        assert eyes.angle == pytest.approx(float(row["angle"]), abs=0.05)
        assert row["found"] == "found"
        assert float(row["sharpness"]) > 0.1
    tilt = float(cut.rows["b.bmp"]["angle"]) - float(cut.rows["a.png"]["angle"])
    assert tilt == pytest.approx(8, abs=2)


def test_pictures_are_filed_by_person_and_never_twice(cut: Cut) -> None:
    written = {path.relative_to(cut.folder).as_posix() for path in cut.folder.rglob("*.png")}
    assert written == {"Eileen/A.png", "Eileen/a-2.png", "Eileen/b.png", "strange.name.png"}
    assert written == {row["face"] for row in cut.rows.values() if row["face"]}
    again = failure("faces", cut.album, "-o", cut.folder)
    assert "not an empty folder" in again


def test_the_eyes_can_be_given_to_build(cut: Cut, tmp_path: Path) -> None:
    eyes = read_eyes(cut.folder / "eyes.csv")
    assert {path.name for path in eyes} == {"a.png", "A.jpg", "b.bmp", "strange.name"}
    text = (cut.folder / "eyes.csv").read_text("utf-8")
    moved = Eyes((100.0, 90.0), (140.0, 90.0))
    row = cut.rows["b.bmp"]
    wrong = f"{row['left_x']},{row['left_y']},{row['right_x']},{row['right_y']}"
    corrected = tmp_path / "corrected.csv"
    corrected.write_text(text.replace(wrong, "100,90,140,90"), "utf-8")
    file = tmp_path / "p.eigenfaces"
    result = eigenfaces("build", cut.album, "--eyes", corrected, "-o", file)
    assert result.exit_code == 3
    assert "faces cut by the eyes that a file states" in result.stdout
    photos = {photo.path.name: photo.placement for photo in opened(file).faces.index.photos}
    assert photos["b.bmp"].eyes == moved
    assert {placement.source for placement in photos.values()} == {"from a file"}


def test_every_face_from_left_to_right(cut: Cut, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    result = eigenfaces("faces", cut.album / "Nobody there", "-o", folder, "--all")
    assert result.exit_code == 3
    assert sorted(path.name for path in folder.iterdir()) == ["faces.csv", "two-2.png", "two.png"]
    rows = list(csv.DictReader((folder / "faces.csv").read_text("utf-8").splitlines()))
    assert [row["face"] for row in rows[:2]] == ["two.png", "two-2.png"]
    left, right = (float(row["left_x"]) for row in rows[:2])
    assert left < 230 < right


def test_photographs_that_are_faces_already(people: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    folder.mkdir()
    said = ("--already-cropped", "--height", 32, "--width", 24)
    assert eigenfaces("faces", people, "-o", folder, *said).exit_code == 0
    rows = list(csv.DictReader((folder / "faces.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 20
    assert {(row["found"], row["left_x"], row["angle"]) for row in rows} == {("cropped", "", "")}
    for row in rows:
        written, photo = Image.open(folder / row["face"]), Image.open(row["photo"])
        assert np.array_equal(np.asarray(written), np.asarray(photo))
    assert (folder / "eyes.csv").read_text("utf-8").split() == [
        "file,left_x,left_y,right_x,right_y"
    ]


def test_names_from_a_list_are_made_safe(people: Path, tmp_path: Path) -> None:
    names = ["../up", "..", "a/b", "a?b", "A_B", ".hidden", "x" * 300]
    manifest = tmp_path / "list.csv"
    named = zip(sorted(people.rglob("*.png")), names, strict=False)
    manifest.write_text("\n".join(f"{photo};{name}" for photo, name in named), "utf-8")
    folder = tmp_path / "cut"
    assert eigenfaces("faces", manifest, "-o", folder, "--already-cropped").exit_code == 0
    rows = list(csv.DictReader((folder / "faces.csv").read_text("utf-8").splitlines()))
    assert [row["person"] for row in rows] == names
    homes = [row["face"].split("/")[0] for row in rows]
    assert len({home.casefold() for home in homes}) == len(names)
    assert not any(home.startswith(".") for home in homes)
    assert len(list(folder.rglob("*.png"))) == len(names)


def test_names_by_a_pattern_and_what_does_not_fit(people: Path, tmp_path: Path) -> None:
    flat, folder = tmp_path / "flat", tmp_path / "cut"
    flat.mkdir()
    for number, name in enumerate(("ada.sad.png", "ada.glad.png", "stray.png"), start=1):
        (flat / name).write_bytes((people / "Person 1" / f"{number}.png").read_bytes())
    said = ("--pattern", "{person}.*.png", "--already-cropped")
    assert eigenfaces("faces", flat, "-o", folder, *said).exit_code == 3
    rows = list(csv.DictReader((folder / "faces.csv").read_text("utf-8").splitlines()))
    assert [row["face"] for row in rows] == ["ada/ada.glad.png", "ada/ada.sad.png", ""]
    assert "does not fit the pattern" in rows[-1]["reason"]


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_names_that_are_no_text(people: Path, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd/caf\xe9/\xff.png"))
    odd.parent.mkdir(parents=True)
    odd.write_bytes((people / "Person 1" / "1.png").read_bytes())
    folder = tmp_path / "cut"
    assert eigenfaces("faces", tmp_path / "odd", "-o", folder, "--already-cropped").exit_code == 0
    (row,) = csv.DictReader((folder / "faces.csv").read_text("utf-8").splitlines())
    assert (folder / row["face"]).is_file()


def test_no_face_at_all(cut: Cut, tmp_path: Path) -> None:
    only = tmp_path / "photos"
    only.mkdir()
    (only / "noise.png").write_bytes((cut.album / "Nobody there" / "noise.png").read_bytes())
    said = failure("faces", only, "-o", tmp_path / "out")
    assert "No photograph has a face that can be used" in said
    assert "No face was found" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos"]


def test_build_says_what_was_found_and_what_to_look_at(cut: Cut, tmp_path: Path) -> None:
    dark = Image.open(cut.album / "Eileen" / "a.png").convert("L").point(lambda grey: grey // 6)
    photos = tmp_path / "photos"
    photos.mkdir()
    dark.save(photos / "dark.png")
    for name in ("a.png", "b.bmp"):
        (photos / name).write_bytes((cut.album / "Eileen" / name).read_bytes())
    result = eigenfaces("build", photos, "-o", tmp_path / "p.eigenfaces")
    assert result.exit_code == 0
    assert "3 faces found, 0 of them doubtful." in result.stdout
    listed = result.stdout.split("1 photograph to look at:")[1]
    assert "dark.png" in listed
    assert "very dark" in listed
    assert "found and aligned" in eigenfaces("info", tmp_path / "p.eigenfaces").stdout


def test_recognise_answers_for_every_face(cut: Cut, tmp_path: Path) -> None:
    file = tmp_path / "p.eigenfaces"
    assert eigenfaces("build", cut.album, "-o", file).exit_code == 3
    asked = [cut.album / "Nobody there" / name for name in ("two.png", "noise.png")]
    result = eigenfaces("recognise", file, *asked)
    assert result.exit_code == 3
    for each in ("two.png: face 1 of 2 from the left", "face 2 of 2 from the left"):
        assert each in result.stdout
    assert "noise.png: No face was found" in result.stderr
    told = json.loads(eigenfaces("recognise", file, *asked, "--json").stdout)
    first, second = told["answers"]
    assert [first["face"], second["face"], first["faces"]] == [1, 2, 2]
    assert first["box"][0] < 230 < second["box"][0]
    assert first["closest"] == "Eileen"
    table = eigenfaces("recognise", file, asked[0], "--csv").stdout
    assert [row["face"] for row in csv.DictReader(table.splitlines())] == ["1", "2"]


def test_another_face_of_an_enrolled_photograph_is_not_in_the_gallery(
    cut: Cut, tmp_path: Path
) -> None:
    two = cut.album / "Nobody there" / "two.png"
    found = read_face(Photo(two), Preparation()).faces
    eyes = max((face.eyes for face in found), key=lambda each: each.left)  # the left is a.png’s
    (tmp_path / "eyes.csv").write_text(
        "file,left_x,left_y,right_x,right_y\n"
        f"{two},{eyes.left[0]},{eyes.left[1]},{eyes.right[0]},{eyes.right[1]}\n"
    )
    file = tmp_path / "p.eigenfaces"
    eigenfaces("build", cut.album, "--eyes", tmp_path / "eyes.csv", "-o", file)
    told = json.loads(eigenfaces("recognise", file, two, "--json").stdout)
    assert [answer["in_gallery"] for answer in told["answers"]] == [False, True]
    assert [answer["filed_as"] for answer in told["answers"]] == [None, "Nobody there"]
