"""Limits for strangers inside the folds: from the gallery alone, and what they did."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery, Preparation
from eigenfaces.evaluation.metrics import StrangerLimits
from eigenfaces.evaluation.protocols import Fold, Lists, OpenSet
from eigenfaces.evaluation.records import Record, Setting, Source, from_json, to_json
from eigenfaces.evaluation.run import evaluate, stranger_limit
from eigenfaces.evaluation.searches import Spaces
from eigenfaces.faces import network
from eigenfaces.recognition.recipe import RECIPES, Recipe
from evaluation.drawn import faces_of, numbers_of, searches_of

pytestmark = pytest.mark.usefixtures("few_draws")

OPEN = OpenSet(2, 0.4, 2)


@pytest.fixture
def people(rng: np.random.Generator) -> FaceSet:
    return faces_of(rng, [4, 5, 3, 4, 4, 3, 4], (16, 16), spread=0.3)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_limit_is_that_of_a_gallery_of_these_faces(recipe: str, att: FaceSet) -> None:
    """A fold does what the program does when it calibrates, and asks no probe."""
    faces, by = att.select([row for row in range(100) if row % 10 < 5]), RECIPES[recipe]
    fold = OpenSet(3, 0.2, 1).folds(faces)[0]
    gallery = Gallery(faces.select(fold.gallery), Preparation(*faces.shape), by).train()
    calibrated = gallery.calibrate().calibrated
    spaces = Spaces.of(faces, by)
    for share in (0.02, 0.3):
        limit = stranger_limit(fold, spaces, numbers_of(faces), share)
        assert limit == pytest.approx(calibrated.limit(share), rel=1e-4)


def test_what_they_did_counted_one_by_one() -> None:
    """Two folds, whose limits are 3 and 5; nobody is named at the limit itself."""
    inf = np.inf
    searches = searches_of(
        [[1, 9, inf], [4, 9, inf], [9, 2, inf], [3, 4, inf], [2, 8, inf], [6, 5, inf], [4, 9, inf]],
        [0, 0, 0, 2, 2, 2, 2],
        [0, 0, 0, 0, 0, 1, 1],
    )
    limits = StrangerLimits.of(searches, np.array([3.0, 5.0]), 0.1, 3)
    fpir, dir_ = limits.figures
    assert (fpir.kind, fpir.value) == ("FPIR reached", 2 / 4)  # 2 < 3 and 4 < 5, not 3 and 5
    assert (dir_.kind, dir_.value) == ("DIR reached", 1 / 3)  # one is too far, one somebody else
    assert fpir.note.startswith("4 searches of strangers; 10 % asked")
    half = StrangerLimits.of(searches, np.array([np.nan, 5.0]), 0.1, 3)
    assert [figure.kind for figure in half.figures] == ["FPIR reached"]
    assert StrangerLimits.of(searches, np.array([3.0, 5.0]), None, 3) is None
    mated = searches.some(searches.mated)
    assert StrangerLimits.of(mated, np.array([3.0, 5.0]), 0.1, 3) is None


def test_no_limit_where_none_can_be_known(people: FaceSet) -> None:
    """Of two people; and where the space is fitted to others than are enrolled."""
    spaces = Spaces.of(people, Recipe())
    fold = OPEN.folds(people)[0]
    members = people.index.people[:2]
    few = np.sort(np.concatenate([people.index.rows_of(name) for name in members]))
    stranger = np.array(people.index.rows_of(people.index.people[2]))
    assert np.isnan(stranger_limit(Fold(few, few, stranger), spaces, numbers_of(people), 0.1))
    by_network = Spaces.of(people, RECIPES["Network"])  # whose limit was learnt from others
    limits = stranger_limit(Fold(few, few, stranger), by_network, numbers_of(people), 0.01)
    assert limits == network.limit(0.01)
    assert np.isnan(
        stranger_limit(replace(fold, train=fold.probes), spaces, numbers_of(people), 0.1)
    )
    names = [photo.path.as_posix() for photo in people.index.photos]
    lists = Lists(*(tuple(names[row] for row in rows) for rows in (few[1:], [few[0], *stranger])))
    result = evaluate(people, Setting(Recipe(), lists, curves=False, share=0.1))
    assert result.strangers.figures == ()
    assert result.figure("DIR reached") is None
    text = to_json(Record(result, Preparation(16, 16), Source("folder", "x"), {}))
    assert from_json(text).evaluation.strangers.figures == ()
