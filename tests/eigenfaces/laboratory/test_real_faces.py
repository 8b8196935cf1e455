"""Real faces around a synthetic one: nearest, radii and words against their definitions."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import EigenfacesError, Gallery, Preparation, Recipe
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace, pictured_otherwise
from tests.synthetic import gallery as synthetic_gallery
from tests.synthetic import people, small_gallery


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    """Six people with four photographs each, ten components kept; the fifth photo is excluded."""
    made = small_gallery()
    return made.exclude([made.index.photos[4].key])


@pytest.fixture(scope="module")
def real(gallery: Gallery) -> RealFaces:
    return RealFaces.of(gallery)


def faces(real: RealFaces, count: int) -> list[SyntheticFace]:
    rng = np.random.default_rng(7)
    return [SyntheticFace.random(real.space, rng) for _ in range(count)]


def test_the_nearest_are_those_of_a_search_through_all(real: RealFaces) -> None:
    for face in faces(real, 50):
        all_of_them = np.linalg.norm(
            real.known[real.rows].astype(np.float64) - face.coordinates, axis=1
        )
        found = real.nearest(face, 7)
        wanted = np.argsort(all_of_them, kind="stable")[:7]
        assert [each.row for each in found] == real.rows[wanted].tolist()
        np.testing.assert_allclose([e.distance for e in found], all_of_them[wanted], rtol=1e-9)
        assert [each.photo for each in found] == [real.photos[i] for i in wanted]


def test_no_more_are_listed_than_there_are_and_none_that_is_excluded(
    gallery: Gallery, real: RealFaces
) -> None:
    found = real.nearest(SyntheticFace.mean(real.space), 1000)
    assert len(found) == 23 == len({each.row for each in found})
    assert gallery.index.photos[4] not in [each.photo for each in found]


def test_radii_are_mahalanobis_distances_by_the_root_of_k(
    gallery: Gallery, real: RealFaces
) -> None:
    assert len(real.space) == gallery.shown_k == 10
    for i, coordinates in enumerate(real.known[real.rows]):
        face = SyntheticFace.at(real.space, coordinates)
        assert real.radii[i] == pytest.approx(face.radius / np.sqrt(10))
        assert real.radius(face) == pytest.approx(real.radii[i])


def test_the_usual_radii_hold_95_percent_and_name_what_lies_outside(real: RealFaces) -> None:
    low, high = real.usual
    inside = (real.radii >= low) & (real.radii <= high)
    assert inside.mean() >= 0.9
    assert not inside.all()
    for radius, word in ((low / 2, "smoother"), ((low + high) / 2, "as far"), (9, "caricature")):
        face = SyntheticFace.mean(real.space).moved(0, radius * np.sqrt(10))
        said = real.plausibility(face)
        assert word in said
        assert "23 faces that train" in said


def test_with_all_components_no_radius_is_usual(gallery: Gallery) -> None:
    trained = gallery.with_recipe(Recipe.of(components=1.0)).train()
    real = RealFaces.of(trained)
    assert len(real.space) == 22
    np.testing.assert_allclose(real.radii, real.radii[0], rtol=1e-3)
    assert real.usual is None
    assert "keep fewer, or more" in real.plausibility(SyntheticFace.mean(real.space))


def test_who_a_face_could_be_follows_from_how_far_a_person_is_from_themself(
    real: RealFaces,
) -> None:
    distances = []
    for i, photo in enumerate(real.photos):
        own = [j for j, other in enumerate(real.photos) if other.person == photo.person and j != i]
        between = real.coordinates(own).astype(np.float64) - real.coordinates(i)
        distances.append(np.linalg.norm(between, axis=1).min())
    np.testing.assert_allclose(real.apart, np.sort(distances), rtol=1e-5)
    (closest,) = real.nearest(SyntheticFace.at(real.space, real.coordinates(0)), 1)
    kind, said = real.likeness(closest)
    assert (kind, closest.distance) == ("itself", pytest.approx(0, abs=1e-5))
    assert "photo of Ada, rebuilt from 10 components" in said
    median, rare, most = np.quantile(distances, [0.5, 0.9, 1])
    for distance, kind, words in (
        (0.9 * median, "could be", "it could be Ada"),
        (rare, "hardly", "hardly Ada"),
        (1.1 * most, "nobody", "None of the photos lie"),
    ):
        told = real.likeness(replace(closest, distance=float(distance)))
        assert told[0] == kind
        assert words in told[1]
        assert f"(median {median:.3g})" in told[1]
    share = np.mean(np.array(distances) >= rare)
    assert (
        f"{100 * share:.0f} % of the photos"
        in real.likeness(replace(closest, distance=float(rare)))[1]
    )


def test_where_nobody_has_two_photos_nothing_says_how_near_is_near() -> None:
    single = synthetic_gallery(np.random.default_rng(1), count=8, photos=1)
    real = RealFaces.of(single, 4)
    (closest,) = real.nearest(SyntheticFace.mean(real.space), 1)
    assert real.likeness(closest)[0] == "unknown"
    assert not real.apart.size


def test_the_mean_of_a_person_is_the_mean_of_their_photos(
    gallery: Gallery, real: RealFaces
) -> None:
    rows = gallery.index.rows_of("Hedy")
    pixels = gallery.faces.pixels[rows].mean(axis=0)
    wanted = real.space.reconstruct(real.space.project(pixels)).reshape(24, 20)
    np.testing.assert_allclose(real.mean_of("Hedy").pixels, wanted, atol=1e-5)
    with pytest.raises(EigenfacesError, match="Nobody"):
        real.mean_of("Nobody")


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
def test_a_recipe_without_pictures_says_so_and_has_the_pixel_faces(name: str) -> None:
    several = people(np.random.default_rng(2), 7, 5, shape=(48, 48), spread=0.02)
    made = Gallery(several, Preparation(48, 48, already_cropped=True), Recipe.of(name)).train()
    assert f"The recipe {name} compares what has no picture" in pictured_otherwise(made)
    real = RealFaces.of(made)
    assert real.space.shape == (48, 48)
    assert real.space.kept[-1] >= 0.95 > real.space.kept[-2]
    assert pictured_otherwise(small_gallery()) == ""


def test_a_gallery_whose_photos_are_all_excluded_is_a_sentence(gallery: Gallery) -> None:
    nothing = gallery.exclude([photo.key for photo in gallery.index.photos])
    with pytest.raises(EigenfacesError, match="No photo in the gallery trains"):
        RealFaces.of(nothing)
    last = nothing.exclude([gallery.index.photos[7].key], excluded=False)
    real = RealFaces.of(last)
    (only,) = real.nearest(SyntheticFace.mean(real.space), 7)
    assert only.row == 7
    assert real.usual is None


def test_a_face_needs_a_component(gallery: Gallery) -> None:
    with pytest.raises(EigenfacesError, match="at least one"):
        RealFaces.of(gallery, 0)
    with pytest.raises(EigenfacesError, match="has 23 components, not 24"):
        RealFaces.of(gallery, 24)


def test_of_very_many_faces_some_are_asked_and_the_words_say_so(
    gallery: Gallery, real: RealFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eigenfaces.laboratory.synthesis._ASKED", 10)
    some = RealFaces.of(gallery)
    assert len(some.radii) == 10
    assert {*some.radii.tolist()} < {*real.radii.tolist()}
    mean = SyntheticFace.mean(some.space)
    assert "10 faces drawn of the 23 faces that train have" in some.plausibility(mean)
    assert 10 <= len(some.apart) < len(real.apart)
    assert {*some.apart.tolist()} < {*real.apart.tolist()}
    far = replace(some.nearest(mean, 1)[0], distance=float(np.median(some.apart)))
    assert f"of {len(some.apart)} photos lie" in some.likeness(far)[1]


def test_no_coordinates_are_copied() -> None:
    every = small_gallery()
    some = every.exclude([every.index.photos[3].key], True)
    for gallery in (every, some):
        made = RealFaces.of(gallery)
        assert np.shares_memory(made.known, gallery.trained.coordinates)
    third_and_fifth = some.trained.coordinates[[2, 4], : len(made.space)]
    np.testing.assert_array_equal(made.coordinates([2, 3]), third_and_fifth)
    assert RealFaces.of(every).photos is every.index.photos
