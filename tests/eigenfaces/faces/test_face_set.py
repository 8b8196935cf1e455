"""Sets of faces: rows of crops, and their photographs."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.faces.face_set import Crops, PhotoIndex, count_faces, crop_hash
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.space.pca import as_grey

LEVELS = np.random.default_rng(0).integers(0, 256, (7, 12), np.uint8)


class TestCrops:
    def test_every_grey_level_is_the_float32_nearest_to_its_share(self) -> None:
        levels = np.arange(256, dtype=np.uint8)
        grey = as_grey(levels)
        np.testing.assert_array_equal(grey, (levels / np.float64(255)).astype(np.float32))
        assert crop_hash(grey) == sha256(levels.tobytes()).hexdigest()

    @pytest.mark.parametrize("rows", [None, [3, 1, 3, 6, 0, 2, 5]])
    @pytest.mark.parametrize("which", [3, slice(2, 5), [4, 0, 4], slice(None), np.arange(7) > 4])
    def test_any_rows_are_read_as_from_the_whole(
        self, which: object, rows: list[int] | None
    ) -> None:
        """Held as bytes or computed, and chosen from others: these stay where they are."""
        levels = LEVELS if rows is None else LEVELS[rows]
        for source in (LEVELS.copy(), LEVELS / np.float32(255)):
            crops = Crops(source) if rows is None else Crops(source).select(rows)
            assert crops.source is source
            assert (len(crops), crops.shape) == (7, (7, 12))
            grey = crops[which]  # type: ignore[index]
            np.testing.assert_array_equal(grey, (levels / np.float32(255))[which])  # type: ignore[index]
            np.testing.assert_array_equal(crops.levels, levels.astype(np.float64))
            np.testing.assert_array_equal(
                crops.apply(lambda r: r[:, :5], at_once=3), crops[:][:, :5]
            )
            with pytest.raises(ValueError, match="read-only"):
                crops.source[2] = 0

    def test_joining_replaces_and_appends(self) -> None:
        joined = Crops(LEVELS[:3]).join(Crops(LEVELS[3:]), [2, 0], {1: 3})
        np.testing.assert_array_equal(joined.array, LEVELS[[0, 6, 2, 5, 3]])
        with pytest.raises(ValueError, match="cannot be mixed"):
            joined.join(Crops(LEVELS / np.float32(255)), [0], {})


class TestPhotoIndex:
    photo = FacePhoto(Photograph(Path("Sea/ada.jpg"), "5f", (90, 120)), "Ada")
    index = PhotoIndex(
        (
            photo,
            replace(photo, number=2, person=None, excluded=True),
            FacePhoto(Photograph(Path("Sea/2.jpg"), "6a", (90, 120)), "Bob"),
        )
    )

    def test_rows_by_who_and_what(self) -> None:
        assert self.index.people == ("Ada", "Bob")
        assert (self.index.rows_of(None), self.index.rows_of("Eve")) == ([1], [])
        assert (self.index.row_of(FaceId("6a")), self.index.row_of(FaceId("7b"))) == (2, None)
        assert (self.index.included, self.index.enrolled) == ((0, 2), (0, 2))
        guess = replace(self.photo, placement=Placement(source="guess"))
        assert self.index.with_photos({FaceId("5f"): guess}).guesses == (guess,)

    def test_words(self) -> None:
        assert self.index.people_like("ada") == ["Ada"]
        assert self.index.people_like("2.J") == ["Bob"]
        assert (self.index.words, self.index.words_of([2])) == ("3 faces in 2 photos", "1 photo")
        assert count_faces([]) == "0 photos"

    def test_what_a_person_confirmed_holds_where_the_face_stays(self) -> None:
        right = replace(self.photo, right=True)
        assert right.cut_again(replace(self.photo, crop="c")).right
        eyes = Placement(Eyes((1, 1), (9, 1)))
        moved = right.cut_again(replace(self.photo, placement=eyes, person=None))
        assert (moved.right, moved.person, moved.placement) == (False, "Ada", eyes)


class TestFaceSet:
    def test_shape_is_height_and_width(self) -> None:
        """92 × 112 and 112 × 92 have as many pixels."""
        tall = FaceSet.from_arrays(np.zeros((1, 20, 30)), ["Ada"])
        wide = FaceSet.from_arrays(np.zeros((1, 30, 20)), ["Ada"])
        with pytest.raises(EigenfacesError, match="30 × 20 and of 20 × 30"):
            tall.join(wide)
        with pytest.raises(ValueError, match="does not fit"):
            FaceSet(Crops(np.zeros((2, 5), np.uint8)), (2, 2), PhotoIndex())

    def test_arrays_that_are_no_faces(self) -> None:
        for images, people in (
            (np.zeros((2, 20, 20)), ["Ada"]),
            (np.full((1, 20, 20), np.nan), ["Ada"]),
            (np.full((1, 20, 20), 200.0), ["Ada"]),
            ([[[0.5, 0.5], [0.5]]], ["Ada"]),
            ([None], ["Ada"]),
            ([np.zeros((20, 16)), np.zeros((20, 17))], ["Ada"] * 2),
        ):
            with pytest.raises(EigenfacesError):
                FaceSet.from_arrays(images, people)

    def test_people_rows_and_images(self) -> None:
        source = np.full((4, 20, 16), 0.3)
        faces = FaceSet.from_arrays(source, ["Zoë", None, "Ada", "Zoë"])
        source[:] = 0  # it is not theirs, and kept in whole levels
        assert (faces.levels == np.rint(0.3 * 255)).all()
        assert faces.index.people == ("Zoë", "Ada")
        assert faces.image(2).shape == (20, 16)
        assert faces.select([3, 0]).index.photos == (faces.index.photos[3], faces.index.photos[0])

    def test_join_keeps_the_first_of_a_photo_in_both(self) -> None:
        faces = FaceSet.from_arrays(np.random.default_rng(0).random((4, 20, 16)), list("abcd"))
        other = replace(faces.index.photos[1], person="somebody else")
        joined = faces.select([0, 1]).join(faces.with_photos({other.id: other}))
        assert joined.index.photos == faces.index.photos
        assert np.array_equal(joined.pixels.array, faces.pixels.array)
        assert len(FaceSet.empty((20, 16)).join(faces)) == 4
