"""From photographs to faces: what was chosen, each once, what is listed, what is cut anew."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, off
from PIL import Image

from eigenfaces import Cancelled, FaceSet, Preparation, find_photos, load_faces
from eigenfaces.errors import no_tick
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import FacePhoto, as_levels, crop_hash
from eigenfaces.faces.prepare import crop_at
from eigenfaces.faces.read import load_face, read_face
from eigenfaces.importing.load import recrop_faces
from eigenfaces.importing.scan import named_as, people_found, scan
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.photos import WHOLE, Eyes, FoundPhotos, Photo, Placement, Skipped
from tests.picture_files import picture, two_people

CUT = Preparation(20, 16, already_cropped=True)


class TestLoad:
    def test_a_folder(self, tmp_path: Path) -> None:
        """One pipeline for gallery and probe; and what was skipped stays listed."""
        for person, count in (("Ada", 3), ("Zoë Ü", 2)):
            for i in range(count):
                picture(tmp_path / person / f"{i}.png", i + 10 * count)
        earlier = Skipped(tmp_path / "x", "A reason.")
        found = replace(find_photos(tmp_path), skipped=(earlier,))
        faces = load_faces(found, CUT)
        assert [photo.person for photo in faces.index.photos] == ["Ada"] * 3 + ["Zoë Ü"] * 2
        assert faces.index.photos[0].size == (24, 20)
        assert faces.skipped == (earlier,)
        again = load_faces(found, CUT)
        assert again.index.photos == faces.index.photos
        assert np.array_equal(again.pixels.held, faces.pixels.held)
        photo, crop = load_face(tmp_path / "Ada" / "0.png", CUT)
        assert np.array_equal(crop.ravel(), faces.pixels[0])
        assert replace(photo, person="Ada") == faces.index.photos[0]

    def test_duplicates_are_listed(self, tmp_path: Path) -> None:
        original = picture(tmp_path / "Ada" / "1.png")
        (tmp_path / "Ada" / "2.png").write_bytes(original.read_bytes())
        (tmp_path / "Bob").mkdir()
        (tmp_path / "Bob" / "3.png").write_bytes(original.read_bytes())
        with Image.open(original) as image:
            image.save(tmp_path / "Ada" / "4.bmp")
            image.save(tmp_path / "Bob" / "5.tiff")
        faces = load_faces(find_photos(tmp_path), CUT)
        assert [photo.path.name for photo in faces.index.photos] == ["1.png"]
        reasons = {skipped.path.name: skipped.reason for skipped in faces.skipped}
        assert reasons["2.png"] == "It is the same file as “1.png”, which is kept."
        filed = "It is the same file as “1.png”, which is filed under “Ada”. That one is kept"
        assert reasons["3.png"].startswith(filed)
        assert reasons["4.bmp"] == "It is the same picture as “1.png”, which is kept."
        assert "the same picture as “1.png”, which is filed under “Ada”" in reasons["5.tiff"]
        people = {skipped.path.name: skipped.person for skipped in faces.skipped}
        assert people == {"2.png": "Ada", "3.png": "Bob", "4.bmp": "Ada", "5.tiff": "Bob"}

    def test_what_the_gallery_knows_already(self, tmp_path: Path) -> None:
        """Importing in two goes lists what importing in one would."""
        original = picture(tmp_path / "1" / "Ada" / "1.png")
        picture(tmp_path / "1" / "Ada" / "2.png", 2)
        known = load_faces(find_photos(tmp_path / "1"), CUT)
        for name in ("Ada/1.png", "Ada/again.png", "Bob/1.png"):
            (tmp_path / "2" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "2" / name).write_bytes(original.read_bytes())
        (tmp_path / "2" / "nobody.png").write_bytes((tmp_path / "1/Ada/2.png").read_bytes())
        with Image.open(original) as image:
            image.save(tmp_path / "2" / "Ada" / "converted.bmp")
        new = picture(tmp_path / "2" / "Bob" / "new.png", 3)
        faces = load_faces(find_photos(tmp_path / "2"), CUT, known=known)
        keys = [photo.key for photo in faces.index.photos]
        assert keys[::2] == [photo.key for photo in known.index.photos]
        assert [photo.person for photo in faces.index.photos] == ["Ada", "Bob", None]
        reasons = {str(each.path.relative_to(tmp_path / "2")): each for each in faces.skipped}
        assert sorted(reasons) == ["Ada/again.png", "Ada/converted.bmp", "Bob/1.png"]
        assert "the same file" in reasons["Ada/again.png"].reason
        assert "the same picture" in reasons["Ada/converted.bmp"].reason
        assert "filed under “Ada”" in reasons["Bob/1.png"].reason
        assert [photo.path for photo in known.join(faces).index.photos[2:]] == [new]

    def test_each_reason_is_of_a_kind(self, tmp_path: Path) -> None:
        original = picture(tmp_path / "Ada" / "1.png", 0, (60, 60))
        (tmp_path / "Ada" / "2.png").write_bytes(original.read_bytes())
        (tmp_path / "Ada" / "3.png").write_text("no picture")
        pair = Image.new("L", (320, 190), 128)
        for left in (0, 160):
            pair.paste(PICTURE.crop(FACE), (left, 0))
        pair.save(tmp_path / "Ada" / "4.png")
        whole = Placement(None, "by hand")
        photos = [
            replace(photo, placement=whole) if photo.path.name < "3" else photo
            for photo in find_photos(tmp_path).photos
        ]
        Image.new("L", (90, 90)).save(tmp_path / "5.png")
        found = FoundPhotos((*photos, Photo(tmp_path / "5.png")))
        skipped = load_faces(found, Preparation()).skipped
        assert [(each.kind, each.needs_choice) for each in skipped] == [
            ("duplicate", False),
            ("unreadable", False),
            ("several faces", True),
            ("no face", True),
        ]
        assert skipped[-1].reason.startswith("No face was found in it.")
        nothing = load_faces(FoundPhotos((Photo(tmp_path / "Ada" / "3.png"),)), CUT)
        assert (nothing.pixels.shape, len(nothing.skipped)) == ((0, 320), 1)

    def test_what_was_read_already_is_not_read_again(self, tmp_path: Path) -> None:
        first, second = picture(tmp_path / "1.png"), picture(tmp_path / "2.png", 2)
        before = {first: read_face(Photo(first), CUT)}
        first.unlink()
        faces = load_faces(FoundPhotos((Photo(first), Photo(second))), CUT, already=before)
        assert [photo.path for photo in faces.index.photos] == [first, second]
        assert np.array_equal(faces.image(0), before[first].face)
        assert np.array_equal(faces.image(1), load_face(second, CUT)[1])

    def test_progress_and_cancel(self, tmp_path: Path) -> None:
        for i in range(4):
            picture(tmp_path / f"{i}.png", i)
        seen: list[tuple[int, int]] = []
        load_faces(find_photos(tmp_path), CUT, lambda *step: seen.append(step))
        assert seen == [(i, 4) for i in range(5)]

        def stop(done: int, total: int) -> None:
            if done == 2:
                raise Cancelled

        with pytest.raises(Cancelled):
            load_faces(find_photos(tmp_path), CUT, stop)


class TestPlaced:
    """Where the face lies is kept with it, whoever said so."""

    @pytest.fixture
    def photos(self, tmp_path: Path) -> tuple[Photo, ...]:
        """Her on her side, and upright."""
        (tmp_path / "Eileen").mkdir()
        PICTURE.save(tmp_path / "Eileen" / "upright.png")
        PICTURE.rotate(90, expand=True).save(tmp_path / "Eileen" / "on her side.png")
        return find_photos(tmp_path).photos

    def test_found(self, photos: tuple[Photo, ...]) -> None:
        (photo,) = load_faces(FoundPhotos(photos[1:]), Preparation()).index.photos
        assert (photo.placement.source, photo.size) == ("found", (512, 512))
        assert photo.placement.eyes is not None
        assert off(photo.placement.eyes) < 0.25

    @pytest.mark.parametrize("cropped", [False, True])
    def test_by_hand_from_a_file_and_turned(self, photos: tuple[Photo, ...], cropped: bool) -> None:
        """It holds where faces are cropped already, too; turned back, she is alike."""
        for source in ("by hand", "from a file"):
            placements = Placement(EYES, source, 1), Placement(EYES, source)  # type: ignore[arg-type]
            pairs = zip(photos, placements, strict=True)
            said = [replace(photo, placement=where) for photo, where in pairs]
            one, other = (
                load_faces(FoundPhotos((photo,)), Preparation(already_cropped=cropped))
                for photo in said
            )
            assert one.index.photos[0].placement == placements[0]
            assert other.index.photos[0].placement == placements[1]
            np.testing.assert_array_equal(one.pixels.held, other.pixels.held)

    def test_whole(self, photos: tuple[Photo, ...]) -> None:
        """By the preparation for all of them, or by hand for one."""
        whole = load_faces(FoundPhotos(photos), Preparation(already_cropped=True))
        assert [photo.placement for photo in whole.index.photos] == [WHOLE, WHOLE]
        marked = Placement(None, "by hand")
        one = load_faces(FoundPhotos((replace(photos[1], placement=marked),)), Preparation())
        assert one.index.photos[0].placement == marked
        np.testing.assert_array_equal(one.pixels[0], whole.pixels[1])


def described(path: Path, size: tuple[int, int]) -> FacePhoto:
    return FacePhoto(path, "A", content_hash(path.read_bytes()), size)


class TestCutAgain:
    def test_several_faces_of_one_photograph_keep_their_places(self, tmp_path: Path) -> None:
        """Two faces of a group have one file, and keys of their own."""
        path = picture(tmp_path / "group.png", 0, (300, 200))
        levels = np.asarray(Image.open(path))
        key = content_hash(path.read_bytes())
        eyes = [Eyes((80.0, 90.0), (110.0, 90.0)), Eyes((190.0, 80.0), (220.0, 84.0))]
        faces = [
            FacePhoto(path, name, f"{key}{mark}", (200, 300), placement=Placement(where))
            for name, mark, where in zip("AB", ("", "-2"), eyes, strict=True)
        ]
        again = recrop_faces([(face, face.placement) for face in faces], Preparation(32, 24))
        crops = [crop_hash(face) for face in again.pixels[:]]
        pairs = zip(faces, crops, strict=True)
        assert again.index.photos == tuple(replace(face, crop=crop) for face, crop in pairs)
        for row, where in enumerate(eyes):
            crop = crop_at(levels / np.float32(255), where, (32, 24))
            np.testing.assert_allclose(again.image(row), np.clip(crop, 0, 1), atol=0.6 / 255)

    def test_what_has_changed_is_not_taken_for_the_same(self, tmp_path: Path) -> None:
        face = FacePhoto(picture(tmp_path / "face.png"), "A", content_hash(b"before"), (24, 20))
        again = recrop_faces([(face, face.placement)], CUT)
        assert len(again) == 0
        assert "has changed" in again.skipped[0].reason

    def test_among_ready_crops_given_eyes_are_put_where_theirs_lie(
        self, tmp_path: Path, att: FaceSet
    ) -> None:
        """One of the crops, pasted large on a photograph, is cut as it is cut by itself."""
        rows = range(0, 60, 10)
        frame = CropFrame.of(att.pixels.select(list(rows)), att.shape)
        assert frame is not None
        wanted = []
        for row in rows:
            Image.fromarray(as_levels(att.image(row))).save(tmp_path / f"{row}.png")
            wanted.append((described(tmp_path / f"{row}.png", att.shape), WHOLE))
        pasted = Image.new("L", (400, 400), 90)
        pasted.paste(Image.fromarray(as_levels(att.image(10))).resize((184, 224)), (90, 70))
        pasted.save(tmp_path / "photo.png")
        eyes = Eyes.at(2 * frame.eyes.middle + complex(90, 70), 2 * frame.eyes.across)
        given = Placement(eyes, "by hand")
        wanted.insert(2, (described(tmp_path / "photo.png", (400, 400)), given))
        again = recrop_faces(wanted, Preparation(56, 46, already_cropped=True))
        names = [photo.path.stem for photo in again.index.photos]
        assert sorted(names) == sorted(photo.path.stem for photo, _ in wanted)
        by_itself, on_photo = (again.image(names.index(name)) for name in ("10", "photo"))
        standard = Preparation(56, 46).crop(np.asarray(pasted) / np.float32(255), eyes)
        assert np.abs(on_photo - by_itself).mean() < 0.03
        assert np.abs(standard - by_itself).mean() > 0.06


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return two_people(tmp_path / "faces")


def test_equal_small_photos_keep_their_size(folder: Path) -> None:
    assert scan(folder, no_tick).suggested == Preparation(24, 20, already_cropped=True)
    picture(folder / "Ada" / "other.png", 50, (30, 24))
    assert scan(folder, no_tick).suggested == Preparation()
    for seed in range(2):  # in large ones a face is searched for
        picture(folder / "large" / "Ada" / f"{seed}.png", seed, (640, 480))
    assert scan(folder / "large", no_tick).suggested == Preparation(112, 92)


def test_a_file_that_is_listed_twice_is_found_once(folder: Path) -> None:
    twice = folder / "Ada" / "0.png"
    looked = scan([twice, folder / "Ada"], no_tick)
    assert len(looked.found.photos) == 3
    assert [(file.path, file.reason) for file in looked.found.skipped] == [
        (twice, "It is listed twice.")
    ]


def test_one_name_for_all_whom_nothing_else_names(folder: Path) -> None:
    picture(folder / "loose.png", 30)
    found = named_as(find_photos(folder), " Eve ")
    assert people_found(found) == [("Ada", 3), ("Grace", 3), ("Eve", 1)]
    nobody = FoundPhotos((Photo(Path("0.png")), *found.photos, Photo(Path("1.png"))))
    assert people_found(nobody)[-1] == (None, 2), "nobody comes last"


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there")
def test_pipes_and_links_that_lead_nowhere_are_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "Ada" / "pipe.png")
    (folder / "Ada" / "endless.png").symlink_to("/dev/zero")
    (folder / "Ada" / "loop.png").symlink_to(folder / "Ada" / "loop.png")
    found = scan(folder, no_tick)
    assert len(found.found.photos) == 6 + 3  # reading them says why not
    assert found.suggested.shape == (24, 20)
