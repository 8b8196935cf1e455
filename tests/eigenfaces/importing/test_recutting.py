"""Faces cut anew: each where it lies, and in a gallery of crops to the frame that these have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from eigenfaces import FaceSet, Preparation
from eigenfaces.faces.crop_frame import CropFrame
from eigenfaces.faces.face_set import FacePhoto, as_levels, crop_hash
from eigenfaces.faces.prepare import crop_at
from eigenfaces.importing.load import cut_again
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.photos import WHOLE, Eyes, Placement


class TestCutAgain:
    def test_several_faces_of_one_photograph_keep_their_places(self, tmp_path: Path) -> None:
        """Two faces of a group have one file, and keys of their own."""
        levels = np.random.default_rng(0).integers(0, 256, (200, 300), np.uint8)
        path = tmp_path / "group.png"
        Image.fromarray(levels).save(path)
        key = content_hash(path.read_bytes())
        eyes = [Eyes((80.0, 90.0), (110.0, 90.0)), Eyes((190.0, 80.0), (220.0, 84.0))]
        faces = [
            FacePhoto(path, name, f"{key}{mark}", (200, 300), placement=Placement(where))
            for name, mark, where in zip("AB", ("", "-2"), eyes, strict=True)
        ]
        small = Preparation(32, 24)
        again = cut_again([(face, face.placement) for face in faces], small)
        crops = [crop_hash(face) for face in again.pixels[:]]
        assert again.index.photos == tuple(
            replace(face, crop=crop) for face, crop in zip(faces, crops, strict=True)
        )
        for row, where in enumerate(eyes):
            crop = crop_at(levels / np.float32(255), where, (32, 24))
            np.testing.assert_allclose(again.image(row), np.clip(crop, 0, 1), atol=0.6 / 255)

    def test_what_has_changed_is_not_taken_for_the_same(self, tmp_path: Path) -> None:
        path = tmp_path / "face.png"
        Image.new("L", (40, 40), 90).save(path)
        face = FacePhoto(path, "A", content_hash(b"what it was"), (40, 40))
        again = cut_again([(face, face.placement)], Preparation(already_cropped=True))
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
        again = cut_again(wanted, Preparation(56, 46, already_cropped=True))
        names = [photo.path.stem for photo in again.index.photos]
        assert sorted(names) == sorted(photo.path.stem for photo, _ in wanted)
        by_itself, on_photo = (again.image(names.index(name)) for name in ("10", "photo"))
        standard = Preparation(56, 46).crop(np.asarray(pasted) / np.float32(255), eyes)
        assert np.abs(on_photo - by_itself).mean() < 0.03
        assert np.abs(standard - by_itself).mean() > 0.06


def described(path: Path, size: tuple[int, int]) -> FacePhoto:
    return FacePhoto(path, "A", content_hash(path.read_bytes()), size)
