"""The face map of a scene: by brute force the same, faces found where they were put, no walls."""

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.arrays import Doubles, Floats
from eigenfaces.errors import Cancelled
from eigenfaces.faces.alignment import standard_eyes
from eigenfaces.laboratory.scene.scene_map import (
    SIZES,
    SceneMap,
    agreement,
    noise,
    reduced_scene,
    scene_map,
)
from eigenfaces.laboratory.scene.window_space import Light, WindowSpace, lit, reduced
from eigenfaces.photographs.placement import Eyes

SHAPE = (24, 20)
LIGHTS = pytest.mark.parametrize("light", ["edges", "grey"])


def drawn_faces(rng: np.random.Generator, count: int) -> Floats:
    """Return ovals with two dark eyes and a mouth, each a little otherwise, in their own light."""
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]] + 0.5
    faces = np.empty((count, *SHAPE), np.float32)
    for number in range(count):
        step = rng.uniform(-0.7, 0.7, 6)

        def spot(x: float, y: float, wide: float, high: float) -> Doubles:
            return np.exp(-(((columns - x) / wide) ** 2) - ((rows - y) / high) ** 2)

        face = 0.75 * spot(10, 12, 10 + step[0], 12 + step[1])
        face -= 0.5 * spot(6 + step[2], 9, 2, 1.5) + 0.5 * spot(14 - step[2], 9, 2, 1.5)
        face -= 0.35 * spot(10, 17.5 + step[3], 3.5 + step[4], 1.2)
        face += rng.normal(0.15 + 0.05 * step[5], 0.03, SHAPE)
        faces[number] = np.clip(face, 0, 1)
    return faces


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    images = drawn_faces(np.random.default_rng(4), 30)
    return FaceSet.from_arrays(images, [f"Person {number // 3}" for number in range(30)])


@pytest.fixture(scope="module", params=["edges", "grey"])
def space(request: pytest.FixtureRequest, faces: FaceSet) -> WindowSpace:
    return WindowSpace.fit(faces, standard_eyes(SHAPE), light=request.param, components=6)


