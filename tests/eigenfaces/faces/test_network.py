"""The network's description of a face, beside dlib's own way from a photograph to it."""

import threading
from concurrent.futures.process import BrokenProcessPool
from io import BytesIO
from pathlib import Path

import dlib
import numpy as np
import pytest
from astronaut import EYES, two_faces
from joblib.externals.loky import get_reusable_executor
from PIL import Image
from quick_network import DESCRIBE_MANY
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces import network
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.network import same_person
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.pca import as_levels

needs_the_files = pytest.mark.skipif(not network.is_installed(), reason=network.HOW_TO_GET_IT)


@needs_the_files
def test_a_face_is_described_as_dlib_describes_it() -> None:
    colours = data.astronaut()
    (box,) = dlib.get_frontal_face_detector()(colours)
    found = dlib.shape_predictor(str(network.path_of("shape_predictor_5_face_landmarks.dat")))
    model = dlib.face_recognition_model_v1(
        str(network.path_of("dlib_face_recognition_resnet_model_v1.dat"))
    )
    theirs = np.array(model.compute_face_descriptor(colours, found(colours, box)))
    chips = [network.chip(colours, EYES, exact=exact) for exact in (False, True)]
    ours = network.describe(chips)
    assert ours.shape == (2, network.DESCRIPTOR_SIZE)
    distances = np.linalg.norm(ours - theirs, axis=1)
    assert (distances < (0.1, 0.2)).all(), distances
    assert not any(map(network.is_no_face, ours))
    patches = [np.repeat(p()[:150, :150, None], 3, axis=2) for p in (data.grass, data.brick)]
    assert all(
        map(network.is_no_face, network.describe([*patches, colours[350:500, 350:500].copy()]))
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
def test_many_faces_are_described_by_other_processes(rng: np.random.Generator) -> None:
    chips = [rng.integers(0, 256, (150, 150, 3), np.uint8) for _ in range(18)]
    ticks: list[tuple[int, int]] = []
    numbers = DESCRIBE_MANY(chips, lambda *tick: ticks.append(tick))
    get_reusable_executor().shutdown()
    np.testing.assert_allclose(numbers[[0, 17]], network.describe([chips[0], chips[17]]), atol=1e-5)
    assert (ticks, ticks[-1]) == (sorted(ticks), (18, 18))


@needs_the_files
def test_the_same_person_and_another(tmp_path: Path, att: FaceSet) -> None:
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


def test_missing_or_damaged_files_and_ended_processes_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chips = [np.zeros((150, 150, 3), np.uint8)]
    network._model.cache_clear()
    monkeypatch.setattr(network, "path_of", lambda name: None)
    with pytest.raises(EigenfacesError, match="uv sync --group network"):
        network.describe(chips)
    (tmp_path / "model.dat").write_bytes(b"not a network")
    monkeypatch.setattr(network, "path_of", lambda name: tmp_path / "model.dat")
    with pytest.raises(EigenfacesError, match="damaged or another version"):
        network.describe(chips)

    def ended(chips: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(network, "is_installed", lambda: True)
    monkeypatch.setattr(network, "describe", ended)
    with pytest.raises(EigenfacesError, match="ended from outside"):
        DESCRIBE_MANY(chips)
    for thread in threading.enumerate():  # joblib's, which ends by itself
        if thread.name == "QueueFeederThread":
            thread.join(20)


def test_no_chip_that_was_set_aside_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than there is room for the last are cut again; each is described by its own."""
    monkeypatch.setattr(network, "_MOST_CHIPS", 3)
    cache = network.FaceDescriptorCache()
    chips = [np.full((150, 150, 3), 40 * at, np.uint8) for at in range(5)]
    for at, one in enumerate(chips):
        cache.add_chip(f"{at}", one)
    assert [cache.has(f"{at}") for at in range(5)] == [True, True, True, False, False]
    made = list[int]()

    def again(at: int) -> Bytes:
        made.append(at)
        return chips[at]

    numbers = cache.of([f"{at}" for at in range(5)], again)
    assert made == [3, 4]
    np.testing.assert_array_equal(numbers, network.describe_many(chips))
    assert all(cache.has(f"{at}") for at in range(5))
