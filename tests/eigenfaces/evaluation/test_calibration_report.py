"""What a calibration promises and what held: each figure counted by hand, or of a known truth."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic

from eigenfaces.evaluation.calibration_report import calibration_report
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.calibration import Calibration, FacenessModel, naming_words
from eigenfaces.recognition.duplicates import near_duplicates
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import NO_PAIRS, HeldOut
from eigenfaces.recognition.limits import SHARES
from eigenfaces.recognition.neighbours import Nearest
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.statistics import Rate


def calibration_of(
    rng: np.random.Generator, people: int = 40, photos: int = 5, apart: float = 6
) -> Calibration:
    """Return one of normal distances: members about 5, strangers that much farther."""
    numbers = np.repeat(np.arange(people), photos)
    size = len(numbers)
    away, beyond = rng.normal(5, 1, size), rng.normal(5 + apart, 1, size)
    member = Nearest(numbers, away, away + rng.normal(apart, 1, size).clip(0))
    stranger = Nearest((numbers + 1) % people, beyond, beyond + rng.exponential(1, size))
    face_residual = rng.uniform(0.2, 0.6, size)
    limit = float(np.quantile(face_residual, 0.98, method="higher"))
    held_out = HeldOut(numbers, member, stranger, away, NO_PAIRS)
    likeness = FacenessModel(*[np.zeros(0, np.float32)] * 3, limit)
    return Calibration("basis", held_out, likeness, face_residual)


def test_it_counts(rng: np.random.Generator) -> None:
    calibration = calibration_of(rng, apart=2)
    held_out = calibration.held_out
    report = calibration_report(calibration, 0.03)
    assert (report.people, report.photos, report.reason) == (40, 200, "")
    assert [mark.asked for mark in report.marks] == sorted({0.03, *SHARES})
    for mark in report.marks:
        assert mark.limit == calibration.limit(mark.asked)
        assert mark.refused.count == (held_out.member.distance >= mark.limit).sum()
        assert mark.promised == calibration.strangers.guarantee.upper_bound(mark.asked)
        assert mark.promised > mark.asked
        assert mark.refused.low <= mark.refused.share <= mark.refused.high
    refused = [mark.refused.count for mark in report.marks]
    assert refused == sorted(refused, reverse=True)
    assert report.faces.count >= 0.98 * 200
    assert report.least == calibration.strangers.guarantee.minimum
    assert not report.rough


def test_by_network_no_share_of_contrast_says_what_is_a_face(rng: np.random.Generator) -> None:
    for general in (False, True):
        report = calibration_report(replace(calibration_of(rng), general=general), 0.01)
        assert (report.face_limit is None) == (report.faces is None) == general


def test_strangers_of_other_tenths_are_named_as_often_as_was_asked() -> None:
    named = dict.fromkeys(SHARES, 0)
    for seed in range(20):
        report = calibration_report(calibration_of(np.random.default_rng(seed)), 0.01)
        for mark in report.marks:
            named[mark.asked] += mark.named.count
    for share in (0.02, 0.05, 0.1):  # of 4000 independent strangers
        assert named[share] / 4000 == pytest.approx(share, abs=4 * (share / 4000) ** 0.5)


def test_words_and_probabilities_hold_where_the_truth_is_plain(rng: np.random.Generator) -> None:
    sure, likely, ask = calibration_report(calibration_of(rng), 0.01).words
    assert (sure.word, likely.word, ask.word) == ("sure", "likely", "ask")
    assert sure.right.of > 150
    assert sure.right.count == sure.right.of
    assert sure.strangers.count <= 2
    assert calibration_report(calibration_of(rng), 0.01).error < 0.05
    # Where members are as far as strangers, nobody is sure, and probabilities say so.
    blind = calibration_report(calibration_of(rng, apart=0), 0.01)
    assert blind.words[0].right.of == 0
    assert blind.error < 0.1


def test_too_few_people_and_single_photographs(rng: np.random.Generator) -> None:
    few = calibration_report(calibration_of(rng, people=2), 0.01)
    assert "fewer than 3 people" in few.reason
    assert (few.marks, few.words, few.error, few.least) == ((), (), None, None)
    single = calibration_of(rng, photos=1)
    assert "not known" in naming_words(single)
    assert calibration_report(single, 0.01).named_rightly == Rate(0, 0, 0.0, 1.0)


def test_what_is_said_of_duplicates_and_of_mere_guessing(rng: np.random.Generator) -> None:
    faces = synthetic.people(rng, 3, 3)
    copy = synthetic.on_file(faces.index.photos[1], Path("copy.png"), "copy")
    both = faces.join(replace(faces.select([1]), index=PhotoIndex((copy,))))
    gallery = Gallery(both, Preparation(*faces.shape[::-1], already_cropped=True), Recipe())
    assert near_duplicates(gallery) == 2
    assert near_duplicates(gallery.exclude([copy.id])) == 0
    calibration = calibration_of(rng, people=4)
    held_out = calibration.held_out
    assert "20 of 20 photos are nearest to the right person" in naming_words(calibration)
    assert "2 are nearly the same picture as another" in naming_words(calibration, 2)
    assert calibration_report(calibration, 0.01, 2).near_duplicates == 2
    wrong = replace(held_out, member=replace(held_out.member, person=(held_out.people + 1) % 4))
    for changed, words in (
        (wrong, "no better than guessing (25.0 %), so a name means nothing"),
        (replace(held_out, people=np.zeros_like(held_out.people)), "there is nobody else"),
    ):
        assert words in naming_words(replace(calibration, held_out=changed))
