"""Answers about probes: what each changes in the gallery, and what becomes of them."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.recognition.answers import (
    Reply,
    answer_to,
    apply_answer,
    apply_answers,
    probe_photos,
)
from eigenfaces.recognition.gallery import NO_ANSWER, Answer, Gallery
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recognised import recognise_probes
from tests import synthetic


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    return synthetic.small_gallery()


@pytest.fixture(scope="module")
def probe(gallery: Gallery) -> Probe:
    """A face like the first of the gallery."""
    image = gallery.faces.image(0) + np.random.default_rng(0).normal(0, 0.02, gallery.faces.shape)
    photo = FacePhoto(Photograph(Path("/photos/0.png"), "sha 0", image.shape), None)
    return Probe(photo, np.clip(image, 0, 1).astype(np.float32))


def by_face(gallery: Gallery) -> dict[FaceId, FacePhoto]:
    return {photo.id: photo for photo in gallery.index.photos}


def test_a_name_keeps_the_photo_as_one_more(gallery: Gallery, probe: Probe) -> None:
    name = gallery.people[0]
    right = apply_answer(gallery, probe, "right", [name])
    assert len(right.gallery.index.rows_of(name)) == len(gallery.index.rows_of(name)) + 1
    assert answer_to(right.gallery, probe) == Answer("right", name)
    assert right.sentence == f"Kept: {name} now has 5 photos."
    again = apply_answer(right.gallery, probe, "right", [name])
    assert again.gallery.index.photos == right.gallery.index.photos
    assert "already" in again.sentence
    new = apply_answer(gallery, probe, "it is", [" Zoe "]).gallery
    assert new.people == (*gallery.people, "Zoe")
    assert answer_to(new, probe) == Answer("it is", "Zoe")
    for feedback, person, words in (("it is", " ", "needs a name"), ("right", "Zoe", "Nobody in")):
        with pytest.raises(EigenfacesError, match=words):
            apply_answer(gallery, probe, feedback, [person])


def test_several_together_are_what_they_are_one_after_the_other(
    gallery: Gallery, probe: Probe
) -> None:
    """Faces that come, also of one photograph or of a new person, and answers of other kinds."""
    one, other, *_ = gallery.people
    probes = [
        replace(probe, photo=synthetic.on_file(probe.photo, Path(f"/photos/{n}.png"), f"sha {n}"))
        for n in range(5)
    ]
    shown = gallery.index.photos[0]
    there = Probe(shown, gallery.faces.image(0))
    eyes = Placement(Eyes((1.0, 2.0), (9.0, 2.0)), "found")
    beside = Placement(Eyes((13.0, 2.0), (19.0, 2.0)), "found")
    probes[0] = replace(probes[0], photo=replace(probes[0].photo, placement=eyes))
    same = replace(probes[0].photo, placement=beside, number=2)
    replies = [
        Reply(probes[0], "right", (one,)),
        Reply(probes[1], "nobody"),
        Reply(replace(probes[0], photo=same, image=probe.image * 0.5), "it is", ("Zoe",)),
        Reply(probes[2], "it is", (" ZOE ",)),
        Reply(there, "it is", (other,)),
        Reply(probes[3], "right", (other,)),
        Reply(probes[4], "not", (one,)),
    ]
    together = apply_answers(gallery, replies)
    single = gallery
    for reply in replies:
        single = reply(single).gallery
    assert by_face(together.gallery) == by_face(single)
    assert dict(together.gallery.answers) == dict(single.answers)
    for face in by_face(single):
        rows = (one.index.row_by_id[face] for one in (single, together.gallery))
        images = (
            one.faces.image(row) for one, row in zip((single, together.gallery), rows, strict=True)
        )
        np.testing.assert_array_equal(*images)
    assert together.title == "7 answers"


def test_another_answer_moves_the_photo_and_no_answer_keeps_it(
    gallery: Gallery, probe: Probe
) -> None:
    one, other, *_ = gallery.people
    first = apply_answer(gallery, probe, "right", [one]).gallery
    moved = apply_answer(first, probe, "it is", [other]).gallery
    assert moved.index.photos[-1].person == other
    assert len(moved.faces) == len(first.faces)
    for feedback in ("nobody", "no face", "not", "back"):
        after = apply_answer(first, probe, feedback, [one])
        assert after.gallery.index.photos == gallery.index.photos
        assert f"no longer kept as {one}" in after.sentence
    assert apply_answer(first, probe, "not", [other]).gallery.index is first.index


def test_whom_it_is_not_adds_up_until_it_is_one_of_them(gallery: Gallery, probe: Probe) -> None:
    one, other, *_ = gallery.people
    both = apply_answer(
        apply_answer(gallery, probe, "not", [one]).gallery, probe, "not", [other]
    ).gallery
    assert answer_to(both, probe).never == {one, other}
    nobody = apply_answer(both, probe, "nobody").gallery
    assert answer_to(nobody, probe) == Answer("nobody", None, frozenset({one, other}))
    named = apply_answer(nobody, probe, "it is", [one]).gallery
    assert answer_to(named, probe) == Answer("it is", one, frozenset({other}))
    assert answer_to(apply_answer(named, probe, "back").gallery, probe) == NO_ANSWER


def test_answers_go_with_their_people(gallery: Gallery) -> None:
    one, other, third, *_ = gallery.people
    answered = Answer("right", one, frozenset({other, third}))
    before = gallery.with_answer(FaceId("sha"), answered)
    photos = [before.index.photos[row].id for row in before.index.rows_of(other)]
    for after, expected in (
        (before.rename(one, "Zoe"), replace(answered, person="Zoe")),
        (before.rename(other, "Zoe"), replace(answered, never=frozenset({"Zoe", third}))),
        (before.merge(other, third), replace(answered, never=frozenset({third}))),
        (before.merge(other, one), replace(answered, never=frozenset({third}))),
        (before.merge(one, other), Answer("right", other, frozenset({third}))),
        (before.remove_person(other), replace(answered, never=frozenset({third}))),
        (before.remove_person(one), Answer(never=frozenset({other, third}))),
        (before.move(photos, None), replace(answered, never=frozenset({third}))),
        (before.move(photos[:1], None), answered),
    ):
        assert after.answers == {FaceId("sha"): expected}
    ruled_out = gallery.with_answer(FaceId("sha"), Answer(never=frozenset({one})))
    assert ruled_out.with_answer(FaceId("sha"), NO_ANSWER).answers == {}
    assert ruled_out.remove_person(one).answers == {}


@pytest.mark.parametrize(
    "wrong",
    [("right", None), ("nobody", "Ada"), ("", "Ada"), ("it is", "Ada", frozenset({"Ada"}))],
)
def test_an_answer_is_not_two(wrong: tuple) -> None:
    with pytest.raises(ValueError, match="answer"):
        Answer(*wrong)


def test_what_was_taken_out_just_now_waits_to_be_compared(gallery: Gallery, probe: Probe) -> None:
    """Its verdict, in the gallery that it was in, is no evidence."""
    enrolled = apply_answer(gallery, probe, "it is", ["Zoe"]).gallery
    recognitions = {probe.photo.id: recognise_probes(enrolled, [probe])[0]}
    for now, sign in (
        (enrolled.with_answer(probe.photo.id, NO_ANSWER), "in the gallery"),
        (gallery, "waits"),
    ):
        (photo,) = probe_photos(now, ProbeList((probe,)), recognitions)
        assert [face.style for face in photo.faces] == [sign]


@pytest.mark.parametrize("excluded", [False, True])
def test_a_photo_that_was_there_is_what_it_was_when_an_answer_is_taken_back(
    gallery: Gallery, excluded: bool
) -> None:
    photo, (one, other, third, *_) = gallery.index.photos[0], gallery.people
    gallery = gallery.exclude([photo.id]) if excluded else gallery
    probe = Probe(photo, gallery.faces.image(0))
    answer = partial(apply_answer, probe=probe)
    assert answer(gallery, feedback="nobody").gallery.index is gallery.index
    right = answer(gallery, feedback="right", people=[one]).gallery
    moved = answer(right, feedback="it is", people=[other]).gallery
    again = answer(moved, feedback="it is", people=[third]).gallery
    renamed = again.rename(one, "Zoe")
    for answered, name in ((right, one), (moved, one), (again, one), (renamed, "Zoe")):
        for feedback in ("back", "nobody", "no face"):
            after = answer(answered, feedback=feedback)
            expected = gallery if name == one else gallery.rename(one, name)
            assert by_face(after.gallery) == by_face(expected)
            assert (f"It is kept as {name} again." in after.sentence) == (answered is not right)
    unnamed = gallery.move([photo.id], None)
    named = answer(unnamed, feedback="it is", people=[other]).gallery
    assert by_face(answer(named, feedback="back").gallery) == by_face(unnamed)
    assert f"no longer kept as {other}" in answer(named, feedback="back").sentence
