"""From photographs to faces: what was scanned, each once, what is listed, what is cut again."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from groups import know_where_they_stand, write_albums
from PIL import Image
from synthetic import on_file

from eigenfaces import Cancelled, FaceSet, Preparation, find_photos, load_faces
from eigenfaces.errors import no_tick
from eigenfaces.faces.face_set import crop_hash
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.faces.prepare import crop_at
from eigenfaces.faces.read import load_face, read_face
from eigenfaces.importing.load import find_original, recrop_faces
from eigenfaces.importing.scan import named_as, people_found, scan
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes, Placement
from tests.picture_files import picture, two_people

CUT = Preparation(20, 16, already_cropped=True)


class TestLoad:
    def test_a_folder_with_progress_until_it_is_cancelled(self, tmp_path: Path) -> None:
        """One pipeline for gallery and probe; and what was skipped stays listed."""
        for person, count in (("Ada", 3), ("Zoë Ü", 2)):
            for i in range(count):
                picture(tmp_path / person / f"{i}.png", i + 10 * count)
        earlier = Skipped(tmp_path / "x", "A reason.")
        found, ticks = replace(find_photos(tmp_path), skipped=(earlier,)), []
        faces = load_faces(found, CUT, lambda *tick: ticks.append(tick))
        assert ticks == [(i, 5) for i in range(6)]
        assert [photo.person for photo in faces.index.photos] == ["Ada"] * 3 + ["Zoë Ü"] * 2
        assert (faces.index.photos[0].size, faces.skipped) == ((24, 20), (earlier,))
        crop = load_face(tmp_path / "Ada" / "0.png", CUT)
        assert np.array_equal(crop.ravel(), faces.pixels[0])

        def stop(done: int, total: int) -> None:
            if done == 2:
                raise Cancelled

        with pytest.raises(Cancelled):
            load_faces(found, CUT, stop)

    def test_what_was_kept_is_not_read_again_but_for_what_the_gallery_knows(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And is not told of once more."""
        found = find_photos(two_people(tmp_path))
        kept, told, asked = {}, [], []
        whole = load_faces(found, CUT, keep=kept.__setitem__)
        assert [*kept] == [*found.photos]
        read = load_faces.__globals__["read_bytes"]

        def spy(path: Path) -> bytes:
            asked.append(path)
            return read(path)

        monkeypatch.setitem(load_faces.__globals__, "read_bytes", spy)
        first, *others = found.photos
        known = load_faces(replace(found, photos=(first,)), CUT)
        asked.clear()
        del kept[others[0]]
        again = load_faces(
            found, CUT, known=known, kept=kept, keep=lambda photo, _: told.append(photo)
        )
        assert again.index.photos == whole.index.photos
        assert sorted(asked) == sorted([first.path, others[0].path])
        assert told == [others[0]]
        told.clear()
        load_faces(found, CUT, known=known, keep=lambda photo, _: told.append(photo))
        assert told == others

    def test_duplicates_are_listed_of_this_import_and_of_the_gallery(self, tmp_path: Path) -> None:
        """Importing in two goes lists what importing in one would."""
        original = picture(tmp_path / "1" / "Ada" / "1.png")
        picture(tmp_path / "1" / "Ada" / "2.png", 2)
        known = load_faces(find_photos(tmp_path / "1"), CUT)
        copies = ("Ada/1.png", "Ada/again.png", "Bob/1.png")
        for name in copies:
            (tmp_path / "2" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "2" / name).write_bytes(original.read_bytes())
        (tmp_path / "2" / "nobody.png").write_bytes((tmp_path / "1/Ada/2.png").read_bytes())
        new = picture(tmp_path / "2" / "Bob" / "new.png", 3)
        for enrolled in (known, None):
            faces = load_faces(find_photos(tmp_path / "2"), CUT, known=enrolled)
            assert [photo.person for photo in faces.index.photos] == ["Ada", "Bob", None]
            listed = {str(file.path.relative_to(tmp_path / "2")): file for file in faces.skipped}
            assert sorted(listed) == ["Ada/again.png", "Bob/1.png"]
            same = "It is the same file as “1.png”, which is kept."
            assert listed["Ada/again.png"].reason == same
            assert "filed under “Ada”. That one is kept" in listed["Bob/1.png"].reason
            assert {file.kind for file in faces.skipped} == {"duplicate"}
        faces = load_faces(find_photos(tmp_path / "2"), CUT, known=known)
        assert [photo.path for photo in known.join(faces).index.photos[2:]] == [new]

    def test_what_was_read_already_is_not_read_again(self, tmp_path: Path) -> None:
        first, second = picture(tmp_path / "1.png"), picture(tmp_path / "2.png", 2)
        before = {first: read_face(Photo(first), CUT)}
        first.unlink()
        faces = load_faces(FoundPhotos((Photo(first), Photo(second))), CUT, already=before)
        assert [photo.path for photo in faces.index.photos] == [first, second]
        assert np.array_equal(faces.image(0), before[first].face)


