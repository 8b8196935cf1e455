"""The window and the terminal return the same answer: the face and the cautions."""

import json

import skimage.data
from PIL import Image
from typer.testing import CliRunner

from eigenfaces import Gallery, Preparation, Project, Recipe
from eigenfaces.cli import app
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.photos import FoundPhotos, Photo
from gui.pages.recognise.page import RecognisePage
from gui.state import actions
from gui.state.background import Calibrating
from tests.gui import seen

HEAD = Image.fromarray(skimage.data.astronaut()[20:210, 140:300]).convert("L")


def test_the_second_face_of_a_group_photograph(qtbot, session, settled, tmp_path) -> None:
    """A project knows one face, mirrored, and two other pictures of it, by three names."""
    wall, group = Image.new("L", (1200, 480), 128), tmp_path / "group.png"
    for left, width in ((40, 200), (700, 320)):  # the right one is larger, and more certain
        wall.paste(HEAD.resize((width, width * 19 // 16)), (left, 50))
    wall.save(group)
    pictures = [HEAD.transpose(Image.Transpose.FLIP_LEFT_RIGHT)]
    pictures += [HEAD.rotate(angle, fillcolor=128) for angle in (4, -5)]
    paths = [tmp_path / f"{number}.png" for number in range(3)]
    for picture, path in zip(pictures, paths, strict=True):
        picture.save(path)
    found = tuple(Photo(path, f"Person {n}") for n, path in enumerate(paths))
    faces = load_faces(FoundPhotos(found), Preparation())
    gallery = Gallery(faces, Preparation(), Recipe.of(components=2)).train()
    session.switch(Project.create(tmp_path / "p.eigenfaces", gallery))
    Calibrating(session)  # as the window has it, and the terminal does it
    page = seen.show(qtbot, RecognisePage(session), (1250, 860))
    photos = (group, paths[0])
    actions.add_probes(session, photos)
    settled()
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
    said = [page.findings.by_key[probe.photo.key] for probe in session.probes]
    file = str(session.project.path)
    session.close()
    asked = ["recognise", file, *map(str, photos)]
    told = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)["answers"]
    assert [(each["face"], each["faces"]) for each in told] == [(1, 2), (2, 2), (1, 1)]
    assert [each["filed_as"] for each in told] == [None, "Right", "Person 0"]
    for one, other in zip(said, told, strict=True):
        assert one.verdict.decision.sentence == other["sentence"]
        assert [each.sentence for each in one.cautions] == [
            e["sentence"] for e in other["cautions"]
        ]
        assert [each.reason for each in one.probe.concerns] == [
            e["reason"] for e in other["concerns"]
        ]
