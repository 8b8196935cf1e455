"""Sets of faces: rows of crops, and their photographs."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.faces.face_set import Crops, PhotoIndex, as_levels, crop_hash
from eigenfaces.space.pca import as_grey


class TestCrops:
    LEVELS = np.random.default_rng(0).integers(0, 256, (7, 12), np.uint8)

    def test_every_grey_level_is_the_float32_nearest_to_its_share(self) -> None:
        every = np.arange(256, dtype=np.uint8)
        grey = as_grey(every)
        assert grey.dtype == np.float32
        np.testing.assert_array_equal(grey, (every / np.float64(255)).astype(np.float32))
        np.testing.assert_array_equal(as_levels(grey), every)
        assert crop_hash(grey) == sha256(every.tobytes()).hexdigest()

    @pytest.mark.parametrize("of", [None, [3, 1, 3, 6, 0, 2, 5]])
    @pytest.mark.parametrize("which", [3, slice(2, 5), [4, 0, 4], slice(None), np.arange(7) > 4])
    def test_any_rows_are_read_as_from_the_whole(self, which: object, of: list[int] | None) -> None:
        """Held as bytes or computed, and chosen from others: these stay where they are."""
        levels = self.LEVELS if of is None else self.LEVELS[of]
        for source in (self.LEVELS.copy(), self.LEVELS / np.float32(255)):
            crops = Crops(source) if of is None else Crops(source).select(of)
            assert crops.source is source
            assert (len(crops), crops.shape) == (7, (7, 12))
            assert crops[which].dtype == np.float32  # type: ignore[index]
            np.testing.assert_array_equal(crops[which], (levels / np.float32(255))[which])  # type: ignore[index]
            np.testing.assert_array_equal(crops.levels, levels.astype(np.float64))
            with pytest.raises(ValueError, match="read-only"):
                crops.source[2] = 0

    def test_rows_are_turned_some_at_a_time(self) -> None:
        seen, crops = list[int](), Crops(self.LEVELS)

        def halved(rows: np.ndarray) -> np.ndarray:
            seen.append(len(rows))
            return rows[:, :5] / 2

        np.testing.assert_array_equal(crops.each(halved, at_once=3), crops[:][:, :5] / 2)
        assert max(seen) == 3
        assert crops.select([]).each(halved).shape == (0, 5)

    def test_joining_replaces_and_appends(self) -> None:
        joined = Crops(self.LEVELS[:3]).join(Crops(self.LEVELS[3:]), [2, 0], {1: 3})
        np.testing.assert_array_equal(joined.held, self.LEVELS[[0, 6, 2, 5, 3]])
        with pytest.raises(ValueError, match="cannot be mixed"):
            joined.join(Crops(self.LEVELS / np.float32(255)), [0], {})


class TestFaceSet:
    def test_shape_is_height_and_width(self) -> None:
        """92 × 112 and 112 × 92 have as many pixels."""
        tall = FaceSet.from_arrays(np.zeros((1, 20, 30)), ["Ada"])
        wide = FaceSet.from_arrays(np.zeros((1, 30, 20)), ["Ada"])
        with pytest.raises(EigenfacesError, match="30 × 20 and of 20 × 30"):
            tall.join(wide)

    def test_arrays_that_are_no_faces(self) -> None:
        for images, people in (
            (np.zeros((2, 20, 20)), ["Ada"]),
            (np.zeros((20, 20)), ["Ada"]),
            (np.full((1, 20, 20), np.nan), ["Ada"]),
            (np.full((1, 20, 20), 200.0), ["Ada"]),
            (np.full((1, 20, 20), -0.1), ["Ada"]),
            ([[[0.5, 0.5], [0.5]]], ["Ada"]),
            ([None], ["Ada"]),
            (iter(np.zeros((1, 20, 20))), ["Ada"]),
        ):
            with pytest.raises(EigenfacesError):
                FaceSet.from_arrays(images, people)

    @pytest.mark.parametrize("shape", [(20, 17), (16, 20), (20, 16, 3)])
    def test_which_image_is_of_another_size(self, shape: tuple[int, ...]) -> None:
        images = [np.zeros((20, 16)), np.zeros((20, 16)), np.zeros(shape)]
        with pytest.raises(EigenfacesError, match=r"^Image 3 has the shape .*first \(20, 16\)"):
            FaceSet.from_arrays(images, ["Ada"] * 3)

    def test_people_rows_and_images(self) -> None:
        source = np.full((4, 20, 16), 0.3)
        faces = FaceSet.from_arrays(source, ["Zoë", None, "Ada", "Zoë"])
        source[:] = 0  # it is not theirs, and kept in whole levels
        assert (faces.levels == np.rint(0.3 * 255)).all()
        assert faces.index.people == ("Zoë", "Ada")
        assert faces.index.rows_of("Zoë") == [0, 3]
        assert faces.index.rows_of(None) == [1]
        assert faces.image(2).shape == (20, 16)
        assert faces.select([3, 0]).index.photos == (faces.index.photos[3], faces.index.photos[0])
        assert len(faces.select([])) == 0

    def test_join_keeps_the_first_of_a_photo_in_both(self) -> None:
        faces = FaceSet.from_arrays(np.random.default_rng(0).random((4, 20, 16)), list("abcd"))
        moved = faces.with_photos(
            {faces.index.photos[1].key: replace(faces.index.photos[1], person="somebody else")}
        )
        joined = faces.select([0, 1]).join(moved)
        assert joined.index.photos == faces.index.photos
        assert np.array_equal(joined.pixels.held, faces.pixels.held)
        assert len(FaceSet.empty((20, 16)).join(faces)) == 4

    def test_pixels_must_fit(self) -> None:
        with pytest.raises(ValueError, match="does not fit"):
            FaceSet(Crops(np.zeros((2, 5), np.uint8)), (2, 2), PhotoIndex())
