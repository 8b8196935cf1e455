"""Which photographs need attention; whom faces without a name show, as groups to be named."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.ndimage import gaussian_filter
from scipy.spatial.distance import cdist

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.errors import no_tick
from eigenfaces.faces import network
from eigenfaces.faces.quality import TITLES, Concern
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition import network as compared
from eigenfaces.recognition.gallery_quality import (
    PeopleOverview,
    PhotoChecks,
    average_linkage,
    check_photos,
    cluster_faces,
    rows_to_group,
    standing_out,
)
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.sample import PREPARATION
from tests.synthetic import on_file, small_gallery

EYES = Eyes((40.0, 50.0), (100.0, 50.0))


@pytest.fixture
def poor() -> tuple[FaceSet, Preparation]:
    """Two people: sharp and blurred, dark, tiny in its photograph, and cut off by its border."""
    noise = np.random.default_rng(0).random((5, 28, 24))
    images = np.clip(0.5 + (noise - 0.5) * 0.8, 0, 1)
    images[1] = np.clip(gaussian_filter(noise[1], 4) * 3 - 1, 0, 1)
    images[2] *= 0.2
    faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Ada", "Bob", "Bob"])
    tiny, off = faces.index.photos[3:]
    tiny = replace(
        tiny,
        photograph=replace(tiny.photograph, size=(30, 30)),
        placement=Placement(Eyes((5, 5), (9, 5)), "by hand"),
    )
    off = replace(
        off,
        photograph=replace(off.photograph, size=(40, 40)),
        placement=Placement(Eyes((-4, 9), (9, 9)), "by hand"),
    )
    return faces.with_photos({tiny.id: tiny, off.id: off}), Preparation(28, 24)


@pytest.fixture
def files_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eigenfaces.recognition.gallery_quality.is_there", lambda _: True)


def test_poor_faces_need_attention(
    poor: tuple[FaceSet, Preparation], files_are_there: None
) -> None:
    faces, preparation = poor
    gallery = Gallery.new(preparation).enrol(faces)
    checks = check_photos(gallery, PhotoChecks(), no_tick)
    kinds = [
        checks.concerns[p.id].kind if p.id in checks.concerns else "" for p in faces.index.photos
    ]
    assert kinds == ["", "blurred", "dark", "tiny", "cut off"]
    for concern in checks.concerns.values():
        assert concern.title == TITLES[concern.kind]
        assert concern.sentence.endswith(".")
    seen = PeopleOverview(gallery.index, checks)
    assert seen.need_attention == [1, 2, 3, 4]
    gallery = gallery.exclude([faces.index.photos[1].id])  # it has been seen to
    assert len(check_photos(gallery, PhotoChecks(), no_tick).concerns) == 3
    assert [len(seen.concerns_of_rows(rows)) for rows in seen.index.rows_by_person.values()] == [
        2,
        2,
    ]


def test_what_is_gone_or_stands_out_is_said_first(
    files_are_there: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reason for each photograph: the one that matters most."""
    gallery = small_gallery()
    wrong = gallery.index.photos[20].id
    placed = {wrong: on_file(gallery.index.photos[20], Path("/photos/20.png").absolute())}
    gallery = replace(gallery, faces=gallery.faces.with_photos(placed))
    moved, alone = gallery.move([wrong], "Ada"), gallery.move([wrong], "Eve")
    kind = lambda gallery: check_photos(gallery, PhotoChecks(), no_tick).concerns[wrong].kind  # noqa: E731
    assert (kind(moved), kind(alone)) == ("unlike", "single")
    blurred = lambda *_: [Concern("blurred", "It is.")]  # noqa: E731
    monkeypatch.setattr("eigenfaces.recognition.gallery_quality.concerns_of", blurred)
    assert (kind(moved), kind(alone)) == ("unlike", "blurred")
    monkeypatch.setattr("eigenfaces.recognition.gallery_quality.is_there", lambda _: False)
    assert (kind(moved), kind(alone)) == ("gone", "gone")


