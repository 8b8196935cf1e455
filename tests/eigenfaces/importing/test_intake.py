"""From photographs to faces: each once, what is listed and never fatal, what is cut anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, off
from PIL import Image

from eigenfaces import Cancelled, Preparation, find_photos, load_faces
from eigenfaces.faces.read import load_face, read_face
from eigenfaces.photographs.photos import WHOLE, FoundPhotos, Photo, Placement, Skipped


def save(path: Path, height: int = 40, width: int = 30, seed: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    levels = np.random.default_rng(seed).integers(0, 256, (height, width))
    Image.fromarray(levels.astype(np.uint8)).save(path)
    return path


class TestLoad:
    def test_a_folder(self, tmp_path: Path) -> None:
        for person, count in (("Ada", 3), ("Zoë Ü", 2)):
            for i in range(count):
                save(tmp_path / person / f"{i}.png", seed=i + 10 * count)
        faces = load_faces(find_photos(tmp_path), Preparation(20, 16, already_cropped=True))
        assert [photo.person for photo in faces.index.photos] == ["Ada"] * 3 + ["Zoë Ü"] * 2
        assert faces.index.photos[0].size == (40, 30)
        assert faces.skipped == ()
        again = load_faces(find_photos(tmp_path), Preparation(20, 16, already_cropped=True))
        assert again.index.photos == faces.index.photos
        assert np.array_equal(again.pixels.held, faces.pixels.held)

    def test_duplicates_are_listed(self, tmp_path: Path) -> None:
        original = save(tmp_path / "Ada" / "1.png")
        (tmp_path / "Ada" / "2.png").write_bytes(original.read_bytes())
        (tmp_path / "Bob").mkdir()
        (tmp_path / "Bob" / "3.png").write_bytes(original.read_bytes())
        with Image.open(original) as image:
            image.save(tmp_path / "Ada" / "4.bmp")
            image.save(tmp_path / "Bob" / "5.tiff")
        faces = load_faces(find_photos(tmp_path), Preparation(20, 16, already_cropped=True))
        assert [photo.path.name for photo in faces.index.photos] == ["1.png"]
        reasons = {skipped.path.name: skipped.reason for skipped in faces.skipped}
        assert reasons["2.png"] == "It is the same file as “1.png”, which is kept."
        assert reasons["3.png"].startswith(
            "It is the same file as “1.png”, which is filed under “Ada”. That one is kept"
        )
        assert reasons["4.bmp"] == "It is the same picture as “1.png”, which is kept."
        assert "the same picture as “1.png”, which is filed under “Ada”" in reasons["5.tiff"]
        people = {skipped.path.name: skipped.person for skipped in faces.skipped}
        assert people == {"2.png": "Ada", "3.png": "Bob", "4.bmp": "Ada", "5.tiff": "Bob"}

    def test_what_the_gallery_knows_already(self, tmp_path: Path) -> None:
        """Importing in two goes lists what importing in one would."""
        original = save(tmp_path / "1" / "Ada" / "1.png")
        save(tmp_path / "1" / "Ada" / "2.png", seed=2)
        known = load_faces(find_photos(tmp_path / "1"), Preparation(20, 16, already_cropped=True))
        for name in ("Ada/1.png", "Ada/again.png", "Bob/1.png"):
            (tmp_path / "2" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "2" / name).write_bytes(original.read_bytes())
        (tmp_path / "2" / "nobody.png").write_bytes((tmp_path / "1/Ada/2.png").read_bytes())
        with Image.open(original) as image:
            image.save(tmp_path / "2" / "Ada" / "converted.bmp")
        new = save(tmp_path / "2" / "Bob" / "new.png", seed=3)
        faces = load_faces(
            find_photos(tmp_path / "2"), Preparation(20, 16, already_cropped=True), known=known
        )
        held = [photo.key for photo in known.index.photos]
        assert [photo.key for photo in faces.index.photos] == [
            held[0],
            faces.index.photos[1].key,
            held[1],
        ]
        assert [photo.person for photo in faces.index.photos] == ["Ada", "Bob", None]
        reasons = {str(each.path.relative_to(tmp_path / "2")): each for each in faces.skipped}
        assert sorted(reasons) == ["Ada/again.png", "Ada/converted.bmp", "Bob/1.png"]
        assert "the same file" in reasons["Ada/again.png"].reason
        assert "the same picture" in reasons["Ada/converted.bmp"].reason
        assert "filed under “Ada”" in reasons["Bob/1.png"].reason
        assert [photo.path for photo in known.join(faces).index.photos[2:]] == [new]

    def test_each_reason_is_of_a_kind(self, tmp_path: Path) -> None:
        original = save(tmp_path / "Ada" / "1.png", 60, 60)
        (tmp_path / "Ada" / "2.png").write_bytes(original.read_bytes())
        (tmp_path / "Ada" / "3.png").write_text("no picture")
        pair = Image.new("L", (320, 190), 128)
        for left in (0, 160):
            pair.paste(PICTURE.crop(FACE), (left, 0))
        pair.save(tmp_path / "Ada" / "4.png")
        whole = Placement(None, "by hand")
        photos = tuple(
            replace(photo, placement=whole) if photo.path.name < "3" else photo
            for photo in find_photos(tmp_path).photos
        )
        Image.new("L", (90, 90)).save(tmp_path / "5.png")
        found = FoundPhotos((*photos, Photo(tmp_path / "5.png")))
        skipped = load_faces(found, Preparation()).skipped
        kinds = [(each.kind, each.needs_choice) for each in skipped]
        assert kinds == [
            ("duplicate", False),
            ("unreadable", False),
            ("several faces", True),
            ("no face", True),
        ]

    def test_what_was_read_already_is_not_read_again(self, tmp_path: Path) -> None:
        first, second = save(tmp_path / "1.png"), save(tmp_path / "2.png", seed=2)
        cropped = Preparation(20, 16, already_cropped=True)
        before = {first: read_face(Photo(first), cropped)}
        first.unlink()
        found = FoundPhotos((Photo(first), Photo(second)))
        faces = load_faces(found, cropped, already=before)
        assert [photo.path for photo in faces.index.photos] == [first, second]
        assert np.array_equal(faces.image(0), before[first].face)
        assert np.array_equal(faces.image(1), load_face(second, cropped)[1])

    def test_what_was_skipped_before_stays_listed(self, tmp_path: Path) -> None:
        earlier = Skipped(tmp_path / "x", "A reason.")
        found = FoundPhotos((Photo(save(tmp_path / "a.png")),), (earlier,))
        assert load_faces(found, Preparation(20, 16, already_cropped=True)).skipped == (earlier,)

    def test_nothing_usable_is_an_empty_set(self, tmp_path: Path) -> None:
        (tmp_path / "a.jpg").write_text("no picture")
        faces = load_faces(find_photos(tmp_path), Preparation(20, 16, already_cropped=True))
        assert len(faces) == 0
        assert faces.pixels.shape == (0, 320)
        assert len(faces.skipped) == 1

    def test_progress_and_cancel(self, tmp_path: Path) -> None:
        for i in range(4):
            save(tmp_path / f"{i}.png", seed=i)
        seen: list[tuple[int, int]] = []
        load_faces(
            find_photos(tmp_path),
            Preparation(already_cropped=True),
            lambda *step: seen.append(step),
        )
        assert seen == [(i, 4) for i in range(5)]

        def stop(done: int, total: int) -> None:
            if done == 2:
                raise Cancelled

        with pytest.raises(Cancelled):
            load_faces(find_photos(tmp_path), Preparation(already_cropped=True), stop)

    def test_one_face_is_cut_like_many(self, tmp_path: Path) -> None:
        """Trap 32: one pipeline for gallery and probe."""
        path = save(tmp_path / "Ada" / "1.png", 77, 51)
        preparation = Preparation(24, 20, "fit", already_cropped=True)
        photo, crop = load_face(path, preparation)
        faces = load_faces(find_photos(tmp_path), preparation)
        assert np.array_equal(crop.ravel(), faces.pixels[0])
        assert replace(photo, person="Ada") == faces.index.photos[0]


class TestPlaced:
    """Where the face lies is kept with it, whoever said so."""

    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "Eileen").mkdir()
        PICTURE.save(tmp_path / "Eileen" / "upright.png")
        PICTURE.rotate(90, expand=True).save(tmp_path / "Eileen" / "on her side.png")
        return tmp_path

    def test_found(self, tmp_path: Path) -> None:
        PICTURE.save(tmp_path / "upright.png")
        (photo,) = load_faces(find_photos(tmp_path), Preparation()).index.photos
        assert photo.placement.source == "found"
        assert photo.placement.eyes is not None
        assert off(photo.placement.eyes) < 0.25
        assert photo.size == (512, 512)

    def test_by_hand_from_a_file_and_turned(self, tmp_path: Path) -> None:
        found = find_photos(self.folder(tmp_path)).photos
        on_her_side, upright = found
        for source in ("by hand", "from a file"):
            said = (
                replace(on_her_side, placement=Placement(EYES, source, 1)),  # type: ignore[arg-type]
                replace(upright, placement=Placement(EYES, source)),  # type: ignore[arg-type]
            )
            first = load_faces(FoundPhotos(said[:1]), Preparation())
            second = load_faces(FoundPhotos(said[1:]), Preparation())
            assert first.index.photos[0].placement == Placement(EYES, source, 1)  # type: ignore[arg-type]
            assert second.index.photos[0].placement == Placement(EYES, source)  # type: ignore[arg-type]
            # turned back, she is alike
            np.testing.assert_array_equal(first.pixels.held, second.pixels.held)

    def test_whole(self, tmp_path: Path) -> None:
        """By the preparation for all of them, or by hand for one."""
        photos = find_photos(self.folder(tmp_path)).photos
        whole = load_faces(FoundPhotos(photos), Preparation(already_cropped=True))
        assert [photo.placement for photo in whole.index.photos] == [WHOLE, WHOLE]
        marked = Placement(None, "by hand")
        one = load_faces(FoundPhotos((replace(photos[1], placement=marked),)), Preparation())
        assert one.index.photos[0].placement == marked
        np.testing.assert_array_equal(one.pixels[0], whole.pixels[1])

    def test_what_is_said_holds_where_faces_are_cropped_already(self, tmp_path: Path) -> None:
        said = replace(find_photos(self.folder(tmp_path)).photos[1], placement=Placement(EYES))
        faces = load_faces(FoundPhotos((said,)), Preparation(already_cropped=True))
        assert faces.index.photos[0].placement == Placement(EYES)

    def test_no_face_is_listed(self, tmp_path: Path) -> None:
        save(tmp_path / "noise.png", 200, 200)
        faces = load_faces(find_photos(tmp_path), Preparation())
        assert len(faces) == 0
        assert faces.skipped[0].reason.startswith("No face was found in it.")
