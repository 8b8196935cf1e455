"""Several faces on a photograph, without a person at the screen: guesses taken, listed, marked."""

import csv
from pathlib import Path

import pytest
from groups import know_where_they_stand, write_albums

from cli.command_line import eigenfaces, failure, opened
from eigenfaces import FaceSet


@pytest.fixture(autouse=True)
def standing(monkeypatch: pytest.MonkeyPatch) -> None:
    know_where_they_stand(monkeypatch)


@pytest.fixture
def albums(tmp_path: Path, att: FaceSet) -> dict[Path, int]:
    """Five people × seven photographs; on two of these they are alone."""
    return write_albums(tmp_path / "albums", att, 5, 7, alone=2)


def table(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def test_build_takes_who_recurs_and_says_what_is_a_guess(
    albums: dict[Path, int], tmp_path: Path
) -> None:
    file = tmp_path / "p.eigenfaces"
    built = eigenfaces("build", tmp_path / "albums", "-o", file)
    assert built.exit_code == 0
    said = " ".join(built.stdout.split())
    assert "on 25 photographs with several faces, a guess which one is meant" in said
    assert "25 photographs to look at" in said
    photos = opened(file).faces.index.photos
    found = {p.path: int(p.placement.eyes.middle.real // 92) for p in photos if p.placement.eyes}
    assert found == albums
    guesses = {photo.path for photo in photos if photo.placement.source == "guess"}
    assert guesses == {path for path in albums if int(path.stem) >= 2}


def test_faces_marks_the_same_guesses(albums: dict[Path, int], tmp_path: Path) -> None:
    cut = eigenfaces("faces", tmp_path / "albums", "-o", tmp_path / "cut")
    assert cut.exit_code == 0
    assert "35 faces, 0 of them doubtful and 25 guesses among several" in cut.stdout
    rows = table(tmp_path / "cut" / "faces.csv")
    assert [Path(row["photo"]) for row in rows] == sorted(albums)
    for row in rows:
        path = Path(row["photo"])
        assert float(row["left_x"]) // 92 == albums[path]
        assert (row["found"] == "guess") == (int(path.stem) >= 2) == ("guess" in row["concerns"])
        assert (tmp_path / "cut" / row["face"]).is_file()
    file = tmp_path / "p.eigenfaces"
    assert eigenfaces("build", tmp_path / "albums", "-o", file).exit_code == 0
    eyes = {str(p.path): p.placement.eyes for p in opened(file).faces.index.photos}
    for row in rows:
        assert eyes[row["photo"]].left[0] == pytest.approx(float(row["left_x"]), abs=0.01)


def test_what_is_not_sure_is_passed_over_with_the_reason(att: FaceSet, tmp_path: Path) -> None:
    write_albums(tmp_path / "few", att, 4, 5, alone=2)
    cut = eigenfaces("faces", tmp_path / "few", "-o", tmp_path / "cut")
    assert cut.exit_code == 3
    assert "8 faces, 0 of them doubtful;" in cut.stdout
    reasons = {row["reason"] for row in table(tmp_path / "cut" / "faces.csv") if row["reason"]}
    assert reasons == {"There are 3 faces in it that may be meant. Choose the one that is."}
    file = tmp_path / "p.eigenfaces"
    built = eigenfaces("build", tmp_path / "few", "-o", file)
    assert built.exit_code == 3
    assert "12 photographs were not used" in built.stdout
    assert len(opened(file).faces) == 8


def test_nobody_named_is_not_guessed(att: FaceSet, tmp_path: Path) -> None:
    write_albums(tmp_path / "albums", att, 1, 7)
    (tmp_path / "albums" / "Person 1").rename(tmp_path / "unnamed")
    said = failure("faces", tmp_path / "unnamed", "-o", tmp_path / "cut")
    assert "can be used: 7 several faces. With --all every face" in " ".join(said.split())


def test_an_evaluation_is_not_told_the_names(albums: dict[Path, int], tmp_path: Path) -> None:
    """They are what it has to find: they may not choose the faces."""
    judged = eigenfaces("evaluate", tmp_path / "albums", "--protocol", "leave-one-out")
    assert "25 photographs not used" in judged.stdout + judged.stderr