class TestGroups:
    """Which of several faces is taken: those of the sample, pasted on group photographs."""

    @pytest.fixture(autouse=True)
    def standing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        know_where_they_stand(monkeypatch)

    def test_photographs_in_the_gallery_say_who_recurs(self, att: FaceSet, tmp_path: Path) -> None:
        """One photograph of three people is enough, where eight of the person are enrolled."""
        unsure = write_albums(tmp_path / "unsure", att, 1, 1)
        for photos, guess in (
            ([Photo(p, "Ada") for p in unsure], False),
            ([*map(Photo, unsure)], True),
        ):
            (skipped,) = load_faces(FoundPhotos(tuple(photos)), Preparation(), guess=guess).skipped
            assert (skipped.kind, skipped.needs_choice) == ("several faces", True)
        write_albums(tmp_path / "known", att, 5, 8, alone=8)
        known = load_faces(find_photos(tmp_path / "known"), Preparation(), guess=True)
        truth = write_albums(tmp_path / "albums", att, 5, 1)
        photo = find_photos(tmp_path / "albums").photos[0]
        sure = Photo(known.index.photos[0].path)
        read = list[Path]()
        faces = load_faces(
            FoundPhotos((photo, sure)),
            Preparation(),
            guess=True,
            known=known,
            notice=lambda reading: read.append(reading.photo.path),
        )
        assert read == [photo.path, sure.path]
        face = faces.index.photos[0]
        assert face.placement.eyes is not None
        assert face.placement.eyes.middle.real // 92 == truth[photo.path]


class TestRecrop:
    def test_several_faces_of_one_photograph_keep_their_places(self, tmp_path: Path) -> None:
        """Two faces of a group have one file, and numbers of their own."""
        path = picture(tmp_path / "group.png", 0, (300, 200))
        levels = np.asarray(Image.open(path))
        photograph = Photograph(path, content_hash(path.read_bytes()), (200, 300))
        eyes = [Eyes((80.0, 90.0), (110.0, 90.0)), Eyes((190.0, 80.0), (220.0, 84.0))]
        faces = [
            FacePhoto(photograph, name, number, placement=Placement(where))
            for name, number, where in zip("AB", (1, 2), eyes, strict=True)
        ]
        changed = on_file(faces[0], sha=content_hash(b"before"))
        pairs = [(face, face.placement) for face in (*faces, changed)]
        again = recrop_faces(pairs, Preparation(32, 24))
        assert "has changed" in again.skipped[0].reason
        for row, (face, where) in enumerate(zip(faces, eyes, strict=True)):
            crop = crop_at(levels / np.float32(255), where, (32, 24))
            np.testing.assert_allclose(again.image(row), np.clip(crop, 0, 1), atol=0.6 / 255)
            assert again.index.photos[row] == replace(face, crop=crop_hash(again.image(row)))


class TestScan:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return two_people(tmp_path / "faces")

    def test_equal_small_photos_keep_their_size(self, folder: Path) -> None:
        (folder / "Ada" / "empty.png").write_bytes(b"")
        if os.name != "nt":
            os.mkfifo(folder / "Ada" / "pipe.png")  # it is not waited for
        assert scan(folder, no_tick).suggested == Preparation(24, 20, already_cropped=True)
        picture(folder / "Ada" / "other.png", 50, (30, 24))
        assert scan(folder, no_tick).suggested == Preparation()
        for seed in range(2):  # in large ones a face is searched for
            picture(folder / "large" / "Ada" / f"{seed}.png", seed, (640, 480))
        assert scan(folder / "large", no_tick).suggested == Preparation(112, 92)

    def test_a_file_that_is_listed_twice_is_found_once(self, folder: Path) -> None:
        twice = folder / "Ada" / "0.png"
        found = scan([twice, folder / "Ada"], no_tick).found
        assert len(found.photos) == 3
        assert [(f.path, f.reason) for f in found.skipped] == [(twice, "It is listed twice.")]

    def test_one_name_for_all_whom_nothing_else_names(self, folder: Path) -> None:
        picture(folder / "loose.png", 30)
        result = scan(folder, no_tick)
        assert [photo.path.name for photo in result.unnamed] == ["loose.png"]
        named = named_as(result.found, " Eve ")
        assert people_found(named) == [("Ada", 3), ("Grace", 3), ("Eve", 1)]
        nobody = FoundPhotos((Photo(Path("0.png")), *named.photos, Photo(Path("1.png"))))
        assert people_found(nobody)[-1] == (None, 2), "nobody comes last"


def test_an_enrolled_file_may_come_again_once() -> None:
    """Under the name of somebody on it, or none."""
    index = FaceSet.from_arrays(np.eye(2, 256).reshape(2, 16, 16), ["Ada", "Bob"]).index
    ada = index.photos[0]
    for person in ("Ada", None):
        seen = dict[str, FacePhoto]()
        again = replace(ada, person=person)
        assert find_original(again, index, seen) is None
        assert find_original(again, index, seen) == ada
    assert find_original(replace(ada, person="Bob"), index, {}) == ada
    new = on_file(ada, Path("/new.png"), "another")
    seen = {}
    assert find_original(new, index, seen) is None
    assert find_original(replace(new, person="Bob"), index, seen) == new
