"""``faces``, and ``build`` and ``recognise`` on photographs that are no faces yet."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from groups import know_where_they_stand, write_albums
from PIL import Image
from skimage import data

from cli.command_line import CROPPED, eigenfaces, failure, opened
from eigenfaces import FaceSet
from eigenfaces.cli.building import FACE_COLUMNS
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import read_face
from eigenfaces.photographs.photos import Eyes, Photo, read_eyes
from eigenfaces.project.exports import grey_levels


def table_of(file: Path) -> list[dict[str, str]]:
    lines = file.read_text("utf-8").splitlines()
    assert file.name != "faces.csv" or lines[0] == ",".join(FACE_COLUMNS)
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
    made = eigenfaces("faces", album, "-o", folder)
    assert made.exit_code == 3
    assert "cut: 4 faces, 0 of them doubtful" in made.stdout
    assert "3 photographs were not used: " in made.stdout
    return folder


def test_every_photograph_has_a_line_and_pictures_are_filed_by_person(
    album: Path, cut: Path
) -> None:
    rows = by_name(cut)
    assert set(rows) == {path.name for path in album.rglob("*") if path.is_file()}
    for name, reason in (
        ("two.png", "It shows 2 faces"),
        ("noise.png", "No face was found"),
        ("bad.png", "not a picture"),
    ):
        assert (reason in rows[name]["reason"], rows[name]["person"]) == (True, "Nobody there")
        assert {rows[name][column] for column in FACE_COLUMNS[2:-1]} == {""}
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
    text = (cut / "eyes.csv").read_text("utf-8")
    corrected.write_text(text.replace(wrong, "100,90,140,90"), "utf-8")
    result = eigenfaces("build", album, "--eyes", corrected, "-o", file)
    assert result.exit_code == 3
    assert "faces cut by the eyes that a file states" in result.stdout
    photos = {photo.path.name: photo.placement for photo in opened(file).faces.index.photos}
    assert photos["b.bmp"].eyes == Eyes((100.0, 90.0), (140.0, 90.0))
    assert {placement.source for placement in photos.values()} == {"from a file"}


def test_a_face_that_lies_on_its_side_is_cut_upright_and_has_no_place(tmp_path: Path) -> None:
    """Its places would be those in the turned photograph, where nobody else looks for them."""
    face, folder = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250)), tmp_path / "cut"
    (tmp_path / "album").mkdir()
    face.rotate(90).save(tmp_path / "album" / "a.png")
    assert eigenfaces("faces", tmp_path / "album", "-o", folder).exit_code == 0
    row = by_name(folder)["a.png"]
    assert (row["found"], row["left_x"], (folder / row["face"]).is_file()) == ("found", "", True)
    assert read_eyes(folder / "eyes.csv") == {}


def test_faces_already_whose_names_are_made_safe(people: Path, tmp_path: Path) -> None:
    names = ["../up", "..", "a/b", "a?b", "A_B", ".hidden", "x" * 300]
    manifest, folder = tmp_path / "list.csv", tmp_path / "cut"
    folder.mkdir()
    photos = sorted(people.rglob("*.png"))[: len(names)]
    listed = zip(photos, names, strict=True)
    manifest.write_text("\n".join(f"{photo};{name}" for photo, name in listed), "utf-8")
    assert eigenfaces("faces", manifest, "-o", folder, *CROPPED).exit_code == 0
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
    said = failure("faces", only, "-o", tmp_path / "out")
    assert "No photograph has a face that can be used: No face was found" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos"]


def test_build_says_what_was_found_and_what_to_look_at(album: Path, tmp_path: Path) -> None:
    dark = Image.open(album / "Eileen" / "a.png").convert("L").point(lambda grey: grey // 6)
    photos = tmp_path / "photos"
    photos.mkdir()
    dark.save(photos / "dark.png")
    for name in ("a.png", "b.bmp"):
        (photos / name).write_bytes((album / "Eileen" / name).read_bytes())
    result = eigenfaces("build", photos, "-o", tmp_path / "p.eigenfaces")
    assert result.exit_code == 0
    assert "3 faces found." in result.stdout
    listed = result.stdout.split("1 photograph to look at:")[1]
    assert "dark.png" in listed
    assert "very dark" in listed
    assert "found and aligned" in eigenfaces("info", tmp_path / "p.eigenfaces").stdout


def test_recognise_answers_for_every_face(album: Path, tmp_path: Path) -> None:
    """The left one of two is enrolled: what is said of it is not said of the other."""
    two = album / "Nobody there" / "two.png"
    found = read_face(Photo(two), Preparation()).faces
    eyes = max((face.eyes for face in found), key=lambda each: each.left)  # the left is a.png’s
    (tmp_path / "eyes.csv").write_text(
        "file,left_x,left_y,right_x,right_y\n"
        f"{two},{eyes.left[0]},{eyes.left[1]},{eyes.right[0]},{eyes.right[1]}\n"
    )
    file, asked = tmp_path / "p.eigenfaces", (two, album / "Nobody there" / "noise.png")
    built = eigenfaces("build", album, "--eyes", tmp_path / "eyes.csv", "-o", file)
    assert built.exit_code == 3
    result = eigenfaces("recognise", file, *asked)
    assert result.exit_code == 3
    for each in ("two.png: face 1 of 2 from the left", "face 2 of 2 from the left"):
        assert each in result.stdout
    assert "noise.png: No face was found" in result.stderr
    answers = json.loads(eigenfaces("recognise", file, *asked, "--json").stdout)["answers"]
    assert [(each["face"], each["faces"]) for each in answers] == [(1, 2), (2, 2)]
    assert answers[0]["box"][0] < 230 < answers[1]["box"][0]
    assert answers[0]["closest"] == "Eileen"
    assert [answer["in_gallery"] for answer in answers] == [False, True]
    assert [answer["filed_as"] for answer in answers] == [None, "Nobody there"]
    table = eigenfaces("recognise", file, two, "--csv").stdout
    assert {row["face"] for row in csv.DictReader(table.splitlines())} == {"1", "2"}


class TestSeveralFaces:
    """Without a person at the screen: guesses are taken, listed and marked."""

    @pytest.fixture(autouse=True)
    def standing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        know_where_they_stand(monkeypatch)

    @pytest.fixture
    def albums(self, tmp_path: Path, att: FaceSet) -> dict[Path, int]:
        """Five people × three photographs; on one of these they are alone."""
        return write_albums(tmp_path / "albums", att, 5, 3, alone=1)

    def test_who_recurs_is_taken_and_said_to_be_a_guess(
        self, albums: dict[Path, int], tmp_path: Path
    ) -> None:
        file = tmp_path / "p.eigenfaces"
        built = eigenfaces("build", tmp_path / "albums", "-o", file)
        assert built.exit_code == 0
        said = " ".join(built.stdout.split())
        assert "on 10 photographs with several faces, a guess which one is meant" in said
        assert "10 photographs to look at" in said
        guesses = {path for path in albums if int(path.stem) >= 1}
        cut = eigenfaces("faces", tmp_path / "albums", "-o", tmp_path / "cut")
        assert cut.exit_code == 0
        assert "15 faces, 0 of them doubtful and 10 guesses among several" in cut.stdout
        rows = table_of(tmp_path / "cut" / "faces.csv")
        assert [Path(row["photo"]) for row in rows] == sorted(albums)
        for row in rows:
            path = Path(row["photo"])
            assert float(row["left_x"]) // 92 == albums[path]
            assert (row["found"] == "guess") == (path in guesses) == ("guess" in row["concerns"])
            assert (tmp_path / "cut" / row["face"]).is_file()

    def test_an_evaluation_is_not_told_the_names(
        self, albums: dict[Path, int], tmp_path: Path
    ) -> None:
        """They are what it has to find: they may not choose the faces."""
        judged = eigenfaces("evaluate", tmp_path / "albums", "--protocol", "leave-one-out")
        assert "10 photographs were not used" in judged.stdout + judged.stderr
