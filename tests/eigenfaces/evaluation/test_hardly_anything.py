"""Evaluations of hardly anything: a figure where there is one, else a sentence."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet, Preparation, Recipe
from eigenfaces.evaluation.protocols import (
    LeaveOneOut,
    Lists,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.records import Record, Setting, Source, to_json
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.recognition.recipe import Rule
from evaluation.drawn import EVERY, faces_of, numbers_of

pytestmark = pytest.mark.usefixtures("few_draws")


def refused(faces: FaceSet, protocol: Protocol, words: str) -> None:
    with pytest.raises(EigenfacesError, match=words):
        evaluate(faces, Setting(Recipe(), protocol, allow_leaks=True))


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
def test_one_person_nobody_or_one_photo_each(rng: np.random.Generator, protocol: Protocol) -> None:
    one = faces_of(rng, [5])
    refused(one, protocol, "at least two people, and there is only “Person 1”")
    photos = tuple(replace(photo, person=None) for photo in one.index.photos)
    refused(replace(one, index=PhotoIndex(photos)), protocol, "nobody is named")
    words = "needs people with at least 2 photos each. Too few have that many: Person"
    refused(faces_of(rng, [1] * 12), protocol, words)


def test_why_faces_or_folds_are_refused(rng: np.random.Generator, faces: FaceSet) -> None:
    refused(faces_of(rng, [1] * 12), LeaveOneOut(), r"\(1\) and 4 more\. Add photos")
    refused(faces_of(rng, [6, 3]), NShot(5), r"many: Person 2 \(3\)\. Add photos")
    refused(faces_of(rng, [6, 6]), OpenSet(5), "with so many strangers, fewer than two")
    pixels = faces.pixels[:]
    pixels[3, 2] = np.nan
    broken = replace(faces, pixels=Crops(pixels))
    refused(broken, LeaveOneOut(), "values that are not numbers")
    for gallery, probes, train in (
        ((), ("1",), ()),
        (("1", "2"), (), ()),
        (("1",), ("2",), ()),
        (("1",), ("1", "2"), ("3", "4")),  # only itself
    ):
        refused(faces, Lists(gallery, probes, train), "Fold 1 cannot be measured")
    refused(faces, Pairs((((("1", "2")),), ())), "Fold [12] ")
    of = numbers_of(faces)
    enrolled, probes = ([str(row + 1) for row in np.flatnonzero(some)] for some in (of < 2, of > 1))
    refused(faces, Lists(tuple(enrolled), tuple(probes)), "Nobody who is searched for is enrolled")


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
@pytest.mark.parametrize("rule", get_args(Rule))
def test_two_people_with_two_photos(
    rng: np.random.Generator, protocol: Protocol, rule: Rule
) -> None:
    recipe = Recipe.of(components=1.0, rule=rule)
    faces = faces_of(rng, [2, 2, 2] if isinstance(protocol, OpenSet) else [2, 2])
    result = evaluate(faces, Setting(recipe, protocol))
    assert 0 <= result.figure("rank-1").value <= 1
    assert result.figure("rank-5") is None
    for figure in result.figures:
        assert 0 <= figure.low <= figure.value <= figure.high <= 1
    assert to_json(Record(result, Preparation(16, 16), Source("sample")))
