"""The network's description of a face, beside dlib's own way from a photograph to it."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, two_faces
from PIL import Image
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces import convolutional, model_files, network
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.network import same_person
from eigenfaces.space.pca import as_levels

needs_the_files = pytest.mark.skipif(not network.is_installed(), reason=network.HOW_TO_GET_IT)


@needs_the_files
def test_a_face_is_described_as_dlib_describes_it() -> None:
    dlib = pytest.importorskip("dlib")
    colours = data.astronaut()
    (box,) = dlib.get_frontal_face_detector()(colours)
    found = dlib.shape_predictor(str(model_files.path_of("shape_predictor_5_face_landmarks.dat")))
    model = dlib.face_recognition_model_v1(
        str(model_files.path_of("dlib_face_recognition_resnet_model_v1.dat"))
    )
    theirs = np.array(model.compute_face_descriptor(colours, found(colours, box)))
    chips = [network.chip(colours, EYES, exact=exact) for exact in (False, True)]
    ours = convolutional.describe(chips)
    assert ours.shape == (2, network.DESCRIPTOR_SIZE)
    distances = np.linalg.norm(ours - theirs, axis=1)
    assert (distances < (0.1, 0.2)).all(), distances
    assert not any(map(network.is_no_face, ours))
    patches = [np.repeat(p()[:150, :150, None], 3, axis=2) for p in (data.grass, data.brick)]
    assert all(
        map(
            network.is_no_face, convolutional.describe([*patches, colours[350:500, 350:500].copy()])
        )
    )


def test_eyes_that_a_person_has_set_lie_where_the_network_knows_them() -> None:
    colours = np.zeros((200, 300, 3), np.uint8)
    eyes = Eyes((120, 90), (180, 130))  # a tilted head
    for x, y in (eyes.left, eyes.right):
        colours[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4] = 255
    file = BytesIO()
    Image.fromarray(colours).save(file, "PNG")
    chip = Picture(file.getvalue()).chip(eyes, exact=True)
    rows, columns = np.nonzero(chip[..., 0] > 128)
    for those, x in ((columns < 75, 47.7), (columns >= 75, 100.3)):
        assert (columns[those].mean(), rows[those].mean()) == pytest.approx((x, 47.1), abs=0.8)


@needs_the_files
def test_the_landmarks_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dlib")
    network.chip(data.astronaut(), EYES)
    monkeypatch.setattr(network, "read_model", lambda _: pytest.fail("read again"))
    network.chip(data.astronaut(), EYES)


@needs_the_files
def test_the_same_person_and_another(
    tmp_path: Path, att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "describe", convolutional.describe)
    photo = tmp_path / "astronaut.png"
    Image.fromarray(data.astronaut()).save(photo)
    paths = [tmp_path / f"{row}.png" for row in (0, 4, 10)]
    for path in paths:  # two of the first person, one of the second
        Image.fromarray(as_levels(att.image(int(path.stem)))).save(path)
    first, again, other = paths
    assert same_person(first, again).same
    assert same_person(first, again).distance == same_person(again, first).distance
    assert not same_person(first, other).same
    assert not same_person(photo, first).same
    group = tmp_path / "group.png"
    group.write_bytes(two_faces())
    assert same_person(photo, group).by_middle == (group,)
    assert same_person(photo, group).same
    assert same_person(photo, first).by_middle == ()
    Image.new("RGB", (200, 200), "tan").save(tmp_path / "wall.png")
    with pytest.raises(PhotoError, match=r"wall\.png.*No face"):
        same_person(photo, tmp_path / "wall.png")


def test_missing_or_damaged_files_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chips = [np.zeros((150, 150, 3), np.uint8)]
    monkeypatch.setattr(convolutional, "_NETWORKS", {})
    monkeypatch.setattr(model_files, "path_of", lambda name: None)
    with pytest.raises(EigenfacesError, match="uv sync --group network"):
        convolutional.describe(chips)
    (tmp_path / "model.dat").write_bytes(b"not a network")
    monkeypatch.setattr(model_files, "path_of", lambda name: tmp_path / "model.dat")
    with pytest.raises(EigenfacesError, match="damaged or a different version"):
        convolutional.describe(chips)
