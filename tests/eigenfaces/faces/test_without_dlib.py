"""The program where dlib has no wheel: faces by the network's detector, eyes by the aligner."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, PICTURE, grey, off
from cli.command_line import printed
from PIL import Image
from skimage import data

from eigenfaces import FaceSet, Gallery, Preparation, Recipe, find_photos, identify, load_faces
from eigenfaces.errors import NotPossibleError
from eigenfaces.faces import convolutional, model_files, network
from eigenfaces.faces.detect import find_faces
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.decode import read_bytes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.network import same_person
from eigenfaces.space.pca import as_levels

pytestmark = pytest.mark.skipif(not model_files.is_installed(), reason=model_files.HOW_TO_GET_IT)


@pytest.fixture(autouse=True)
def no_dlib(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide dlib: to import it fails from now on."""
    monkeypatch.setitem(sys.modules, "dlib", None)
    monkeypatch.setattr(network, "describe", convolutional.describe)
    model_files.has_dlib.cache_clear()
    assert not model_files.has_dlib()
    yield
    monkeypatch.undo()
    model_files.has_dlib.cache_clear()


def test_a_face_is_found_cut_described_and_compared(tmp_path: Path, att: FaceSet) -> None:
    photo = tmp_path / "astronaut.png"
    Image.fromarray(data.astronaut()).save(photo)
    picture = Picture(read_bytes(photo))
    (face,) = picture.upright_faces()
    assert off(face.eyes) < 0.1
    assert face.score > 0.5
    assert picture.crop(face.eyes, Preparation()).shape == Preparation().shape
    assert same_person(photo, photo).distance == 0
    mirrored = tmp_path / "mirrored.png"
    Image.fromarray(data.astronaut()[:, ::-1]).save(mirrored)
    assert same_person(photo, mirrored).same
    other = tmp_path / "other.png"
    Image.fromarray(as_levels(att.image(0))).resize((276, 336)).save(other)
    assert not same_person(photo, other).same
    assert find_faces(data.brick() / np.float32(255)) == ()


@pytest.mark.parametrize("degrees", [-40, 20])
def test_a_tilted_face_is_aligned(degrees: float) -> None:
    """Though there are no landmarks to begin at."""
    centre = EYES.middle
    turned = PICTURE.rotate(-degrees, Image.Resampling.BICUBIC, center=(centre.real, centre.imag))
    turn = complex(np.exp(1j * np.radians(degrees)))
    (face,) = find_faces(grey(turned))
    assert face.placed
    assert off(face.eyes, Eyes.at(centre, EYES.across * turn)) < 0.1


def test_eyes_that_are_not_found_are_not_made_up() -> None:
    lying = PICTURE.rotate(75, Image.Resampling.BICUBIC, center=(225, 102))
    (face,) = find_faces(grey(lying))
    assert not face.placed


def test_without_the_files_in_its_place_it_is_said_and_cut_faces_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, att: FaceSet
) -> None:
    """Neither dlib nor the model files: no face is found, and all that needs no finding works."""
    monkeypatch.setattr(model_files, "path_of", lambda name: None)
    monkeypatch.setattr(convolutional, "_NETWORKS", {})
    with pytest.raises(NotPossibleError, match="neither dlib nor the network’s model files"):
        find_faces(grey(PICTURE))
    for row in (0, 1, 10, 11):
        place = tmp_path / ("Ada" if row < 10 else "Bea") / f"{row}.png"
        place.parent.mkdir(exist_ok=True)
        Image.fromarray(as_levels(att.image(row))).save(place)
    cut = Preparation(already_cropped=True)
    gallery = Gallery(load_faces(find_photos(tmp_path), cut), cut, Recipe()).train()
    face = as_levels(att.image(12)).reshape(att.shape)
    resized = np.asarray(Image.fromarray(face).resize(cut.shape[::-1]))
    assert identify(gallery, resized).closest.person == "Bea"


def test_from_a_folder_to_a_name(tmp_path: Path, att: FaceSet) -> None:
    """By the command line: two people are enrolled, and somebody on another photograph is named."""
    for row in (0, 1, 2, 10, 11, 12):
        place = tmp_path / "people" / ("Ada" if row < 10 else "Bea") / f"{row}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(as_levels(att.image(row))).resize((276, 336)).save(place)
    probe = tmp_path / "probe.png"
    Image.fromarray(as_levels(att.image(14))).resize((276, 336)).save(probe)
    file = tmp_path / "people.eigenfaces"
    printed("build", tmp_path / "people", "-o", file, "--recipe", "network")
    assert "This is Bea." in printed("recognise", file, probe)
    assert "dlib" not in printed("--version")