def test_the_only_photo_is_no_concern_where_nearly_everybody_has_one(files_are_there: None) -> None:
    gallery = small_gallery()
    rows = (row for rows in gallery.index.rows_by_person.values() for row in rows[1:])
    one_each = gallery.remove([gallery.index.photos[row].id for row in rows])
    concerns = check_photos(one_each, PhotoChecks(), no_tick).concerns.values()
    assert "single" not in {concern.kind for concern in concerns}


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_photo_of_somebody_else_stands_out_while_it_is_held_out(
    att: FaceSet, files_are_there: None, recipe: str
) -> None:
    """Also by a recipe that has learnt where each photograph belongs."""
    gallery = Gallery(att.select(range(100)), PREPARATION, Recipe.of(recipe))
    wrong = [gallery.index.photos[row].id for row in (3, 57)]
    gallery = gallery.move(wrong[:1], "Person 05").move(wrong[1:], "Person 09").train()
    checks = check_photos(gallery, PhotoChecks(), no_tick)
    odd = {key: concern for key, concern in checks.concerns.items() if concern.kind == "unlike"}
    assert {*wrong} <= odd.keys()
    assert len(odd) <= 6
    assert "nearer to Person 01" in odd[wrong[0]].sentence
    rows = gallery.index.rows_of("Person 05")
    assert gallery.index.row_of(wrong[0]) in standing_out(rows, gallery.index, checks)
    assert standing_out(rows[:2], gallery.index, checks) == {}, "of two neither does"
    seen_to = gallery.exclude(wrong[:1]).confirm(wrong[1:])
    assert not {*wrong} & check_photos(seen_to, checks, no_tick).concerns.keys()


def test_what_is_right_is_asked_about_again_once_it_is_something_else(
    poor: tuple[FaceSet, Preparation], files_are_there: None
) -> None:
    faces, preparation = poor
    gallery = Gallery.new(preparation).enrol(faces)
    blurred, tiny = (faces.index.photos[row] for row in (1, 3))
    right = gallery.confirm([blurred.id, tiny.id])
    kinds = lambda of: {e.kind for e in check_photos(of, PhotoChecks(), no_tick).concerns.values()}  # noqa: E731
    assert kinds(right) == {"dark", "cut off"}
    assert kinds(right.move([blurred.id], "Eve")) == {"dark", "cut off", "blurred"}


def test_the_best_face_is_shown_and_who_is_on_most_photos_is_first(
    poor: tuple[FaceSet, Preparation], files_are_there: None
) -> None:
    faces, preparation = poor
    gallery = Gallery.new(preparation).enrol(faces).move([faces.index.photos[2].id], "Zoe")
    seen = PeopleOverview(gallery.index, check_photos(gallery, PhotoChecks(), no_tick))
    assert seen.best_row([1, 0, 2]) == 0, "the others are blurred and dark"
    assert PeopleOverview(gallery.index).best_row([1, 0]) == 1, "nothing is known yet"
    assert seen.people == ["Ada", "Bob", "Zoe"]
    moved = gallery.move([faces.index.photos[0].id], "Zoe")
    assert PeopleOverview(moved.index).people == ["Bob", "Zoe", "Ada"]
    keyed = gallery.with_key(faces.index.photos[1].id)
    assert PeopleOverview(keyed.index, seen.checks).best_row([1, 0, 2]) == 1


def gallery_of(att: FaceSet, people: int, named: int = 0, recipe: str = "Network") -> Gallery:
    """Return so many people × 5, of whom the first have a name."""
    faces = att.select([row for row in range(10 * people) if row % 10 < 5])
    known = {photo.id: photo for photo in faces.index.photos[5 * named :]}
    nameless = {key: replace(photo, person=None) for key, photo in known.items()}
    return Gallery(faces.with_photos(nameless), PREPARATION, Recipe.of(recipe))


