"""Faces without a name are grouped by whom they show, and named by nobody but a person."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery, Recipe
from eigenfaces.faces import network
from eigenfaces.recognition import network as compared
from eigenfaces.recognition.gallery_quality import cluster_faces
from eigenfaces.sample import PREPARATION


def gallery_of(att: FaceSet, people: int, named: int = 0, recipe: str = "Network") -> Gallery:
    """Return so many people × 5, of whom the first have a name."""
    faces = att.select([row for row in range(10 * people) if row % 10 < 5])
    known = {photo.key: photo for photo in faces.index.photos[5 * named :]}
    nameless = {key: replace(photo, person=None) for key, photo in known.items()}
    return Gallery(faces.with_photos(nameless), PREPARATION, Recipe.of(recipe))


@pytest.fixture
def told_apart(att: FaceSet, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    """Let a network be there that tells people apart: 0.4 within a person, and 1 between two."""
    people, known = rng.normal(size=(40, network.SIZE)), network.FaceDescriptorCache()
    people /= np.linalg.norm(people, axis=1, keepdims=True) * 2**0.5
    photos = rng.normal(size=(400, network.SIZE)) * 0.4 / (2 * network.SIZE) ** 0.5
    numbers = (people.repeat(10, axis=0) + photos).astype(np.float32)
    known.add(dict(zip((p.crop for p in att.index.photos), numbers, strict=True)))
    monkeypatch.setattr(compared, "DESCRIPTORS", known)
    monkeypatch.setattr(network, "is_installed", lambda: True)


@pytest.fixture(params=["network", "texture"])
def files(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    request.getfixturevalue("told_apart")
    monkeypatch.setattr(network, "is_installed", lambda: request.param == "network")


def test_each_group_is_of_one_person_and_each_face_in_one_group(att: FaceSet, files: None) -> None:
    groups = cluster_faces(gallery_of(att, 10))
    grouped = [key for group in groups for key in group.keys]
    who = {photo.key: photo.person for photo in att.index.photos}
    assert len({*grouped}) == len(grouped) >= 40
    assert all(len(group.keys) > 1 and group.perhaps is None for group in groups)
    assert sum(len({who[key] for key in group.keys}) == 1 for group in groups) >= 0.9 * len(groups)
    assert [*map(len, (group.keys for group in groups))] == sorted(
        (len(group.keys) for group in groups), reverse=True
    )


def test_only_faces_that_take_part_and_have_no_name(att: FaceSet, told_apart: None) -> None:
    gallery = gallery_of(att, 3, named=1)
    out = gallery.index.photos[7].key
    grouped = {key for group in cluster_faces(gallery.exclude([out])) for key in group.keys}
    nameless = {photo.key for photo in gallery.index.photos if photo.person is None}
    assert grouped <= nameless - {out}
    assert cluster_faces(gallery.move(nameless, "Ada")) == ()


@pytest.mark.parametrize("one_file", [False, True])
def test_two_faces_on_one_photograph_are_of_two_people(
    att: FaceSet, told_apart: None, one_file: bool
) -> None:
    gallery = gallery_of(att, 1)
    first, second, *_ = gallery.index.photos
    again = replace(second, key=f"{first.key}-2") if one_file else second
    photos = tuple(again if photo is second else photo for photo in gallery.index.photos)
    faces = replace(gallery.faces, index=replace(gallery.index, photos=photos))
    together = [
        {first.key, again.key} <= {*group.keys}
        for group in cluster_faces(replace(gallery, faces=faces))
    ]
    assert any(together) != one_file


def test_whoever_is_near_is_suggested_for_a_lone_face_too(att: FaceSet, told_apart: None) -> None:
    gallery = gallery_of(att, 12, named=11)
    lone = [photo.key for photo in gallery.index.photos[:50:5]]  # one of each of ten people
    trained = gallery.move(lone, None).train().calibrate()
    groups = cluster_faces(trained)
    who = {photo.key: photo.person for photo in gallery.index.photos}
    suggested = {group.perhaps: {who[key] for key in group.keys} for group in groups}
    assert len(suggested) == 11
    assert all(shown == {person} for person, shown in suggested.items() if person)
    assert suggested[None] == {None}  # the twelfth is like nobody
