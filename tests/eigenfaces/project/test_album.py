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


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("2022", ["christmas", "beach"]),
        ("december 2022", ["christmas"]),
        ("Dec", ["christmas", "party"]),
        ("24 december", ["christmas"]),
        ("2022-08", ["beach"]),
        ("SEA", ["beach"]),
        ("sea 2021", []),
        ("Ada", ["christmas", "beach", "party"]),
        ("ada and grace", ["christmas"]),
        ("Grace, Byron", ["christmas"]),
        ("grace 2022", ["christmas"]),
        ("party.jpg", ["party"]),
        ("photos", ["christmas", "beach", "party"]),
        ("home", []),
        ("and", []),
        (" ", ["christmas", "beach", "party"]),
    ],
)
def test_words_are_people_folders_files_and_days(words: str, found: list[str]) -> None:
    places = {"christmas": "Lodge", "beach": "By the Sea", "party": "24"}
    made = {name: Path(f"/home/me/photos/{home}/{name}.jpg") for name, home in places.items()}
    on = {name: Photograph(path, name, (30, 40)) for name, path in made.items()}
    faces = [FacePhoto(one, "Ada Byron") for one in on.values()]
    faces.append(FacePhoto(on["christmas"], "Grace", 2))
    some = content(
        *faces, days=["2022-12-24T18:00:00", "2022-08-01T12:00:00", "2021-12-31T23:00:00"]
    )
    assert names(album(some, words=words)) == found


def test_a_search_takes_what_a_file_may_say(tmp_path: Path) -> None:
    """A day that is none, one place alone, images that are in no file: no error, and no match."""
    some = content(FacePhoto(photo("a"), "Ada"), days=["2024-99"])
    assert names(album(some, words="2024")) == []
    assert names(album(some, words="photos")) == ["a"], "the folder that was added"
    nowhere = content(FacePhoto(Photograph(Path("7.png"), "7", (3, 4)), None))
    assert names(album(nowhere, words="7.png")) == ["7"]


def test_what_is_gone_is_said() -> None:
    some = content(FacePhoto(photo("a"), "Ada"), FacePhoto(photo("b"), "Ada"), days=["", ""])
    files = (some.files[0], replace(some.files[1], gone=True))
    gone = {one.photograph.sha: one.why_gone for one in album(replace(some, files=files))}
    assert gone == {"a": "", "b": "The file was no longer in its folder."}


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