@pytest.fixture
def told_apart(att: FaceSet, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    """Let a network be there that tells people apart: 0.4 within a person, and 1 between two."""
    size = network.DESCRIPTOR_SIZE
    people, known = rng.normal(size=(40, size)), network.FaceDescriptorCache()
    people /= np.linalg.norm(people, axis=1, keepdims=True) * 2**0.5
    photos = (
        rng.normal(size=(400, network.DESCRIPTOR_SIZE)) * 0.4 / (2 * network.DESCRIPTOR_SIZE) ** 0.5
    )
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
    grouped = [key for group in groups for key in group.faces]
    who = {photo.id: photo.person for photo in att.index.photos}
    assert len({*grouped}) == len(grouped) >= 40
    assert all(len(group.faces) > 1 and group.perhaps is None for group in groups)
    assert sum(len({who[key] for key in group.faces}) == 1 for group in groups) >= 0.9 * len(groups)
    assert [*map(len, (group.faces for group in groups))] == sorted(
        (len(group.faces) for group in groups), reverse=True
    )


@pytest.mark.parametrize("limit", [0.3, 0.6, 0.8, 9.0])
def test_average_linkage_finds_the_clusters_of_scipy(
    rng: np.random.Generator, limit: float
) -> None:
    points = rng.random((120, 3)).astype(np.float32)
    points[7] = points[3]  # at distance 0
    labels = average_linkage(cdist(points, points).astype(np.float32), limit)
    expected = fcluster(linkage(points, "average"), limit, "distance")
    together = labels[:, None] == labels
    assert np.array_equal(together, expected[:, None] == expected)
    assert len(average_linkage(np.zeros((1, 1), np.float32), limit)) == 1


def test_of_too_many_faces_the_first_are_grouped(
    att: FaceSet, told_apart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    gallery = gallery_of(att, 4)
    monkeypatch.setattr("eigenfaces.recognition.gallery_quality.MOST_GROUPED", 13)
    assert rows_to_group(gallery) == ([*range(13)], [*range(13, 20)])
    grouped = {face for group in cluster_faces(gallery) for face in group.faces}
    assert grouped == {photo.id for photo in gallery.index.photos[:13]}


def test_only_faces_that_take_part_and_have_no_name(att: FaceSet, told_apart: None) -> None:
    gallery = gallery_of(att, 3, named=1)
    out = gallery.index.photos[7].id
    grouped = {key for group in cluster_faces(gallery.exclude([out])) for key in group.faces}
    nameless = {photo.id for photo in gallery.index.photos if photo.person is None}
    assert grouped <= nameless - {out}
    assert cluster_faces(gallery.move(nameless, "Ada")) == ()


@pytest.mark.parametrize("one_file", [False, True])
def test_two_faces_on_one_photograph_are_of_two_people(
    att: FaceSet, told_apart: None, one_file: bool
) -> None:
    gallery = gallery_of(att, 1)
    first, second, *_ = gallery.index.photos
    again = replace(second, photograph=first.photograph, number=2) if one_file else second
    photos = tuple(again if photo is second else photo for photo in gallery.index.photos)
    faces = replace(gallery.faces, index=replace(gallery.index, photos=photos))
    together = [
        {first.id, again.id} <= {*group.faces}
        for group in cluster_faces(replace(gallery, faces=faces))
    ]
    assert any(together) != one_file


def test_whoever_is_near_is_suggested_for_a_lone_face_too(att: FaceSet, told_apart: None) -> None:
    gallery = gallery_of(att, 12, named=11)
    lone = [photo.id for photo in gallery.index.photos[:50:5]]  # one of each of ten people
    trained = gallery.move(lone, None).train().calibrate()
    groups = cluster_faces(trained)
    who = {photo.id: photo.person for photo in gallery.index.photos}
    suggested = {group.perhaps: {who[key] for key in group.faces} for group in groups}
    assert len(suggested) == 11
    assert all(shown == {person} for person, shown in suggested.items() if person)
    assert suggested[None] == {None}  # the twelfth is like nobody


def test_what_a_calibration_knows_is_not_measured_again(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Gallery(att.select(range(80)), PREPARATION, RECIPES["Texture"]).train()
    before = check_photos(plain, PhotoChecks(), no_tick)
    measured = plain.calibrate()
    monkeypatch.setattr(CrossValidation, "own_distances", None)
    assert check_photos(measured, PhotoChecks(), no_tick).apart == before.apart
