"""A calibration: what it measures of the gallery's own photographs, and when it holds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify, identify_all
from eigenfaces.sample import PREPARATION, load_sample


def gallery_of(recipe: str = "Eigenfaces", people: int = 8) -> Gallery:
    faces = load_sample()
    rows = [row for row in range(10 * people) if row % 10 < 6]
    return Gallery(faces.select(rows), PREPARATION, RECIPES[recipe]).train()


@pytest.fixture(scope="module")
def calibrated() -> Gallery:
    return gallery_of().calibrate()


def test_it_holds_until_something_that_it_depends_on_changes(calibrated: Gallery) -> None:
    key = calibrated.index.photos[0].key
    assert calibrated.calibrated is not None
    assert replace(calibrated, share=0.1).calibrated is calibrated.calibration
    for changed in (
        calibrated.move([key], "Somebody else"),
        calibrated.exclude([key]),
        calibrated.remove([key]),
        calibrated.with_recipe(calibrated.recipe.changed(distance="cosine")),
    ):
        assert changed.calibrated is None
        assert identify(changed, changed.faces.pixels[0]).decision.kind == "not calibrated"
    back = calibrated.move([key], "Somebody else").move([key], calibrated.people[0])
    assert back.calibrated is calibrated.calibration


def test_it_depends_on_photographs_without_a_name_that_are_fitted_to() -> None:
    gallery = gallery_of(people=4)
    keys = [gallery.index.photos[row].key for row in (3, 9)]
    gallery = gallery.move(keys, None).train().calibrate()
    for changed in (gallery.exclude(keys), gallery.remove(keys)):
        assert changed.enrolled
        assert changed.calibrated is None
        anew = changed.calibrate().calibrated
        assert anew is not None
        assert anew.limit(0.1) != gallery.calibrated.limit(0.1)  # type: ignore[union-attr]
    back = gallery.exclude(keys).exclude(keys, excluded=False)
    assert back.calibrated is gallery.calibration


@pytest.mark.parametrize("recipe", RECIPES)
def test_it_can_be_stopped_anywhere(recipe: str) -> None:
    gallery, told = gallery_of(recipe, people=7), list[float]()
    whole = gallery.calibrate(lambda done, total: told.append(done / total)).calibration
    assert told == sorted(told)
    assert told[-1] == 1
    assert np.diff(told).max() < 0.3, "no stage is silent, the likeness to a face included"
    for last in np.linspace(0, len(told) - 1, 4).astype(int):
        asked = iter(range(int(last)))

        def stop(done: int, total: int, asked: Iterator[int] = asked) -> None:
            if next(asked, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            gallery.calibrate(stop)
    again = gallery.calibrate().calibration
    assert whole is not None
    assert again is not None
    assert np.array_equal(again.held.member.distance, whole.held.member.distance)
    assert np.array_equal(again.left_over, whole.left_over)


def test_too_few_people_have_no_threshold() -> None:
    gallery = gallery_of(people=2).calibrate()
    assert gallery.calibrated is not None
    assert "fewer than 3 people" in gallery.calibrated.reason
    assert gallery.calibrated.limit(0.01) is None


def test_whom_it_is_not_is_out_of_the_question(calibrated: Gallery) -> None:
    face = load_sample().pixels[6]
    verdict = identify(calibrated, face)
    (other,) = identify_all(calibrated, face[None], [{verdict.closest.person}])
    assert [match.person for match in other.ranking] == [
        match.person for match in verdict.ranking[1:]
    ]
    assert other.decision.nearest[0] == other.closest.person
    assert other.nearest(1)[0] == (other.closest.row, other.closest.distance)
    photos = calibrated.index.photos
    assert {photos[row].person for row in other.rows} == {each.person for each in other.ranking}
    (everybody,) = identify_all(calibrated, face[None], [calibrated.people])
    assert everybody.first == verdict.first


def test_strangers_and_members(calibrated: Gallery) -> None:
    faces = load_sample()
    members = faces.pixels[[row for row in range(80) if row % 10 >= 6]]
    strangers = faces.pixels[80:]
    for share, most in ((0.01, 0.15), (0.5, 0.75)):
        gallery = replace(calibrated, share=share)
        verdicts = [identify_all(gallery, some) for some in (members, strangers)]
        passed = [
            np.mean([v.decision.nearest[1] < v.decision.limit for v in some])  # type: ignore[operator]
            for some in verdicts
        ]
        assert passed[1] <= most
        assert passed[0] > passed[1]


def test_a_share_that_cannot_be_is_refused(calibrated: Gallery) -> None:
    assert calibrated.calibrated is not None
    with pytest.raises(EigenfacesError, match="from 0 to 1"):
        calibrated.calibrated.limit(1.5)