def clouds(shape: tuple[int, int], seed: int = 7) -> Floats:
    """Return a background with as much contrast as the faces have."""
    small = np.random.default_rng(seed).random((shape[0] // 4 + 1, shape[1] // 4 + 1))
    return np.kron(small, np.ones((4, 4)))[: shape[0], : shape[1]].astype(np.float32)


def with_face(scene: Floats, face: Floats, row: int, column: int) -> Floats:
    """Return the scene with a face there, its border repeated: what is beside it goes on."""
    planted, (height, width) = scene.copy(), face.shape
    border = 6
    planted[row - border : row + height + border, column - border : column + width + border] = (
        np.pad(face, border, mode="edge")
    )
    return planted


def by_hand(space: WindowSpace, grey: Floats, flat: float) -> Doubles:
    """Return the distance of every window, one after the other, from the definition."""
    (height, width), (rows, columns) = space.shape, grey.shape
    seen = lit(grey[None], space.light)[0]
    found = np.full((rows - height + 1, columns - width + 1), np.nan)
    for row, column in np.ndindex(*found.shape):
        place = np.s_[row : row + height, column : column + width]
        if grey[place][space.inside].astype(np.float64).std() > flat:
            vector = space.vector(seen[place])
            found[row, column] = np.linalg.norm(vector - space.reconstruct(vector))
    return found


def test_correlations_give_what_brute_force_gives(space: WindowSpace) -> None:
    scene = clouds((61, 47))
    scene[:30, :30] = 0.4  # some windows show nothing
    found = scene_map(scene, space)
    assert len(found.sizes) > 4
    for one in found.sizes:
        wanted = by_hand(space, one.grey, found.flat)
        np.testing.assert_array_equal(np.isnan(one.distances), np.isnan(wanted))
        np.testing.assert_allclose(one.distances, wanted, atol=1e-6)


def test_contrasts_are_standard_deviations_under_the_oval(space: WindowSpace) -> None:
    found = scene_map(clouds((40, 40)), space)
    one = found.sizes[0]
    part = one.grey[5 : 5 + SHAPE[0], 9 : 9 + SHAPE[1]][space.inside]
    assert one.contrasts[5, 9] == pytest.approx(part.std(), abs=1e-6)


def test_a_planted_face_is_the_minimum_and_its_eyes_lie_there(space: WindowSpace) -> None:
    face = drawn_faces(np.random.default_rng(99), 1)[0]
    found = scene_map(with_face(clouds((90, 110)), face, 31, 52), space)
    best = found.nearest()[0]
    assert best.distance == pytest.approx(np.nanmin([np.nanmin(s.distances) for s in found.sizes]))
    assert abs(best.middle - complex(52 + 10, 31 + 12)) <= 1.5
    eyes = standard_eyes(SHAPE)
    true = Eyes.at(eyes.middle + complex(52, 31), eyes.across)
    assert agreement(found.nearest(), [true]) == (0,)
    assert agreement([], [true]) == (None,)
    assert agreement(found.nearest()[:1], [true.scaled(2)]) == (None,)


def test_a_face_twice_as_large_is_found_at_the_double_size(space: WindowSpace) -> None:
    face = drawn_faces(np.random.default_rng(99), 1)[0]
    large = reduced(face, (2 * SHAPE[0], 2 * SHAPE[1]))
    found = scene_map(with_face(clouds((120, 140)), large, 40, 60), space)
    best = found.nearest()[0]
    assert best.size == SIZES
    assert found.width(best.size) == pytest.approx(2 * SHAPE[1], rel=0.02)
    assert abs(best.middle - complex(60 + 20, 40 + 24)) <= 3


def test_brightness_and_contrast_of_a_place_do_not_matter(faces: FaceSet) -> None:
    space = WindowSpace.fit(faces, standard_eyes(SHAPE), light="grey", components=6)
    scene = clouds((50, 50))
    one, other = (scene_map(each, space) for each in (scene, 0.3 * scene + np.float32(0.2)))
    np.testing.assert_allclose(one.sizes[0].distances, other.sizes[0].distances, atol=1e-5)


@pytest.mark.parametrize("grain", [0.0, 0.012])
def test_a_flat_wall_is_never_near_faces(space: WindowSpace, grain: float) -> None:
    rng = np.random.default_rng(2)
    scene = clouds((90, 120))
    scene[:, :70] = 0.6
    scene += rng.normal(0, grain, scene.shape).astype(np.float32)
    found = scene_map(scene, space)
    wall = found.over((90, 120))[12:-12, 12:55]
    for one in range(SIZES):  # windows up to twice as large lie on the wall alone
        assert np.isnan(found.sizes[one].distances[:, :8]).all()
    assert np.isnan(found.at(20 + 45j, 0).distance)  # type: ignore[union-attr]
    assert not any(window.middle.real < 45 and window.width < 40 for window in found.nearest())
    assert np.isnan(wall[:, :2]).all()


def test_noise_is_measured_and_a_slope_is_none() -> None:
    rng = np.random.default_rng(0)
    slope = np.linspace(0, 1, 200)[None] + np.linspace(0, 0.5, 150)[:, None]
    assert noise(slope.astype(np.float32)) < 1e-6
    grainy = slope + rng.normal(0, 0.02, slope.shape)
    assert noise(grainy.astype(np.float32)) == pytest.approx(0.02, rel=0.05)


@pytest.fixture(scope="module")
def scene(faces: FaceSet) -> SceneMap:
    space = WindowSpace.fit(faces, standard_eyes(SHAPE), components=6)
    return scene_map(clouds((70, 90)), space, extent=(140, 180))


def test_the_map_over_the_photograph_is_the_best_of_all_sizes(scene: SceneMap) -> None:
    shape = (35, 45)
    each = np.stack([scene.over(shape, size) for size in range(len(scene.sizes))])
    with np.errstate(all="ignore"):
        best = np.fmin.reduce(each)
    np.testing.assert_array_equal(scene.over(shape), best)
    assert np.isnan(best[0]).all()  # no window fits around the border
    for row, column in ((10, 20), (17, 22), (25, 30)):
        window = scene.at(complex((column + 0.5) * 4, (row + 0.5) * 4))
        assert window is not None
        assert window.distance == best[row, column]


def test_a_window_is_where_it_says(scene: SceneMap) -> None:
    window = scene.at(90 + 70j, 0)
    assert window is not None
    assert abs(window.middle - (90 + 70j)) <= 2
    assert window.width == pytest.approx(2 * SHAPE[1])
    seen, nearest = scene.seen(window)
    assert np.linalg.norm(seen - nearest) == pytest.approx(window.distance, abs=1e-6)
    for size, one in enumerate(scene.sizes):  # at the border, too, and where edges reach beyond
        for row, column in ((0, 0), tuple(np.array(one.distances.shape) - 1), (3, 4)):
            if row < one.distances.shape[0] and column < one.distances.shape[1]:
                there = scene.window(size, int(row), int(column))
                apart = np.linalg.norm(np.subtract(*scene.seen(there)))
                assert apart == pytest.approx(there.distance, abs=1e-6)
    assert np.linalg.norm(seen) == pytest.approx(1)
    assert scene.at(1 + 1j) is None


def test_nearest_places_do_not_overlap_and_keep_to_the_limit(scene: SceneMap) -> None:
    found = scene.nearest()
    distances = [window.distance for window in found]
    assert distances == sorted(distances)
    assert all(distance <= scene.space.limit for distance in distances)
    for number, one in enumerate(found):
        for other in found[:number]:
            assert abs(one.middle - other.middle) > 0.5 * max(one.width, other.width)


def test_it_can_be_stopped_and_says_how_far_it_is(space: WindowSpace) -> None:
    ticks: list[tuple[int, int]] = []
    scene_map(clouds((40, 40)), space, lambda *at: ticks.append(at))
    assert ticks == sorted(ticks)
    assert ticks[-1][0] == ticks[-1][1]

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        scene_map(clouds((40, 40)), space, stop)


def test_a_photograph_smaller_than_a_window_is_refused(space: WindowSpace) -> None:
    with pytest.raises(EigenfacesError, match="20 × 24 pixels of a window"):
        scene_map(clouds((23, 60)), space)


def test_a_large_photograph_is_reduced() -> None:
    assert reduced_scene(clouds((300, 1000))).shape == (240, 800)
    small = clouds((30, 40))
    assert reduced_scene(small) is small


@LIGHTS
def test_own_faces_held_out_keep_to_the_limit(faces: FaceSet, light: Light) -> None:
    """Few faces of new people are farther than the limit; scenes are."""
    space = WindowSpace.fit(faces, standard_eyes(SHAPE), light=light, components=6)
    fresh = drawn_faces(np.random.default_rng(12), 200)
    vectors = [space.vector(each) for each in lit(fresh, light)]
    far = np.array([np.linalg.norm(each - space.reconstruct(each)) for each in vectors])
    assert (far <= space.limit).mean() > 0.9
    np.testing.assert_allclose(space.components.sum(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(space.components @ space.components.T, np.eye(6), atol=1e-9)


def test_a_gallery_of_one_face_has_no_such_space() -> None:
    one = FaceSet.from_arrays([np.full(SHAPE, 0.5)] * 3, ["A", "B", "C"])
    with pytest.raises(EigenfacesError, match="two different faces"):
        WindowSpace.fit(one, standard_eyes(SHAPE))
    same = FaceSet.from_arrays([drawn_faces(np.random.default_rng(1), 1)[0]] * 2, ["A", "B"])
    with pytest.raises(EigenfacesError, match="two different faces"):
        WindowSpace.fit(same, standard_eyes(SHAPE))


def test_components_beyond_the_rank_are_left_out(faces: FaceSet) -> None:
    few = faces.select([0, 3, 6])
    assert len(WindowSpace.fit(few, standard_eyes(SHAPE))) == 2
    alone = faces.select([0, 1, 2])  # one person: photographs are held out
    assert len(WindowSpace.fit(alone, standard_eyes(SHAPE))) == 2
