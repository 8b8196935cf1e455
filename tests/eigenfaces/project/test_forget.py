"""Forgetting a person: what must not be in the file any more, byte by byte."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import EvaluationRecord, EvaluationSetting, EvaluationSource
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.content import ForgottenFace
from eigenfaces.project.forget import without_forgotten
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.pca import as_levels

NAME = "Zoë Quux"
PREPARATION = Preparation(16, 16, already_cropped=True)


@pytest.fixture
def faces() -> FaceSet:
    """Seven people × three faces in files; one of them is to be forgotten."""
    made = people(np.random.default_rng(1), 7, 3)
    photos = []
    for number, photo in enumerate(made.index.photos):
        person = NAME if photo.person == "Person 2" else photo.person
        where = Path(f"/photos/{number}-{'gone' if person == NAME else 'stays'}.jpg")
        photos.append(
            replace(photo, photograph=replace(photo.photograph, path=where), person=person)
        )
    return replace(made, index=PhotoIndex(tuple(photos)))


def theirs(faces: FaceSet) -> list[int]:
    return faces.index.rows_of(NAME)


def traces(faces: FaceSet, folder: Path) -> list[str]:
    """Return what of the forgotten person is in any file of a folder."""
    content = b"".join(file.read_bytes() for file in folder.iterdir())
    wanted = {"name": NAME.encode(), "name in UTF-16": NAME.encode("utf-16-le")}
    wanted["name in JSON"] = b"Zo\\u00eb"
    for row in theirs(faces):
        photo = faces.index.photos[row]
        wanted[f"sha {row}"] = photo.photograph.sha.encode()
        wanted[f"crop name {row}"] = photo.crop.encode()
        wanted[f"crop {row}"] = as_levels(faces.image(row)).tobytes()
        wanted[f"descriptor {row}"] = np.full(128, row + 0.5, "<f4").tobytes()
        wanted[f"portrait {row}"] = b"portrait %d of her" % row
        wanted[f"path {row}"] = str(photo.path).encode()
    return [what for what, trace in wanted.items() if trace in content]


@pytest.fixture
def project(faces: FaceSet, tmp_path: Path) -> Project:
    """A project that has been used for a while, with all that a project can hold of her."""
    for row in theirs(faces):
        crop = faces.index.photos[row].crop
        DESCRIPTORS.add({crop: np.full(128, row + 0.5, np.float32)})
        PORTRAITS.add({crop: b"portrait %d of her" % row})
    gallery = Gallery(faces, PREPARATION, RECIPES["Fisherfaces"]).train().calibrate()
    first, second, _ = (faces.index.photos[row] for row in theirs(faces))
    gallery = gallery.with_answer(first.id, Answer("right", NAME))
    other = next(photo for photo in faces.index.photos if photo.person != NAME)
    gallery = gallery.with_answer(other.id, Answer(never=frozenset({NAME})))
    gallery = gallery.settle(NAME, "Person 1")
    project = Project.create(tmp_path / "family.eigenfaces", gallery)
    files = tuple(
        KnownFile(photo.path, photo.photograph.sha, 9, 9, (16, 16)) for photo in faces.index.photos
    )
    unused = (Skipped(Path("/photos/x.jpg"), f"It is filed under “{NAME}”.", NAME, "duplicate"),)
    probe = Probe(first, faces.image(theirs(faces)[0]))
    listed = ProbeList((probe,))
    project.write(replace(project.content, files=files, unused=unused, probe_list=listed))
    done = evaluate(faces, EvaluationSetting(gallery.recipe, KFold(3), curves=False))
    project.add_run(
        "2026-02-03T10:11:12+00:00",
        "A run",
        EvaluationRecord(done, PREPARATION, EvaluationSource("project")),
    )
    project.write(project.content.with_gallery(gallery.move([second.id], "Person 3")))
    project.write(project.content.with_gallery(gallery.move([second.id], NAME)))
    return project


@pytest.mark.parametrize("remember", [False, True])
def test_nothing_of_them_stays_in_the_file(
    project: Project, faces: FaceSet, tmp_path: Path, remember: bool
) -> None:
    assert len(traces(faces, tmp_path)) > 15, "they are there before"
    project.forget_person("zoë quux", remember=remember)
    project.rewrite()
    kept = [f"sha {row}" for row in theirs(faces)] if remember else []
    assert traces(faces, tmp_path) == kept
    after = project.gallery
    project.close()
    assert traces(faces, tmp_path) == kept
    with closing(Project.open(tmp_path / "family.eigenfaces")) as opened:
        assert (
            opened.gallery.people
            == after.people
            == tuple(f"Person {n}" for n in (1, 3, 4, 5, 6, 7))
        )
        assert len(opened.gallery.faces) == 18
        assert opened.runs == ()
        assert len(opened.content.files) == 18
        assert len(opened.content.forgotten) == (3 if remember else 0)
        opened.save(opened.gallery.train(recipe=RECIPES["Eigenfaces"]))  # and it can be used
    crops = [faces.index.photos[row].crop for row in theirs(faces)]
    assert not DESCRIPTORS.known(crops)
    assert not PORTRAITS.known(crops)


def test_evaluations_that_do_not_name_them_stay(project: Project, faces: FaceSet) -> None:
    others = faces.select([row for row in range(len(faces)) if row not in theirs(faces)])
    done = evaluate(others, EvaluationSetting(RECIPES["Eigenfaces"], KFold(3), curves=False))
    run = project.add_run(
        "2026-02-04T10:11:12+00:00",
        "Others",
        EvaluationRecord(done, PREPARATION, EvaluationSource("project")),
    )
    project.forget_person(NAME)
    assert project.runs == (run,)
    assert project.record(run).evaluation is not None
    project.close()


def test_whose_name_is_only_alike_loses_nothing(faces: FaceSet, tmp_path: Path) -> None:
    """Words are compared whole: Ann is not Anna, and “Al” is not the beginning of “Already”."""
    gallery = Gallery(faces, PREPARATION, RECIPES["Eigenfaces"])
    gallery = gallery.rename(NAME, "Al").rename("Person 1", "Ala")
    others = gallery.remove_person("Al")
    done = evaluate(others.faces, EvaluationSetting(RECIPES["Eigenfaces"], KFold(3), curves=False))
    left = Skipped(Path("/photos/x.jpg"), "Already there as “Ala”.", "Ala", "duplicate")
    own = Skipped(Path("/photos/y.jpg"), "It shows nobody.", "AL", "no face")
    folders = (
        WatchedFolder(Path("/photos")),
        WatchedFolder(Path("/photos/Al")),
        WatchedFolder(Path("/photos/Ala"), events=("al",)),
    )
    with closing(Project.create(tmp_path / "a.eigenfaces", gallery)) as project:
        project.write(replace(project.content, unused=(left, own), folders=folders))
        run = project.add_run(
            "2026-02-03T10:11:12+00:00",
            "x",
            EvaluationRecord(done, PREPARATION, EvaluationSource("project")),
        )
        project.forget_person("Al")
        assert project.runs == (run,)
        assert project.unused == (left,)
        assert project.content.folders == folders[:1]


def test_who_is_not_there_is_not_forgotten_and_nothing_changes(project: Project) -> None:
    before = project.content
    with pytest.raises(EigenfacesError, match="Nobody"):
        project.forget_person("Somebody Else")
    assert project.content is before
    project.close()


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_a_face_that_was_forgotten_is_known_again_by_its_place(turned: int) -> None:
    plain = Photograph(Path("/a.jpg"), "5f0c", (300, 400))
    eyes = Placement(Eyes((100.0, 80.0), (140.0, 84.0)))
    face = FacePhoto(plain, "Ada", placement=eyes)
    size = (400, 300) if turned % 2 else (300, 400)
    seen = face.moved_to(replace(plain, size=size, turned=turned))
    beside = replace(face, number=2, placement=Placement(Eyes((260.0, 80.0), (300.0, 84.0))))
    elsewhere = replace(face, photograph=replace(plain, sha="c0de"))
    cuts = [
        (one, np.full((4, 4), at, np.uint8)) for at, one in enumerate((seen, beside, elsewhere))
    ]
    faces = FaceSet.of(cuts, (4, 4))
    left = without_forgotten(faces, [ForgottenFace("5f0c", (300, 400), eyes.eyes)])
    assert [photo.id for photo in left.index.photos] == [beside.id, elsewhere.id]
    assert without_forgotten(faces, []) is faces
