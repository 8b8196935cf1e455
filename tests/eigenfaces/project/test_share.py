"""A project for somebody else: the same verdicts, and no place of anything."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project, identify
from eigenfaces.errors import no_tick
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import EvaluationSetting
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.project.share import for_others, for_recognising
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.duplicates import find_duplicates
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.pca import as_levels


@pytest.fixture
def gallery() -> Gallery:
    faces = people(np.random.default_rng(2), 7, 4)
    photos = [
        replace(photo, photograph=replace(photo.photograph, path=Path(f"/secret/place/{at}.jpg")))
        for at, photo in enumerate(faces.index.photos)
    ]
    placed = replace(faces, index=PhotoIndex(tuple(photos)))
    preparation = Preparation(16, 16, already_cropped=True)
    made = Gallery(placed, preparation, RECIPES["Fisherfaces"]).train().calibrate()
    return made.with_answer(photos[0].id, Answer("nobody"))


def test_it_says_the_same_of_every_face(gallery: Gallery) -> None:
    shared = for_others(gallery)
    assert shared.calibrated is not None
    assert shared.changes_since_training == 0
    rng = np.random.default_rng(3)
    for probe in people(rng, 3, 2).pixels[:].reshape(-1, 16, 16):
        ours, theirs = identify(gallery, probe).decision, identify(shared, probe).decision
        assert (ours.kind, ours.nearest) == (theirs.kind, theirs.nearest)


def test_no_place_and_nothing_that_tells_a_photograph_is_in_it(
    gallery: Gallery, tmp_path: Path
) -> None:
    PORTRAITS.add({gallery.index.photos[0].crop: b"a face in colour"})
    path = tmp_path / "shared.eigenfaces"
    with closing(Project.create(path, for_others(gallery))) as project:
        assert project.gallery.answers == {}
    content = path.read_bytes()
    for secret in (b"secret", b".jpg", b"nobody"):
        assert secret not in content
    assert not any(photo.photograph.sha.encode() in content for photo in gallery.index.photos)
    assert b"a face in colour" in content
    with closing(Project.open(path)) as project:
        assert project.gallery.people == gallery.people
        assert project.gallery.calibrated is not None


@pytest.fixture
def by_network(gallery: Gallery) -> Gallery:
    nobody = [gallery.index.photos[0].id]
    made = Gallery(gallery.faces, gallery.preparation, RECIPES["Network"])
    return made.move(nobody, None).train().calibrate()


def test_without_pictures_it_says_the_same_of_every_face(by_network: Gallery) -> None:
    shared = for_recognising(by_network)
    assert len(shared.faces) == len(by_network.enrolled)
    for probe in by_network.faces.pixels[:].reshape(-1, 16, 16):
        ours, theirs = identify(by_network, probe), identify(shared, probe)
        assert theirs.decision.kind == ours.decision.kind
        assert theirs.decision.person == ours.decision.person
        assert theirs.decision.nearest[1] == pytest.approx(ours.decision.nearest[1], abs=1e-4)


@pytest.mark.parametrize("recipe", ["Fisherfaces", "Network"])
def test_without_pictures_there_is_none_in_the_file(
    gallery: Gallery, tmp_path: Path, recipe: str
) -> None:
    trained = gallery.train(recipe=RECIPES[recipe])
    PORTRAITS.add({photo.crop: b"in colour" for photo in gallery.index.photos})
    path = tmp_path / "shared.eigenfaces"
    Project.create(path, for_recognising(trained)).close()
    content = path.read_bytes()
    for row, photo in enumerate(gallery.index.photos):
        levels = as_levels(gallery.faces.image(row))
        assert levels.tobytes() not in content
        assert photo.photograph.sha.encode() not in content
        assert photo.crop.encode() not in content
    assert not any(word in content for word in (b"in colour", b"secret", b".jpg"))
    with closing(Project.open(path)) as project:
        shared = project.gallery
        pictures = as_levels(shared.faces.pixels[:])
        assert {*np.unique(pictures)} <= {128, 129}, "grey, and no face in it"
        assert abs(shared.trained.space.mean - 128.5 / 255).max() < 0.01
        assert {photo.person for photo in shared.index.photos} == {*gallery.people}
        assert shared.recipe == RECIPES["Network"]
        assert shared.calibrated is not None
        assert not shared.index.is_pictured
        assert find_duplicates(shared.faces) == []
        assert check_photos(shared, PhotoChecks(), no_tick).concerns == {}


def test_without_pictures_it_can_be_added_to_but_is_compared_by_network_alone(
    by_network: Gallery,
) -> None:
    shared = for_recognising(by_network)
    more = people(np.random.default_rng(9), 1, 4)
    named = {photo.id: replace(photo, person="Zoe") for photo in more.index.photos}
    added = shared.enrol(more.with_photos(named)).train().calibrate()
    assert identify(added, more.image(0)).decision.nearest[0] == "Zoe"
    probe = by_network.faces.image(by_network.enrolled[0])
    before, after = (identify(one, probe).decision for one in (shared, added))
    assert before.nearest == (after.nearest[0], pytest.approx(after.nearest[1], abs=1e-4))
    with pytest.raises(EigenfacesError, match="no pictures, so only Network can compare its faces"):
        added.train(recipe=RECIPES["Texture"])
    with pytest.raises(EigenfacesError, match="nothing can be measured"):
        evaluate(shared.faces, EvaluationSetting(shared.recipe, KFold(2), curves=False))
    automatic = replace(shared, automatic=NOT_MEASURED).train()
    assert (automatic.recipe, automatic.automatic) == (RECIPES["Network"], None)
    with pytest.raises(EigenfacesError, match="Nobody here has been named"):
        for_recognising(Gallery.new())


def test_faces_on_one_photograph_stay_on_one(gallery: Gallery) -> None:
    first, second = gallery.index.photos[:2]
    both = replace(second, photograph=first.photograph, number=2)
    faces = gallery.faces.with_photos({second.id: both})
    shared = for_others(replace(gallery, faces=faces, training=None, calibration=None, answers={}))
    one, other = shared.index.photos[:2]
    assert one.photograph.sha == other.photograph.sha
    assert (one.number, other.number) == (1, 2)
