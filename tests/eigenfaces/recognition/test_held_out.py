"""Photographs and people held out: as fitted anew without them, and as many as is sensible."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenfaces import FaceSet
from eigenfaces.errors import Cancelled
from eigenfaces.recognition import held_out as module
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import held_out
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import identify, identify_all
from eigenfaces.samples import PREPARATION, load_sample


def sample(people: int, photos: int = 4) -> FaceSet:
    return load_sample().select([row for row in range(10 * people) if row % 10 < photos])


def refitted(faces: FaceSet, rows: list[int], recipe: Recipe, gone: list[int]) -> Gallery:
    left = [row for row in rows if row not in gone]
    return Gallery(faces.select(left), PREPARATION, recipe).train()


@pytest.mark.parametrize("recipe", ["Discriminant", "Texture"])
@pytest.mark.parametrize("people", [3, 5, 9])
def test_exactly_as_trained_anew_without(recipe: str, people: int) -> None:
    faces, rows = sample(people), list(range(4 * people))
    held = held_out(faces, rows, RECIPES[recipe])
    for probe in range(0, len(rows), 7):
        own = [row for row in rows if row // 4 == probe // 4]
        for found, gone in ((held.member, [probe]), (held.stranger, own)):
            gallery = refitted(faces, rows, RECIPES[recipe], gone)
            verdict = identify(gallery, faces.pixels[probe])
            assert faces.index.people[found.person[probe]] == verdict.closest.person
            assert verdict.runner_up is not None
            told = [found.distance[probe], found.runner_up[probe]]
            wanted = [verdict.closest.distance, verdict.runner_up.distance]
            assert_allclose(told, wanted, atol=1e-3)


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
@pytest.mark.parametrize("people", [3, 4, 6, 7])
def test_strangers_are_compared_where_members_are(people: int, name: str) -> None:
    """Though of the people left, a gallery of their own would compare more."""
    faces, usual = sample(people), RECIPES[name]
    other = usual.changed(smoothing=1.0)  # which changes nothing, but is not the usual matcher
    exact, general = (held_out(faces, range(4 * people), recipe) for recipe in (usual, other))
    assert np.array_equal(exact.stranger.person, general.stranger.person)
    assert_allclose(exact.stranger.distance, general.stranger.distance, atol=1e-3)


def test_both_ways_agree() -> None:
    faces, usual = sample(6), RECIPES["Texture"]
    other = usual.changed(smoothing=1.0)  # which changes nothing, but is not the usual matcher
    exact, general = (held_out(faces, range(24), recipe) for recipe in (usual, other))
    pairs = (exact.member, general.member, 0.03), (exact.stranger, general.stranger, 1e-3)
    for ours, theirs, room in pairs:  # one of several photographs is away from the general fits
        assert np.array_equal(ours.person, theirs.person)
        assert_allclose(ours.distance, theirs.distance, atol=room)
        assert_allclose(ours.runner_up, theirs.runner_up, atol=room)


@pytest.mark.parametrize(
    "settings", [{"neighbours": 3}, {"rule": "class mean"}, {"distance": "L1"}]
)
def test_by_any_rule(settings: dict[str, object]) -> None:
    faces, rows = sample(5), list(range(20))
    recipe = Recipe.of(**settings)
    held = held_out(faces, rows, recipe)
    for probe in (0, 9, 19):
        verdict = identify(refitted(faces, rows, recipe, [probe]), faces.pixels[probe])
        assert faces.index.people[held.member.person[probe]] == verdict.closest.person
        assert_allclose(held.member.distance[probe], verdict.closest.distance, rtol=1e-4)


@pytest.mark.parametrize("recipe", RECIPES)
def test_faces_of_nobody_are_fitted_to_and_not_compared_with(recipe: str) -> None:
    faces = sample(6)
    photos = [
        replace(photo, person=None) if row >= 20 else photo
        for row, photo in enumerate(faces.index.photos)
    ]
    faces = faces.with_photos({photo.key: photo for photo in photos})
    with_them = held_out(faces, range(24), RECIPES[recipe])
    without = held_out(faces, range(20), RECIPES[recipe])
    assert len(with_them.people) == len(without.people) == 20
    assert with_them.count == 5
    assert not np.allclose(with_them.stranger.distance, without.stranger.distance, rtol=1e-4)
    gallery = refitted(faces, list(range(24)), RECIPES[recipe], [3])
    distance = identify(gallery, faces.pixels[3]).closest.distance
    assert with_them.member.distance[3] == pytest.approx(distance, rel=1e-2)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("people", [5, 9])
def test_who_came_after_training_is_compared_with_and_not_fitted_to(
    recipe: str, people: int
) -> None:
    """As in a gallery that is trained without whoever is away, and then enrols the newcomers."""
    faces, old, new = sample(people + 1), list(range(4 * people)), range(4 * people, 4 * people + 4)
    trained = Gallery(faces.select(old), PREPARATION, RECIPES[recipe]).train()
    grown = trained.enrol(faces.select(new)).calibrate().calibration
    assert grown is not None
    for probe in (0, 14, new[2]):
        own = [row for row in (*old, *new) if row // 4 == probe // 4]
        there = refitted(faces, old, RECIPES[recipe], own)
        if probe in old:
            there = there.enrol(faces.select(new))
        verdict = identify(there, faces.pixels[probe])
        found = grown.held.stranger
        assert faces.index.people[found.person[probe]] == verdict.closest.person
        assert_allclose(found.distance[probe], verdict.closest.distance, rtol=2e-3)
    anew = held_out(faces, [*old, *new], RECIPES[recipe])
    assert not np.allclose(anew.stranger.distance, grown.held.stranger.distance, rtol=0.01)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(
    ("trained", "left", "photos", "came"), [(3, 3, 5, 5), (1, 1, 5, 8), (8, 2, 2, 5), (8, 5, 2, 2)]
)
def test_few_are_left_of_those_trained_on(
    recipe: str, trained: int, left: int, photos: int, came: int
) -> None:
    """Where a space of them would be another than there is, it is as if all were trained on."""
    faces = sample(trained + came, photos)
    gallery = Gallery(faces.select(range(trained * photos)), PREPARATION, RECIPES[recipe]).train()
    gallery = gallery.enrol(faces.select(range(trained * photos, len(faces))))
    gone = [photo.key for photo in gallery.index.photos[left * photos : trained * photos]]
    calibration = gallery.remove(gone).calibrate().calibration
    assert calibration is not None
    held = calibration.held
    assert np.isfinite([held.stranger.distance, held.member.distance]).all()
    assert held.right.mean() > 0.4
    assert np.median(held.member.distance) < np.median(held.stranger.distance)


@pytest.mark.parametrize("name", ["Discriminant", "Texture"])
def test_people_are_away_alone_among_many_faces_of_nobody(name: str) -> None:
    """Or hardly anybody would be left whose means are spanned."""
    faces, recipe = sample(36, photos=3), RECIPES[name].changed(smoothing=1.0)
    photos = [
        replace(photo, person=photo.person if row < 15 else None)
        for row, photo in enumerate(faces.index.photos)
    ]
    faces = faces.with_photos({photo.key: photo for photo in photos})
    general, exact = (held_out(faces, range(108), each) for each in (recipe, RECIPES[name]))
    assert_allclose(general.stranger.distance, exact.stranger.distance, atol=1e-3)


def test_components_that_are_dropped_are_there() -> None:
    """Without a person whose photographs are nearly all that was trained on, too."""
    faces, recipe = sample(12, photos=9), Recipe.of(dropped=2)
    old, new = [*range(9), 9, 18, 27], range(36, 108, 2)
    gallery = Gallery(faces.select(old), PREPARATION, recipe).train()
    calibration = gallery.enrol(faces.select(new)).calibrate().calibration
    assert calibration is not None
    assert np.isfinite(calibration.held.stranger.distance).all()


@pytest.mark.parametrize("recipe", RECIPES)
def test_nobody_is_left(recipe: str) -> None:
    one = held_out(sample(1), range(4), RECIPES[recipe])
    assert (one.stranger.person == -1).all()
    assert np.isposinf(one.stranger.distance).all()
    assert one.right.all()
    assert np.isposinf(one.member.runner_up).all()
    two = held_out(sample(2, photos=1), range(2), RECIPES[recipe])  # one is left: no space
    assert (two.member.person == -1).all()
    assert not two.mated.any()


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Texture"])
def test_of_many_some_are_drawn(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = sample(7)
    every = held_out(faces, range(28), RECIPES[recipe])
    monkeypatch.setattr(module, "MOST_PHOTOS", 9)
    monkeypatch.setattr(module, "MOST_PEOPLE", 4)
    some = held_out(faces, range(28), RECIPES[recipe])
    assert some.member.drawn.sum() == some.mated.sum() == 9
    assert len(np.unique(some.people[some.stranger.drawn])) == 4
    assert some.stranger.drawn.sum() == 16
    for drawn, of_all in ((some.member, every.member), (some.stranger, every.stranger)):
        there = drawn.drawn
        assert_allclose(drawn.distance[there], of_all.distance[there], rtol=0.05)
        assert np.isnan(drawn.distance[~there]).all()
        assert (drawn.person[~there] == -1).all()
    again = held_out(faces, range(28), RECIPES[recipe])
    assert np.array_equal(again.member.drawn, some.member.drawn)
    calibration = Calibration.of(faces, range(28), RECIPES[recipe], "")
    assert calibration.promise.people == 4
    limit = calibration.limit(0.2)
    assert limit is not None
    assert np.isfinite(limit)
    assert 0 <= calibration.probability(limit, 2 * limit) <= 1


@pytest.mark.parametrize("recipe", RECIPES)
def test_progress_adds_up_and_can_be_stopped(recipe: str) -> None:
    faces, told = sample(5), list[float]()
    held_out(faces, range(20), RECIPES[recipe], lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert told[-1] == 1

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        held_out(faces, range(20), RECIPES[recipe], stop)


@pytest.mark.parametrize("recipe", ["Discriminant", "Texture"])
def test_without_one_of_four_people_faces_are_compared_as_with_all(recipe: str) -> None:
    """In the span of the means left: in all that differs, three in four strangers were named."""
    faces = load_sample()
    enrolled = [row for row in range(40) if row % 10 < 5]
    held = held_out(faces, enrolled, RECIPES[recipe])
    gallery = Gallery(faces.select(enrolled), PREPARATION, RECIPES[recipe]).train()
    strangers = identify_all(gallery, faces.pixels[range(200, 400, 5)])
    limit = held.stranger.distance.min()
    assert np.mean([each.closest.distance < limit for each in strangers]) < 0.3
