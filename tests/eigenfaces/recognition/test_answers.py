"""Answers about probes: what each changes in the gallery, and what becomes of them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FacePhoto, as_levels
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition import answers
from eigenfaces.recognition.calibration import limit
from eigenfaces.recognition.gallery import NOTHING, Answered, Gallery
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify
from tests import synthetic


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return synthetic.small_gallery()


def probe_like(gallery: Gallery, row: int) -> Probe:
    rng = np.random.default_rng(row)
    image = np.clip(gallery.faces.image(row) + rng.normal(0, 0.02, gallery.faces.shape), 0, 1)
    photo = FacePhoto(Path(f"/photos/{row}.png"), None, f"key {row}", image.shape)
    return Probe(photo, image.astype(np.float32))


def by_key(gallery: Gallery) -> dict[str, FacePhoto]:
    return {photo.key: photo for photo in gallery.index.photos}


def test_right_keeps_the_photo_as_one_more(gallery: Gallery) -> None:
    probe, name = probe_like(gallery, 0), gallery.people[0]
    reply = answers.right(gallery, probe, name)
    assert len(reply.gallery.index.rows_of(name)) == len(gallery.index.rows_of(name)) + 1
    assert reply.gallery.trained.space is gallery.trained.space
    assert answers.answer_to(reply.gallery, probe) == Answered("right", name)
    assert f"the fifth of {name}." in reply.sentence
    again = answers.right(reply.gallery, probe, name)
    assert again.gallery.index.photos == reply.gallery.index.photos
    assert "already" in again.sentence


def test_it_is_somebody_new(gallery: Gallery) -> None:
    probe = probe_like(gallery, 0)
    reply = answers.it_is(gallery, probe, " Zoe ")
    assert reply.gallery.people == (*gallery.people, "Zoe")
    assert answers.answer_to(reply.gallery, probe) == Answered("it is", "Zoe")
    with pytest.raises(EigenfacesError, match="needs a name"):
        answers.it_is(gallery, probe, " ")
    with pytest.raises(EigenfacesError, match="Nobody in the gallery"):
        answers.right(gallery, probe, "Zoe")


def test_another_answer_moves_the_photo_and_no_answer_keeps_it(gallery: Gallery) -> None:
    probe, (one, other, *_) = probe_like(gallery, 0), gallery.people
    first = answers.right(gallery, probe, one).gallery
    moved = answers.it_is(first, probe, other).gallery
    assert moved.index.photos[-1].person == other
    assert len(moved.faces) == len(first.faces)
    for reply in (
        answers.nobody_known(first, probe),
        answers.no_face(first, probe),
        answers.it_is_not(first, probe, {one}),
    ):
        assert reply.gallery.index.photos == gallery.index.photos
        assert f"no longer kept as {one}" in reply.sentence
    assert answers.it_is_not(first, probe, {other}).gallery.index is first.index


def test_whom_it_is_not_adds_up_until_it_is_one_of_them(gallery: Gallery) -> None:
    probe, (one, other, *_) = probe_like(gallery, 0), gallery.people
    made = answers.it_is_not(gallery, probe, {one}).gallery
    made = answers.it_is_not(made, probe, {other}).gallery
    assert answers.answer_to(made, probe).never == {one, other}
    made = answers.nobody_known(made, probe).gallery
    crop = as_levels(probe.image).tobytes()
    never = frozenset({one, other})
    assert answers.answer_to(made, probe) == Answered("nobody", None, never, crop)
    made = answers.it_is(made, probe, one).gallery
    assert answers.answer_to(made, probe) == Answered("it is", one, frozenset({other}))


def test_answers_go_with_their_people(gallery: Gallery) -> None:
    one, other, third, *_ = gallery.people
    answered = Answered("right", one, frozenset({other, third}))
    held = gallery.answered("key", answered)
    assert held.rename(one, "Zoe").answers["key"] == replace(answered, person="Zoe")
    assert held.rename(other, "Zoe").answers["key"].never == {"Zoe", third}
    assert held.merge(other, third).answers["key"].never == {third}
    assert held.merge(other, one).answers["key"] == Answered("right", one, frozenset({third}))
    assert held.merge(one, other).answers["key"] == Answered("right", other, frozenset({third}))
    assert held.remove_person(other).answers["key"].never == {third}
    assert held.remove_person(one).answers["key"] == Answered(never=frozenset({other, third}))
    photos = [held.index.photos[row].key for row in held.index.rows_of(other)]
    assert held.move(photos, None).answers["key"].never == {third}
    assert held.move(photos[:1], None).answers == held.answers


def test_no_answer_is_held(gallery: Gallery) -> None:
    held = gallery.answered("key", Answered(never=frozenset({gallery.people[0]})))
    assert held.answered("key", NOTHING).answers == {}
    assert held.remove_person(gallery.people[0]).answers == {}


@pytest.mark.parametrize(
    "wrong",
    [("right", None), ("nobody", "Ada"), ("", "Ada"), ("it is", "Ada", frozenset({"Ada"}))],
)
def test_an_answer_is_not_two(wrong: tuple) -> None:
    with pytest.raises(ValueError, match="answer"):
        Answered(*wrong)


@pytest.fixture(scope="module", params=["Eigenfaces", "Fisherfaces", "Texture"])
def calibrated(request: pytest.FixtureRequest) -> Gallery:
    faces = synthetic.people(np.random.default_rng(5), 8, 4, shape=(32, 32))
    preparation = Preparation(32, 32, already_cropped=True)
    return Gallery(faces, preparation, RECIPES[request.param]).train().calibrate()


@pytest.fixture(scope="module")
def probes() -> list[Probe]:
    faces = synthetic.people(np.random.default_rng(6), 3, 1, shape=(32, 32))
    photos = (replace(photo, person=None) for photo in faces.index.photos)
    return [Probe(photo, faces.image(row)) for row, photo in enumerate(photos)]


def test_they_are_strangers_as_those_left_out(calibrated: Gallery, probes: list[Probe]) -> None:
    gallery = calibrated
    for probe in probes:
        gallery = answers.nobody_known(gallery, probe).gallery
    before, after = calibrated.calibrated, gallery.calibrated
    assert before is calibrated.calibration
    assert before is not None
    assert after is not None
    met = [identify(calibrated, probe.image).closest.distance for probe in probes]
    left_out = before.held.stranger.distance[before.held.stranger.drawn]
    for share in (0.0, 0.01, 0.1, 0.5):
        expected = limit(np.concatenate([left_out, met]), share)
        assert after.limit(share) == pytest.approx(expected, rel=1e-5)
    assert after.guarantee.strangers == before.guarantee.strangers + len(probes)
    assert after.guarantee.minimum < before.guarantee.minimum
    assert gallery.calibrated is after


def test_one_who_is_too_near_is_not_named_again(calibrated: Gallery) -> None:
    rng = np.random.default_rng(1)
    image = calibrated.faces.image(0) + rng.normal(0, 0.01, (32, 32))
    photo = FacePhoto(Path("/photos/near.png"), None, "near", (32, 32))
    probe = Probe(photo, np.clip(image, 0, 1).astype(np.float32))
    probe = replace(probe, image=np.rint(probe.image * 255).astype(np.float32) / 255)
    calibrated = calibrated.with_share(0.0)
    assert identify(calibrated, probe.image).decision.kind != "unknown"
    gallery = answers.nobody_known(calibrated, probe).gallery
    decision = identify(gallery, probe.image).decision
    assert decision.person is None
    assert decision.limit is not None
    assert decision.limit <= decision.nearest[1] * (1 + 1e-5) + 1e-12


def test_an_answer_is_taken_back_with_what_it_enrolled_and_ruled_out(gallery: Gallery) -> None:
    probe, (one, other, *_) = probe_like(gallery, 0), gallery.people
    asked = answers.it_is_not(gallery, probe, [other]).gallery
    reply = answers.unanswered(answers.right(asked, probe, one).gallery, probe)
    assert answers.answer_to(reply.gallery, probe) == NOTHING
    assert reply.gallery.index.photos == gallery.index.photos
    assert f"no longer kept as {one}" in reply.sentence


def test_what_was_taken_out_just_now_waits_to_be_compared(gallery: Gallery) -> None:
    """Its verdict, in the gallery that it was in, is no evidence."""
    probe = probe_like(gallery, 0)
    kept = answers.it_is(gallery, probe, "Zoe").gallery
    found = {probe.photo.key: answers.compare(kept, [probe])[0]}
    for now, sign in (
        (kept.answered(probe.photo.key, NOTHING), "in the gallery"),
        (gallery, "waits"),
    ):
        ((face,),) = (each.faces for each in answers.asked_photos(now, ProbeList((probe,)), found))
        assert face.sign == sign


@pytest.mark.parametrize("excluded", [False, True])
def test_a_photo_that_was_there_is_what_it_was_when_an_answer_is_taken_back(
    gallery: Gallery, excluded: bool
) -> None:
    photo, (one, other, third, *_) = gallery.index.photos[0], gallery.people
    gallery = gallery.exclude([photo.key]) if excluded else gallery
    probe = Probe(photo, gallery.faces.image(0))
    assert answers.nobody_known(gallery, probe).gallery.index is gallery.index
    right = answers.right(gallery, probe, one).gallery
    moved = answers.it_is(right, probe, other).gallery
    again = answers.it_is(moved, probe, third).gallery
    renamed = again.rename(one, "Zoe")
    for answered, name in ((right, one), (moved, one), (again, one), (renamed, "Zoe")):
        for reply in (
            answers.unanswered(answered, probe),
            answers.nobody_known(answered, probe),
            answers.no_face(answered, probe),
        ):
            expected = gallery if name == one else gallery.rename(one, name)
            assert by_key(reply.gallery) == by_key(expected)
            kept = f"It is kept as {name} again." in reply.sentence
            assert kept == (answered is not right)
    unnamed = gallery.move([photo.key], None)
    reply = answers.unanswered(answers.it_is(unnamed, probe, other).gallery, probe)
    assert by_key(reply.gallery) == by_key(unnamed)
    assert f"no longer kept as {other}" in reply.sentence
