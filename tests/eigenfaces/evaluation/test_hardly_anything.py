"""Evaluations of hardly anything: a figure where there is one, else a sentence."""

from dataclasses import replace

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
from evaluation.asked import EVERY, value
from evaluation.drawn import faces_of, numbers_of

pytestmark = pytest.mark.usefixtures("few_draws")


class TestRefusals:
    def refused(self, faces: FaceSet, protocol: Protocol, words: str) -> None:
        with pytest.raises(EigenfacesError, match=words) as caught:
            evaluate(faces, Setting(Recipe(), protocol))
        assert str(caught.value).endswith(".")

    @pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
    def test_one_person_or_nobody(self, rng: np.random.Generator, protocol: Protocol) -> None:
        one = faces_of(rng, [5])
        self.refused(one, protocol, "at least two people, and there is only “Person 1”")
        photos = tuple(replace(photo, person=None) for photo in one.index.photos)
        self.refused(replace(one, index=PhotoIndex(photos)), protocol, "nobody is named")
        self.refused(one.select([]), protocol, "nobody is named")

    @pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
    def test_one_photo_a_person(self, rng: np.random.Generator, protocol: Protocol) -> None:
        words = "needs people with at least 2 photos each. Too few have that many: Person"
        self.refused(faces_of(rng, [1] * 12), protocol, words)

    def test_few_are_named_and_the_rest_counted(self, rng: np.random.Generator) -> None:
        self.refused(faces_of(rng, [1] * 12), LeaveOneOut(), r"\(1\) and 4 more\. Add photos")
        self.refused(faces_of(rng, [6, 3]), NShot(5), r"many: Person 2 \(3\)\. Add photos")
        self.refused(faces_of(rng, [6, 6]), OpenSet(5), "with so many strangers, fewer than two")

    def test_not_numbers(self, faces: FaceSet) -> None:
        pixels = faces.pixels[:]
        pixels[3, 2] = np.nan
        broken = replace(faces, pixels=Crops(pixels))
        self.refused(broken, LeaveOneOut(), "values that are not numbers")

    def test_empty_folds(self, faces: FaceSet) -> None:
        self.refused(faces, Lists((), ("1",)), r"Fold 1 is empty: it needs faces to enrol")
        self.refused(faces, Lists(("1", "2"), ()), "Fold 1 is empty")
        self.refused(faces, Lists(("1",), ("2",)), "fewer than two photos to fit")
        self.refused(faces, Pairs((((("1", "2")),), ())), "Fold [12] ")

    def test_only_the_probe_itself_is_enrolled(self, faces: FaceSet) -> None:
        setting = Setting(Recipe(), Lists(("1",), ("1", "2"), ("3", "4")), allow_leaks=True)
        with pytest.raises(EigenfacesError, match="Fold 1 is empty"):
            evaluate(faces, setting)

    def test_nobody_to_find(self, rng: np.random.Generator) -> None:
        faces = faces_of(rng, [3, 3, 3])
        of = numbers_of(faces)
        enrolled = tuple(str(row + 1) for row in np.flatnonzero(of < 2))
        asked = tuple(str(row + 1) for row in np.flatnonzero(of == 2))
        self.refused(faces, Lists(enrolled, asked), "Nobody who is searched for is enrolled")


class TestHardlyAnything:
    """The least that can be measured, and faces that tell nothing."""

    @pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
    @pytest.mark.parametrize(
        "recipe",
        [
            Recipe(),
            Recipe.of(components=1.0, distance="Mahalanobis cosine", rule="class mean"),
            Recipe.of(scaling="correlation", neighbours=3),
            Recipe.of(whitening="pca", distance="L1", smoothing=0.1, rule="mean distance"),
        ],
        ids=["plain", "means", "votes", "whitened"],
    )
    def test_two_people_with_two_photos(
        self, rng: np.random.Generator, protocol: Protocol, recipe: Recipe
    ) -> None:
        faces = faces_of(rng, [2, 2, 2] if isinstance(protocol, OpenSet) else [2, 2])
        result = evaluate(faces, Setting(recipe, protocol))
        assert 0 <= value(result, "rank-1") <= 1
        assert result.figure("rank-5") is None
        for figure in result.figures:
            assert 0 <= figure.low <= figure.value <= figure.high <= 1
        assert to_json(Record(result, Preparation(16, 16), Source("sample")))
