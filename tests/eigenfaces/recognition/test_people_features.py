"""Discriminant and Texture as recipes: one table, gallery and evaluation alike, few people."""

import numpy as np
import pytest
from synthetic import people as clusters

from eigenfaces import FaceSet, Gallery, Preparation, Recipe, Setting, evaluate, identify
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.recognition.lighting import even_light
from eigenfaces.recognition.people_features import PeopleFeatures, numbered
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.texture_blocks import BLOCKS, texture_blocks
from eigenfaces.recognition.verdict import consistency, identify_all
from eigenfaces.space.arrays import Floats
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.people_axes import leave_means_out

NAMES = ("Discriminant", "Texture")


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> FaceSet:
    """Eight people × six photographs."""
    return att.select([10 * person + photo for person in range(8) for photo in range(6)])


def trained(faces: FaceSet, name: str) -> Gallery:
    preparation = Preparation(*faces.shape, already_cropped=True)
    return Gallery(faces, preparation, RECIPES[name]).train()


def cosines(a: Floats, b: Floats) -> Floats:
    lengths = np.linalg.norm(a, axis=-1)[:, None] * np.linalg.norm(b, axis=-1)
    return a.astype(float) @ b.T.astype(float) / lengths


def test_recipes_are_told_by_name_and_go_there_and_back() -> None:
    assert list(RECIPES) == ["Eigenfaces", *NAMES]
    for name, recipe in RECIPES.items():
        assert Recipe.of(**recipe.record) == recipe == Recipe.of(name)
        assert recipe.changed(distance="L1") != recipe
    assert RECIPES["Texture"].refits(RECIPES["Discriminant"])


def test_discriminant_features_are_half_grey_half_equalised(faces: FaceSet) -> None:
    crops = faces.pixels[:3]
    found = RECIPES["Discriminant"].features.of(crops, faces.shape)
    even = even_light(crops.reshape(-1, *faces.shape), "equalised").reshape(crops.shape)
    np.testing.assert_allclose(found, crops / 2 + even / 2, atol=1e-6)


def test_texture_features_are_the_mean_over_a_face_and_its_mirror_image(faces: FaceSet) -> None:
    images = faces.pixels[:3].reshape(-1, *faces.shape)
    turned = np.ascontiguousarray(images[:, :, ::-1])
    found, again = (RECIPES["Texture"].features.of(each, faces.shape) for each in (images, turned))
    np.testing.assert_allclose(found, texture_blocks(images).mean(axis=0), atol=1e-6)
    # Sums over a mirror image are rounded in another order: a few patterns are others.
    assert (np.abs(found - again) > 1e-6).mean() < 1e-4


def test_that_says_what_enrolling_mirror_images_would(faces: FaceSet) -> None:
    """Of patterns exactly: a mirror image has the same ones in another order."""
    patterns = slice(0, sum(BLOCKS[:2]))
    images = faces.pixels[:].reshape(-1, *faces.shape)
    sides = RECIPES["Texture"].features.sides(images)  # type: ignore[attr-defined]
    own, turned = sides[:, :, patterns]
    who = numbered([photo.person for photo in faces.index.photos])
    both = np.stack([own, turned], axis=1).reshape(2 * len(who), -1)
    twice = DiscriminantSpace.fit(both, np.repeat(who, 2), "total", BLOCKS[:2])
    once = DiscriminantSpace.fit(own / 2 + turned / 2, who, "total", BLOCKS[:2])
    known, mirrored = (twice.project(both[at::2]) for at in (0, 1))
    assert np.abs(known - mirrored).max() < 1e-3 * np.abs(known).max()
    coordinates = once.project(own / 2 + turned / 2)
    apart = cosines(coordinates, coordinates) - cosines(known, known)
    assert np.abs(apart).max() < 0.02  # the ridge, a share of the mean variance, is another


