"""``faces``, and ``build`` and ``recognise`` on photographs that are no faces yet."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from astronaut import small_face
from groups import know_where_they_stand, write_albums
from PIL import Image
from skimage import data

from cli.command_line import CROPPED, answer, eigenfaces, failure, opened, printed
from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.cli import sources
from eigenfaces.cli.building import CUT_FACE_COLUMNS
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import read_face
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.placement import Eyes, read_eyes
from eigenfaces.project.exports import grey_levels


def table_of(file: Path) -> list[dict[str, str]]:
    lines = file.read_text("utf-8-sig").splitlines()
    assert file.name != "faces.csv" or lines[0] == ",".join(CUT_FACE_COLUMNS)
    return list(csv.DictReader(lines))


def by_name(folder: Path) -> dict[str, dict[str, str]]:
    """The lines of ``faces.csv`` by the names of the photographs."""
    return {Path(row["photo"]).name: row for row in table_of(folder / "faces.csv")}


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
def cut(album: Path) -> Path:
    """The folder that ``faces`` makes of the album."""
    folder = album.parent / "cut"
    text = printed("faces", album, "-o", folder, code=3)
    assert "cut: 4 faces, 0 of them doubtful" in text
    assert "3 photos were not used: " in text
    return folder


def test_photographs_have_a_line_and_pictures_are_filed_by_person(album: Path, cut: Path) -> None:
    rows = by_name(cut)
    assert set(rows) == {path.name for path in album.rglob("*") if path.is_file()}
    for name, reason in (
        ("two.png", "It shows 2 faces"),
        ("noise.png", "No face was found"),
        ("bad.png", "not a picture"),
    ):
        assert (reason in rows[name]["reason"], rows[name]["person"]) == (True, "Nobody there")
        assert {rows[name][column] for column in CUT_FACE_COLUMNS[2:-1]} == {""}
    written = {path.relative_to(cut).as_posix() for path in cut.rglob("*.png")}
    assert written == {"Eileen/A.png", "Eileen/a (2).png", "Eileen/b.png", "strange.name.png"}
    assert written == {row["face"] for row in rows.values() if row["face"]}
    assert "not an empty folder" in failure("faces", album, "-o", cut)


def test_the_line_of_a_face_says_where_it_is(cut: Path) -> None:
    rows = by_name(cut)
    for name, row in rows.items():
        if row["reason"]:
            continue
        seen = read_face(Photo(Path(row["photo"])), Preparation())
        written = np.asarray(Image.open(cut / row["face"]))
        assert np.array_equal(written, grey_levels(seen.face)), name
        x, y, u, v = (float(row[column]) for column in ("left_x", "left_y", "right_x", "right_y"))
        eyes = Eyes((x, y), (u, v))
        box = [float(row[f"box_{side}"]) for side in ("left", "top", "size")]
        assert eyes.box == pytest.approx(box, abs=0.05)
        assert eyes.angle == pytest.approx(float(row["angle"]), abs=0.05)
        assert row["found"] == "found"
        assert float(row["sharpness"]) > 0.1
    tilt = float(rows["b.bmp"]["angle"]) - float(rows["a.png"]["angle"])
    assert tilt == pytest.approx(8, abs=2)


def test_the_eyes_can_be_given_to_build(album: Path, cut: Path, tmp_path: Path) -> None:
    eyes = read_eyes(cut / "eyes.csv")
    assert {path.name for path in eyes} == {"a.png", "A.jpg", "b.bmp", "strange.name"}
    row = by_name(cut)["b.bmp"]
    wrong = f"{row['left_x']},{row['left_y']},{row['right_x']},{row['right_y']}"
    corrected, file = tmp_path / "corrected.csv", tmp_path / "p.eigenfaces"
    corrected.write_text(
        (cut / "eyes.csv").read_text("utf-8-sig").replace(wrong, "100,90,140,90"), "utf-8"
    )
    text = printed("build", album, "--eyes", corrected, "-o", file, code=3)
    assert "faces cropped with the eyes in a file" in text
    photos = {photo.path.name: photo.placement for photo in opened(file).faces.index.photos}
    assert photos["b.bmp"].eyes == Eyes((100.0, 90.0), (140.0, 90.0))
    assert {placement.source for placement in photos.values()} == {"from a file"}


def test_a_face_that_lies_on_its_side_is_cut_upright_and_has_no_place(tmp_path: Path) -> None:
    """Its places would be those in the turned photograph, where nobody else looks for them."""
    face, folder = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250)), tmp_path / "cut"
    (tmp_path / "album").mkdir()
    face.rotate(90).save(tmp_path / "album" / "a.png")
    printed("faces", tmp_path / "album", "-o", folder)
    row = by_name(folder)["a.png"]
    assert (row["found"], row["left_x"], (folder / row["face"]).is_file()) == ("found", "", True)
    assert read_eyes(folder / "eyes.csv") == {}


def test_a_small_face_is_found_when_a_thorough_search_is_asked_for(tmp_path: Path) -> None:
    album, folder = tmp_path / "album", tmp_path / "cut"
    album.mkdir()
    small_face().save(album / "small.png")
    assert "No face was found in it" in failure("faces", album, "-o", folder)
    printed("faces", album, "-o", folder, "--thorough")
    (eyes,) = read_eyes(folder / "eyes.csv").values()
    assert 200 < eyes.left[0] < eyes.right[0] < 237


@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize("command", ["faces", "build", "evaluate"])
def test_every_command_searches_as_thoroughly_as_it_is_told(
    command: str, thorough: bool, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(*_: object, **how: object) -> None:
        raise EigenfacesError(f"Thorough: {how['thorough']}.")

    monkeypatch.setattr(sources, "load_faces", searched)
    end = {"faces": "", "build": ".eigenfaces", "evaluate": ".html"}[command]
    option = ["--thorough"] if thorough else []
    said = failure(command, people, "-o", tmp_path / f"new{end}", *option)
    assert f"Thorough: {thorough}." in said


def test_faces_already_whose_names_are_made_safe(people: Path, tmp_path: Path) -> None:
    names = ["../up", "..", "a/b", "a?b", "A_B", ".hidden", "x" * 300]
    manifest, folder = tmp_path / "list.csv", tmp_path / "cut"
    folder.mkdir()
    photos = sorted(people.rglob("*.png"))[: len(names)]
    listed = zip(photos, names, strict=True)
    manifest.write_text("\n".join(f"{photo};{name}" for photo, name in listed), "utf-8")
    printed("faces", manifest, "-o", folder, *CROPPED)
    rows = table_of(folder / "faces.csv")
    assert [row["person"] for row in rows] == names
    homes = [row["face"].split("/")[0] for row in rows]
    assert len({home.casefold() for home in homes}) == len(names)
    assert not any(home.startswith(".") for home in homes)
    assert {(row["found"], row["left_x"], row["angle"]) for row in rows} == {("cropped", "", "")}
    for row, photo in zip(rows, photos, strict=True):
        written = np.asarray(Image.open(folder / row["face"]))
        assert np.array_equal(written, np.asarray(Image.open(photo)))
    assert table_of(folder / "eyes.csv") == []


def test_no_face_at_all(album: Path, tmp_path: Path) -> None:
    only = tmp_path / "photos"
    only.mkdir()
    (only / "noise.png").write_bytes((album / "Nobody there" / "noise.png").read_bytes())
    sentence = failure("faces", only, "-o", tmp_path / "out")
    assert "No photo has a face that can be used: No face was found" in sentence
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos"]


def test_build_says_what_was_found_and_what_to_look_at(album: Path, tmp_path: Path) -> None:
    dark = Image.open(album / "Eileen" / "a.png").convert("L").point(lambda grey: grey // 6)
    photos = tmp_path / "photos"
    photos.mkdir()
    dark.save(photos / "dark.png")
    for name in ("a.png", "b.bmp"):
        (photos / name).write_bytes((album / "Eileen" / name).read_bytes())
    text = printed("build", photos, "-o", tmp_path / "p.eigenfaces")
    assert "3 faces found." in text
    assert re.search(r"(?s)1 photo to review:.*dark\.png.*very dark", text)
    assert "found and aligned" in printed("info", tmp_path / "p.eigenfaces")


def test_recognise_answers_for_every_face(album: Path, tmp_path: Path) -> None:
    """The left one of two is enrolled: what is said of it is not said of the other."""
    two = album / "Nobody there" / "two.png"
    found = read_face(Photo(two), Preparation()).faces
    eyes = max((face.eyes for face in found), key=lambda eyes: eyes.left)  # the left is a.png’s
    places = ",".join(map(str, (*eyes.left, *eyes.right)))
    (tmp_path / "eyes.csv").write_text(f"file,left_x,left_y,right_x,right_y\n{two},{places}\n")
    file, probes = tmp_path / "p.eigenfaces", (two, album / "Nobody there" / "noise.png")
    printed("build", album, "--eyes", tmp_path / "eyes.csv", "-o", file, code=3)
    result = eigenfaces("recognise", file, *probes)
    for words in ("two.png: face 1 of 2 from the left", "face 2 of 2 from the left"):
        assert words in result.stdout
    assert "noise.png: No face was found" in result.stderr
    one, other = answer("recognise", file, *probes, code=3)["answers"]
    assert [(face["face"], face["faces"]) for face in (one, other)] == [(1, 2), (2, 2)]
    assert one["box"][0] < 230 < other["box"][0]
    assert (one["closest"], one["in_gallery"], one["filed_as"]) == ("Eileen", False, None)
    assert (other["in_gallery"], other["filed_as"]) == (True, "Nobody there")
    table = printed("recognise", file, two, "--csv")
    assert {row["face"] for row in csv.DictReader(table.splitlines())} == {"1", "2"}


def test_of_several_faces_guesses_are_taken_unless_they_are_to_be_found(
    tmp_path: Path, att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five people × three photographs; on one of these they are alone.

    To an evaluation, names are what it has to find: they may not choose the faces.
    """
    know_where_they_stand(monkeypatch)
    folder, cut = tmp_path / "albums", tmp_path / "cut"
    albums = write_albums(folder, att, 5, 3, alone=1)
    built = " ".join(printed("build", folder, "-o", tmp_path / "p.eigenfaces").split())
    assert "in 10 photos with several faces, the face is a guess" in built
    assert "10 photos to review" in built
    summary = printed("faces", folder, "-o", cut)
    assert "15 faces, 0 of them doubtful and 10 guesses among several" in summary
    rows = table_of(cut / "faces.csv")
    assert [Path(row["photo"]) for row in rows] == sorted(albums)
    for row in rows:
        path = Path(row["photo"])
        assert float(row["left_x"]) // 92 == albums[path]
        is_guess = path.stem != "0"
        assert (row["found"] == "guess") == is_guess == ("guess" in row["concerns"])
        assert (cut / row["face"]).is_file()
    evaluated = eigenfaces("evaluate", folder, "--protocol", "leave-one-out")
    assert "10 photos were not used" in evaluated.output
