"""The photographs of a project by day: all of them, and those of some people at once."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import people

from eigenfaces import Gallery, Preparation, Project
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.project.album import album
from eigenfaces.project.content import Content, ForgottenFace
from eigenfaces.recognition.recipe import RECIPES


def content(*photos: FacePhoto, days: Sequence[str] = ()) -> Content:
    faces = people(np.random.default_rng(0), 1, len(photos))
    crops = [photo.crop for photo in faces.index.photos]
    named = [replace(photo, crop=crop) for photo, crop in zip(photos, crops, strict=True)]
    gallery = Gallery(
        replace(faces, index=PhotoIndex(tuple(named))),
        Preparation(16, 16, already_cropped=True),
        RECIPES["Fisherfaces"],
    )
    paths = dict.fromkeys(photo.path for photo in photos)
    files = [
        KnownFile(path, path.stem, 9, 9, (30, 40), day)
        for path, day in zip(paths, days, strict=False)
    ]
    return Content(gallery, files=tuple(files))


def photo(name: str) -> Photograph:
    return Photograph(Path(f"/photos/{name}.jpg"), name, (30, 40))


def names(found: Sequence[object]) -> list[str]:
    return [one.photograph.path.stem for one in found]  # type: ignore[attr-defined]


def test_the_newest_is_first_and_what_has_no_day_last() -> None:
    faces = [FacePhoto(photo(name), "Ada") for name in "abcd"]
    days = ["2023-01-01T00:00:00", "2024-06-15T16:42:07", "", "2024-06-15T16:42:06"]
    assert names(album(content(*faces, days=days))) == ["b", "d", "a", "c"]


def test_those_of_two_people_are_those_with_both() -> None:
    group = photo("group")
    some = content(
        FacePhoto(group, "Ada"), FacePhoto(group, "Grace", 2), FacePhoto(photo("alone"), "Ada")
    )
    assert names(album(some, ["Ada", "Grace"])) == ["group"]
    assert {*names(album(some, ["Ada"]))} == {"group", "alone"}
    assert names(album(some, ["Alan"])) == []
    (both,) = album(some, ["Ada", "Grace"])
    assert {*both.people} == {"Ada", "Grace"}


def test_what_has_no_face_is_there_too_but_no_copy_and_nothing_unreadable() -> None:
    some = content(FacePhoto(photo("a"), "Ada"), days=[""])
    kinds = ("no face", "several faces", "left out", "duplicate", "unreadable")
    files = [KnownFile(Path(f"/photos/{kind}.jpg"), kind, 1, 1, (3, 4), "2024") for kind in kinds]
    unused = tuple(
        Skipped(f.path, "Why.", None, kind) for f, kind in zip(files, kinds, strict=True)
    )
    some = replace(some, files=(*some.files, *files), unused=unused)
    assert {*names(album(some))} == {"a", "no face", "several faces", "left out"}
    assert names(album(some, ["Ada"])) == ["a"]


def test_a_project_keeps_its_files_folders_and_portraits(tmp_path: Path) -> None:
    path = tmp_path / "people.eigenfaces"
    some = content(FacePhoto(photo("a"), "Ada"), days=["2024-06-15T16:42:07"])
    crop = some.gallery.index.photos[0].crop
    folder = WatchedFolder(Path("/photos"), events=("Sea",))
    some = replace(some, folders=(folder,), forgotten=(ForgottenFace("5f0c", (3, 4), None),))
    PORTRAITS.add({crop: b"a JPEG"})
    with closing(Project.create(path)) as project:
        project.write(some)
    PORTRAITS.forget([crop])
    with closing(Project.open(path)) as project:
        there = project.content
        assert (there.files, there.folders, there.forgotten) == (
            some.files,
            some.folders,
            some.forgotten,
        )
        assert PORTRAITS.get(crop) == b"a JPEG"
        liked = replace(there.files[0], favourite=True)
        project.write(replace(there, files=(liked,)))
    with closing(Project.open(path)) as project:
        assert album(project.content)[0].favourite
        project.write(replace(project.content, gallery=project.gallery.remove_person("Ada")))
    PORTRAITS.forget([crop])
    with closing(Project.open(path)):
        assert PORTRAITS.get(crop) is None  # no face needs it: it was swept


@pytest.mark.parametrize("field", ["files", "folders"])
def test_undo_takes_back_what_its_step_added(field: str) -> None:
    from eigenfaces.project.history import History

    before = content(FacePhoto(photo("a"), "Ada"), days=[""])
    one: object = KnownFile(Path("/b"), "b", 1, 1)
    other: object = KnownFile(Path("/c"), "c", 1, 1)
    if field == "folders":
        one, other = WatchedFolder(Path("/b")), WatchedFolder(Path("/c"))
    old = getattr(before, field)
    after = replace(before, **{field: (*old, one)})
    now = replace(before, **{field: (*old, one, other)})
    back = History().remember("adding", before, after).undo(now)
    assert back is not None
    assert getattr(back[0].undo(now), field) == (*old, other)
