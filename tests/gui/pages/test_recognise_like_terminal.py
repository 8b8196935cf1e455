"""The window and the terminal return the same answer: the face, the cautions, the table."""

import csv
import io
import json
from pathlib import Path

import pytest
import skimage.data
from PIL import Image
from PySide6.QtWidgets import QFileDialog
from typer.testing import CliRunner

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.cli import app
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.photos import FoundPhotos, Photo
from gui.pages.recognise.page import RecognisePage
from gui.state import actions
from gui.state.background import Calibrating
from gui.state.session import Session
from gui.widgets.face_list import ListHeading
from tests.gui import seen

HEAD = Image.fromarray(skimage.data.astronaut()[20:210, 140:300]).convert("L")


def written(path: Path, *places: tuple[int, int, int]) -> Path:
    """Write a photograph of faces: left, top and width of each."""
    wall = Image.new("L", (1200, 480), 128)
    for left, top, width in places:
        wall.paste(HEAD.resize((width, width * 19 // 16)), (left, top))
    wall.save(path)
    return path


@pytest.fixture
def photos(tmp_path: Path) -> tuple[Path, Path]:
    """Two faces, the right one larger and more certain; and one by itself, mirrored and small."""
    group = written(tmp_path / "group.png", (40, 50, 200), (700, 50, 320))
    alone = tmp_path / "alone.png"
    HEAD.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(alone)
    return group, alone


@pytest.fixture
def page(qtbot, session: Session, photos: tuple[Path, Path], tmp_path: Path) -> RecognisePage:
    """A project that knows the mirrored face, two other pictures of it, and nobody else."""
    turned = [HEAD.rotate(angle, fillcolor=128) for angle in (4, -5)]
    paths = [photos[1]]
    for number, picture in enumerate(turned):
        paths.append(tmp_path / f"turned {number}.png")
        picture.save(paths[-1])
    found = tuple(Photo(path, f"Person {n}") for n, path in enumerate(paths))
    faces = load_faces(FoundPhotos(found), Preparation())
    assert len(faces) == 3
    gallery = Gallery(faces, Preparation(), Recipe.of(components=2)).train()
    session.switch(Project.create(tmp_path / "p.eigenfaces", gallery))
    Calibrating(session)  # as the window has it, and the terminal does it
    return seen.show(qtbot, RecognisePage(session), (1250, 860))


def captions(page: RecognisePage) -> list[str]:
    lines = page.photos.list.faces.faces()
    return [face.caption for face in lines if not isinstance(face, ListHeading)]


def test_the_second_face_of_a_group_photograph(
    page: RecognisePage, settled, photos: tuple[Path, Path], tmp_path: Path, monkeypatch
) -> None:
    session = page.session
    actions.add_probes(session, photos)
    settled()
    assert sorted(captions(page)) == ["alone", "group"]
    session.select(session.probes[1].photo.key)
    settled()
    page.answer("it is", ("Right",))
    settled()
    session.select(session.probes[1].photo.key)
    settled()
    assert page.face.title.text() == "Right"
    page.explain()
    settled()
    assert "This face is in the gallery as “Right”, so its" in page.why.caution.text()
    target = tmp_path / "window.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    page.write("candidates.csv")
    settled()
    said = [page.findings.by_key.get(probe.photo.key).answer for probe in session.probes]
    file = str(session.project.path)
    session.close()
    asked = ["recognise", file, *map(str, photos)]
    assert target.read_text("utf-8-sig") == CliRunner().invoke(app, [*asked, "--csv"]).stdout
    told = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)["answers"]
    assert [(each["face"], each["faces"]) for each in told] == [(1, 2), (2, 2), (1, 1)]
    assert [each["in_gallery"] for each in told] == [False, True, True]
    assert [each["filed_as"] for each in told] == [None, "Right", "Person 0"]
    for one, other in zip(said, told, strict=True):
        sentences = [each.sentence for each in one.cautions]
        assert sentences == [each["sentence"] for each in other["cautions"]]
        assert one.sentence == other["sentence"]
        assert [each.reason for each in one.concerns] == [e["reason"] for e in other["concerns"]]
    text = CliRunner().invoke(app, asked).stdout
    assert "face 2 of 2 from the left" in text
    assert "This face is in the gallery as “Right”" in text
    assert "The face space was fitted to it, too." in text
    rows = list(csv.DictReader(io.StringIO(target.read_text("utf-8-sig"))))
    assert (rows[3]["face"], rows[3]["rank"], rows[3]["person"]) == ("2", "1", "Right")
