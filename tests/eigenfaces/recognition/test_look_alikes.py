"""People who look alike: they are asked about, and until then are no strangers to each other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation
from eigenfaces.faces.face_set import crop_hash
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.recognition.look_alikes import Finding, find_look_alikes
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION

NETWORK = RECIPES["Network"]
NAMES = [f"Person {number:02}" for number in range(24) for _ in range(5)]


@pytest.fixture
def numbers(rng: np.random.Generator) -> NDArray[np.float32]:
    """24 people with 5 photographs each, as the network sees people: 0.4 apart, and 0.8."""
    people = rng.normal(size=(24, 128)) * np.sqrt(0.24 / 128)
    scattered = people[:, None] + rng.normal(size=(24, 5, 128)) * np.sqrt(0.08 / 128)
    return scattered.reshape(-1, 128).astype(np.float32)


def gallery_of(numbers: NDArray[np.float32], names: list[str]) -> Gallery:
    images = np.random.default_rng(5).random((len(names), 16, 16)).astype(np.float32)
    faces = FaceSet.from_arrays(images, names)
    described = zip(faces.pixels[:], numbers, strict=True)
    DESCRIPTORS.add({crop_hash(pixels): vector for pixels, vector in described})
    gallery = Gallery(faces, Preparation(16, 16, already_cropped=True), NETWORK)
    return gallery.train().calibrate()


def kinds(gallery: Gallery) -> list[tuple[str, tuple[str, str]]]:
    return [(found.kind, found.people) for found in find_look_alikes(gallery)]


def limit(gallery: Gallery) -> float:
    assert gallery.calibrated is not None
    found = gallery.calibrated.limit(0.01)
    assert found is not None
    return found


def test_a_person_under_two_names_costs_nobody_a_name(numbers: NDArray[np.float32]) -> None:
    clean = gallery_of(numbers, NAMES)
    assert kinds(clean) == []
    names = [*NAMES]
    names[3:5] = ["Somebody"] * 2
    double = gallery_of(numbers, names)
    assert kinds(double) == [("one person", ("Person 00", "Somebody"))]
    assert limit(double) == pytest.approx(limit(clean), abs=0.002)
    (verdict,) = identify_all(double, double.faces.pixels[:1])  # neither is the other's rival
    assert verdict.decision.person == "Person 00"
    assert verdict.decision.runner_up is not None
    assert verdict.decision.runner_up[0] != "Somebody"
    merged = double.merge("Somebody", "Person 00").calibrate()
    assert kinds(merged) == []
    two = double.settle("Somebody", "Person 00")
    assert two.calibrated is None  # now they count as strangers, which is measured anew
    assert kinds(two.calibrate()) == []
    assert two.rename("Somebody", "Ada").settled == {("Ada", "Person 00")}
    assert two.remove_person("Somebody").settled == frozenset()
    with pytest.raises(EigenfacesError, match="Nobody in the gallery is called “Nobody”"):
        two.settle("Nobody", "Person 00")


def test_a_photograph_filed_wrongly_is_pointed_out(numbers: NDArray[np.float32]) -> None:
    names = [*NAMES]
    names[2] = "Person 07"
    gallery = gallery_of(numbers, names)
    (found,) = find_look_alikes(gallery)
    assert (found.kind, found.people) == ("photo", ("Person 07", "Person 00"))
    assert found.faces == (gallery.index.photos[2].id,)
    assert gallery.index.photos[2].path.name in found.sentence
    assert limit(gallery) == pytest.approx(limit(gallery_of(numbers, NAMES)), abs=0.002)
    assert kinds(gallery.move(found.faces, "Person 00").calibrate()) == []
    assert kinds(gallery.settle(*found.people).calibrate()) == []


def test_two_people_under_one_name_are_pointed_out(numbers: NDArray[np.float32]) -> None:
    names = ["Person 00" if name == "Person 01" else name for name in NAMES]
    gallery = gallery_of(numbers[:-2], names[:-2])
    (found,) = find_look_alikes(gallery)
    assert (found.kind, found.people) == ("two people", ("Person 00", "Person 00"))
    rows = {gallery.index.row_by_id[face] for face in found.faces}
    assert rows in ({*range(5)}, {*range(5, 10)})
    assert kinds(gallery.settle("Person 00", "Person 00").calibrate()) == []


def test_people_who_are_near_each_other_are_named_once(numbers: NDArray[np.float32]) -> None:
    """They stay strangers to each other: it is no question, but a warning."""
    near = numbers.copy()
    near[5:10] += 0.38 * (numbers[:5].mean(axis=0) - numbers[5:10].mean(axis=0))
    gallery = gallery_of(near, NAMES)
    found = kinds(gallery)
    assert found == [("near", ("Person 00", "Person 01"))]
    assert kinds(gallery.settle("Person 00", "Person 01").calibrate()) == []


def test_by_another_recipe_too_and_not_where_it_takes_many_for_each_other(att: FaceSet) -> None:
    """Of whom three photographs are also there a little darker, under another name."""
    rows = [row for row in range(200) if row % 10 < 6]
    names = [att.index.photos[row].person for row in rows]
    images = att.pixels[rows].reshape(-1, *att.shape)
    texture = RECIPES["Texture"]
    faces = FaceSet.from_arrays(
        np.concatenate([images, 0.95 * images[:3]]), [*names, *["again"] * 3]
    )
    twice = Gallery(faces, PREPARATION, texture).train().calibrate()
    assert ("Person 01", "again") in [found.people for found in find_look_alikes(twice)]
    clean = Gallery(FaceSet.from_arrays(images, names), PREPARATION, texture).train().calibrate()
    assert find_look_alikes(clean) == ()
    assert limit(twice) == pytest.approx(limit(clean), rel=0.1)
    rng = np.random.default_rng(0)
    noise = FaceSet.from_arrays(rng.random((60, 16, 16)), [f"{at // 3}" for at in range(60)])
    nobody = Gallery(noise, Preparation(16, 16), RECIPES["Eigenfaces"]).train().calibrate()
    assert find_look_alikes(nobody) == ()


def test_nobody_is_asked_about_before_that_is_measured(att: FaceSet) -> None:
    assert find_look_alikes(Gallery(att, PREPARATION, NETWORK)) == ()
    assert (
        Finding("one person", ("Ana", "Anna")).sentence == "“Ana” and “Anna” look like one person."
    )
