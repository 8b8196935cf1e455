"""Yes, no or cannot tell: what each follows from."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.verdict import Verdict, identify_all, without
from eigenfaces.recognition.verification import Verification, check_claim, verify_claim
from eigenfaces.recognition.written_verdict import answer, rounded
from eigenfaces.samples import PREPARATION, load_sample
from eigenfaces.wording import number

PEOPLE = 12
FACES = load_sample()


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    rows = [row for row in range(10 * PEOPLE) if row % 10 < 6]
    return Gallery(FACES.select(rows), PREPARATION, Gallery.new().recipe).train().calibrate()


def verdict_on(gallery: Gallery, row: int) -> tuple[Verdict, Probe]:
    probe = Probe(replace(FACES.index.photos[row], key=f"new {row}"), FACES.image(row))
    return identify_all(gallery, FACES.pixels[[row]])[0], probe


def asked(gallery: Gallery, row: int, person: str) -> Verification:
    verdict, probe = verdict_on(gallery, row)
    return verify_claim(gallery, person, verdict, answer(gallery, probe, verdict))


def test_one_distance_is_written_in_one_way(gallery: Gallery) -> None:
    cosine = gallery.with_recipe(gallery.recipe.changed(distance="cosine")).calibrate()
    for row in (row for row in range(10 * PEOPLE) if row % 10 >= 6):
        closest = verdict_on(cosine, row)[0].closest.person
        found = asked(cosine, row, closest)
        assert found.answer is not None
        assert found.distance == found.answer.distance_in
        if "At " in found.sentence:
            assert f"At {number(found.distance)}, {closest} is" in found.sentence


def test_yes_exactly_where_the_person_is_named(gallery: Gallery) -> None:
    held_out = [row for row in range(10 * PEOPLE) if row % 10 >= 6]
    for row in held_out:
        verdict, _ = verdict_on(gallery, row)
        own = gallery.people[row // 10]
        for person in (own, gallery.people[(row // 10 + 5) % PEOPLE]):
            found = asked(gallery, row, person)
            assert (found.outcome == "yes") == (verdict.decision.person == person)
            assert found.outcome in found.sentence.lower() or "cannot be told" in found.sentence
            if verdict.decision.kind == "sure" and verdict.decision.person != person:
                assert found.outcome == "no"
            if found.outcome == "no" and verdict.decision.kind != "sure":
                assert gallery.calibrated is not None
                assert verdict.decision.limit is not None
                assert found.distance is not None
                assert found.distance >= verdict.decision.limit
                assert gallery.calibrated.as_far(found.distance) <= 0.1


def test_who_was_answered_not_to_be_on_it_can_still_be_claimed(gallery: Gallery) -> None:
    verdict, probe = verdict_on(gallery, 7)
    own = verdict.closest
    others = without(gallery, verdict, {own.person})
    found = verify_claim(gallery, own.person, others, answer(gallery, probe, others))
    assert found.distance == rounded(own.distance, others.farthest)
    assert found.outcome != "yes"


def test_with_a_photo_of_each_it_is_said_what_is_not_known() -> None:
    rows = range(0, 10 * PEOPLE, 10)
    ones = Gallery(FACES.select(rows), PREPARATION, Gallery.new().recipe)
    found = asked(ones.train().calibrate(), 399, "Person 03")
    assert found.outcome == "cannot tell"
    assert "but nobody has two photos" in found.sentence
    assert "%" not in found.sentence


def test_a_strict_mark_alone_is_no_reason_for_no(gallery: Gallery) -> None:
    """Where many photographs of the right person are beyond the mark, “no” would often be wrong."""
    strict = replace(gallery, share=0.0)
    beyond = 0
    for row in (row for row in range(10 * PEOPLE) if row % 10 >= 6):
        verdict, _ = verdict_on(strict, row)
        decided = verdict.decision
        if decided.kind == "unknown" and decided.nearest[0] == gallery.people[row // 10]:
            found = asked(strict, row, decided.nearest[0])
            assert gallery.calibrated is not None
            often = gallery.calibrated.as_far(decided.nearest[1]) > 0.1
            assert found.outcome == ("cannot tell" if often else "no")
            beyond += 1
    assert beyond


def test_how_far_from_its_own_is_a_conformal_share(gallery: Gallery) -> None:
    calibration = gallery.calibrated
    assert isinstance(calibration, Calibration)
    held = calibration.held
    assert calibration.as_far(0) == 1
    farthest = float(held.member.distance.max())
    wrong = int((~held.right).sum())
    assert calibration.as_far(farthest + 1) == pytest.approx((wrong + 1) / (len(held.people) + 1))
    ladder = [calibration.as_far(each) for each in np.linspace(0, farthest, 20)]
    assert ladder == sorted(ladder, reverse=True)


def test_no_face_and_no_calibration_cannot_be_told(gallery: Gallery) -> None:
    noise = np.random.default_rng(3).random((1, gallery.faces.pixels.shape[1]), np.float32)
    (verdict,) = identify_all(gallery, noise)
    assert verdict.decision.group == "Not a face"
    _, probe = verdict_on(gallery, 6)
    told = verify_claim(gallery, gallery.people[0], verdict, answer(gallery, probe, verdict))
    assert told.outcome == "cannot tell"
    assert "cannot be made of faces" in told.sentence
    bare = replace(gallery, calibration=None)
    told = asked(bare, 6, gallery.people[0])
    assert told.outcome == "cannot tell"
    assert "not measured yet" in told.sentence


def test_whom_nobody_can_be_compared_with(gallery: Gallery) -> None:
    with pytest.raises(EigenfacesError, match="Nobody in the gallery is called “Ada”"):
        check_claim(gallery, "Ada")
    first = gallery.people[0]
    keys = [gallery.index.photos[row].key for row in gallery.index.rows_of(first)]
    with pytest.raises(EigenfacesError, match="are left out"):
        check_claim(gallery.exclude(keys), first)