@pytest.mark.parametrize("name", NAMES)
def test_a_gallery_answers_by_the_nearest_photo(faces: FaceSet, name: str) -> None:
    """The arithmetic written out, and the squares of the components' parts add up to it."""
    first = [row for row in range(len(faces)) if row % 6 < 4]
    probes = [row for row in range(len(faces)) if row % 6 >= 4]
    gallery = trained(faces.select(first), name)
    space, features = gallery.trained.representation, gallery.recipe.features
    known = gallery.trained.compared
    asked = space.project(features.of(faces.pixels[probes], faces.shape))
    assert known.shape == (len(first), 7)
    alike = cosines(asked, known)
    verdicts = identify_all(gallery, faces.pixels[probes])
    for row, verdict, line in zip(probes, verdicts, alike, strict=True):
        np.testing.assert_allclose(verdict.distances, np.sort(1 - line), atol=1e-5)
        assert verdict.closest.person == faces.index.photos[row].person


def test_a_mirrored_photograph_is_as_near_as_itself(faces: FaceSet) -> None:
    gallery = trained(faces, "Texture")
    mirrored = faces.image(20)[:, ::-1]
    for picture in (faces.image(20), mirrored):
        verdict = identify(gallery, np.ascontiguousarray(picture))
        assert verdict.rows[0] == 20
        assert verdict.distances[0] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_evaluated_as_a_gallery_answers(faces: FaceSet, name: str) -> None:
    """By one Gram matrix for all folds, the same as fitted to the fold's own photographs."""
    result = evaluate(faces, Setting(RECIPES[name], FirstPhotos(3)))
    first = np.flatnonzero(np.arange(len(faces)) % 6 < 3)
    gallery = trained(faces.select(first), name)
    assert result.searches is not None
    distances = result.searches.answer_distances
    for at, probe in enumerate(result.searches.probes):
        verdict = identify(gallery, faces.image(int(probe)))
        person = faces.index.people[result.searches.answers[at]]
        assert verdict.closest.person == person
        assert verdict.closest.distance == pytest.approx(distances[at], abs=1e-4)
    figure, by_k = result.figure("rank-1"), result.by_components
    assert figure is not None
    assert by_k is not None
    assert by_k.accuracy["cosine"][-1] == pytest.approx(figure.value)


@pytest.mark.parametrize("name", NAMES)
def test_the_space_of_a_fold_is_the_one_fitted_to_it(faces: FaceSet, name: str) -> None:
    train = np.flatnonzero(np.arange(len(faces)) % 6 < 4)
    fold = Spaces.of(faces, RECIPES[name]).fit(train)
    features = RECIPES[name].features
    people = [faces.index.photos[row].person for row in train]
    every = features.of(faces.pixels[:], faces.shape)
    space = features.fit(every[train], people, faces.shape)
    np.testing.assert_allclose(fold.variances, space.variances, rtol=1e-4)
    np.testing.assert_allclose(fold.kept, space.kept, rtol=1e-4)
    known = space.project(every)
    np.testing.assert_allclose(
        np.abs(fold.coordinates), np.abs(known), atol=1e-3 * np.abs(known).max()
    )
    coordinates, outside = space.in_and_from(every, len(space))
    wanted = (coordinates.astype(float) ** 2).sum(axis=1) + outside**2
    np.testing.assert_allclose(fold.squared_deviations, wanted, rtol=1e-3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("count", "photos"), [(1, 3), (2, 1), (2, 3), (3, 2), (5, 1)])
def test_few_people_are_told_too(att: FaceSet, name: str, count: int, photos: int) -> None:
    rows = [10 * person + photo for person in range(count) for photo in range(photos)]
    gallery = trained(att.select(rows), name)
    for row in rows:
        verdict = identify(gallery, att.pixels[row])
        assert verdict.closest.person == att.index.photos[row].person
        assert verdict.distances[0] == pytest.approx(0, abs=1e-5)
    apart = consistency(gallery, gallery.people[0])[1]
    assert np.isfinite(apart).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("count", "photos"), [(1, 2), (2, 1), (2, 3), (3, 2)])
