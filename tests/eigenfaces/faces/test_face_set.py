"""Crops of one size by a visible policy; sets of faces."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, FaceSet, Preparation
from eigenfaces.faces.face_set import Crops, PhotoIndex, as_levels, crop_hash
from eigenfaces.space.pca import as_grey

sides = st.integers(16, 700)
sizes = st.tuples(st.integers(16, 512), st.integers(16, 512))


def grey(height: int, width: int, seed: int = 0) -> np.ndarray:
    levels = np.random.default_rng(seed).integers(0, 256, (height, width))
    return (levels / 255).astype(np.float32)


class TestCrop:
    @given(sides, sides, sizes, st.sampled_from(["fill", "fit", "stretch"]))
    def test_any_size_becomes_the_size(
        self, height: int, width: int, size: tuple[int, int], fit: str
    ) -> None:
        crop = Preparation(*size, fit, already_cropped=True).crop(
            np.full((height, width), 0.5, np.float32)
        )
        assert crop.shape == size
        assert crop.dtype == np.float32
        np.testing.assert_allclose(crop, 0.5, atol=1 / 255)

    @given(sides, sides, st.integers(0, 99))
    def test_grey_levels_are_whole(self, height: int, width: int, seed: int) -> None:
        crop = Preparation(24, 20, already_cropped=True).crop(grey(height, width, seed))
        assert crop.min() >= 0
        assert crop.max() <= 1
        levels = np.rint(crop * 255)
        assert np.array_equal(crop, levels.astype(np.uint8) / np.float32(255))

    @pytest.mark.parametrize("fit", ["fill", "fit", "stretch"])
    def test_the_right_size_comes_through_unchanged(self, fit: str) -> None:
        photo = grey(112, 92)
        assert np.array_equal(Preparation(112, 92, fit, already_cropped=True).crop(photo), photo)

    def test_fill_cuts_what_sticks_out(self) -> None:
        photo = np.full((32, 96), 0.5, np.float32)
        photo[:, :30], photo[:, -30:] = 0, 1
        assert (
            Preparation(32, 32, "fill", already_cropped=True).crop(photo)[:, 4:-4]
            == np.float32(128 / 255)
        ).all()

    def test_fit_shows_all_on_mid_grey(self) -> None:
        crop = Preparation(64, 64, "fit", already_cropped=True).crop(np.ones((32, 64), np.float32))
        assert (crop[:16] == np.float32(128 / 255)).all()
        assert (crop[16:48] == 1).all()
        assert (crop[48:] == np.float32(128 / 255)).all()

    def test_stretch_shows_all_distorted(self) -> None:
        photo = np.zeros((32, 96), np.float32)
        photo[:, 48:] = 1
        crop = Preparation(32, 32, "stretch", already_cropped=True).crop(photo)
        assert (crop[:, :12] == 0).all()
        assert (crop[:, 20:] == 1).all()

    @pytest.mark.parametrize("fit", ["fill", "fit", "stretch"])
    def test_extreme_shapes(self, fit: str) -> None:
        for shape in ((16, 20_000), (20_000, 16)):
            assert Preparation(32, 24, fit, already_cropped=True).crop(
                np.zeros(shape, np.float32)
            ).shape == (32, 24)

    @pytest.mark.parametrize("values", [(15, 92), (112, 513), (0, 0)])
    def test_sizes_are_checked(self, values: tuple[int, int]) -> None:
        with pytest.raises(EigenfacesError, match="16 to 512"):
            Preparation(*values, already_cropped=True)
        with pytest.raises(EigenfacesError, match="aspect policy"):
            Preparation(fit="cover", already_cropped=True)  # type: ignore[arg-type]


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
        """Trap 30: 92 × 112 and 112 × 92 have as many pixels."""
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

    def test_pixels_are_read_only_and_whole_levels(self) -> None:
        source = np.random.default_rng(0).random((3, 20, 16))
        faces = FaceSet.from_arrays(source, ["Ada", None, "Ada"])
        source[:] = 0
        assert faces.pixels[:].max() > 0.9
        with pytest.raises(ValueError, match="read-only"):
            faces.pixels.source[0] = 0
        assert np.array_equal(faces.levels, np.rint(faces.levels))
        np.testing.assert_allclose(faces.levels / 255, faces.pixels[:], rtol=1e-6)

    def test_people_rows_and_images(self) -> None:
        faces = FaceSet.from_arrays(np.zeros((4, 20, 16)), ["Zoë", None, "Ada", "Zoë"])
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