def test_few_people_are_compared_in_the_whitened_space_as_a_whole(
    att: FaceSet, name: str, count: int, photos: int
) -> None:
    """S^−½ in all directions there are: what lies outside of those enrolled makes strangers far."""
    small = FaceSet.from_arrays(
        att.pixels[:].reshape(-1, *att.shape)[:, ::4, ::4], [p.person for p in att.index.photos]
    )
    gallery = trained(
        small.select([10 * who + at for who in range(count) for at in range(photos)]), name
    )
    space, features = gallery.trained.representation, gallery.recipe.features
    assert isinstance(features, PeopleFeatures)
    known, asked = (
        (features.of(faces, small.shape).astype(float) - space.mean) / space.scale
        for faces in (gallery.faces.pixels[:], small.pixels[8::25])
    )
    who = np.repeat(np.arange(count), photos)
    away = known.copy()
    if features.SCATTER == "within people" and photos > 1:
        leave_means_out(away, who)
    # c I + AᵀA, inverted on A's rows: the directions besides are left as they are.
    c = (away**2).sum() / 9 / (len(known) - 1)
    inner = np.linalg.inv(c * np.eye(len(known)) + away @ away.T)
    products = asked @ known.T - (asked @ away.T) @ inner @ (known @ away.T).T
    lengths = (np.sqrt(squares(faces, away, inner)) for faces in (asked, known))
    wanted = products / np.multiply.outer(*lengths)
    for verdict, cosines in zip(identify_all(gallery, small.pixels[8::25]), wanted, strict=True):
        np.testing.assert_allclose(verdict.distances, np.sort(1 - cosines), atol=2e-4)


def squares(x: Floats, away: Floats, inner: Floats) -> Floats:
    """Return c · xᵀ (c I + AᵀA)⁻¹ x of rows x, by Woodbury's identity."""
    along = x @ away.T
    return (x**2).sum(axis=1) - np.einsum("ij,jk,ik->i", along, inner, along)


@pytest.mark.parametrize("name", NAMES)
def test_any_size_of_face_will_do(name: str) -> None:
    faces = clusters(np.random.default_rng(0), 5, 3, shape=(31, 24))
    gallery = trained(faces, name)
    verdicts = identify_all(gallery, faces.pixels[:])
    assert [v.closest.person for v in verdicts] == [p.person for p in faces.index.photos]


@pytest.mark.parametrize("name", NAMES)
def test_photographs_are_enrolled_and_removed_without_training(faces: FaceSet, name: str) -> None:
    gallery = trained(faces.select(range(40)), name)
    more = gallery.enrol(faces.select(range(40, 48)))
    whole = gallery.trained.representation.project(
        gallery.recipe.features.of(faces.pixels[:], faces.shape)
    )
    np.testing.assert_allclose(more.trained.compared, whole, atol=1e-5 * np.abs(whole).max())
    fewer = more.remove([photo.key for photo in more.index.photos[3:9]])
    left = [*range(3), *range(9, 48)]
    np.testing.assert_array_equal(fewer.trained.compared, more.trained.compared[left])


@pytest.mark.parametrize("name", NAMES)
def test_faces_left_out_are_as_alike_as_to_a_gallery_without_them(
    faces: FaceSet, name: str
) -> None:
    """But for the ridge and the weights of the blocks, which stay."""
    features = RECIPES[name].features
    assert isinstance(features, PeopleFeatures)
    who = [photo.person for photo in faces.index.photos]
    products = features.products(features.grams(features.of(faces.pixels[:], faces.shape)), who)
    gone = np.flatnonzero(products.people == 2)
    alike = products.left_out([gone])[gone]
    away = [row for row in range(len(faces)) if who[row] == who[12]]
    rest = trained(faces.select([row for row in range(len(faces)) if row not in away]), name)
    for at, row in enumerate(away):
        for match in identify(rest, faces.image(row)).ranking:
            own = faces.index.people.index(match.person)
            assert alike[at, own] == pytest.approx(1 - match.distance, abs=0.03)


def test_names_are_numbered_and_nobody_is_not() -> None:
    assert numbered([None, "Ada", "Grace", None, "Ada"]).tolist() == [-1, 0, 1, -1, 0]
    assert numbered([]).tolist() == []
