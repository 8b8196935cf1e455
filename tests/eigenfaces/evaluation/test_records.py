"""Records: what is read is what was written; what is damaged is said to be."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic import on_file

from eigenfaces import EigenfacesError, FaceSet, Preparation, Recipe
from eigenfaces.evaluation.curves import curves_of
from eigenfaces.evaluation.protocols import KFold, Lists, OpenSet, Pairs, Protocol
from eigenfaces.evaluation.records import (
    REPORT_VERSION,
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    from_json,
    to_json,
)
from eigenfaces.evaluation.result_words import key_figures, single_searches
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FaceId
from evaluation.drawn import EVERY, faces_of

SEVERAL: list[Protocol] = [
    *EVERY,
    Lists(("1", "2", "3", "4", "5", "6"), ("7", "8"), ("1", "2", "3", "4")),
    Pairs(((("1", "2"), ("3", "4")), (("5", "6"), ("7", "8")), (("9", "10"), ("11", "12")))),
]
CUT = Preparation(16, 16, already_cropped=True)

pytestmark = pytest.mark.usefixtures("few_draws")


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return faces_of(np.random.default_rng(1), [4, 3, 4, 3], (16, 16), spread=0.3)


def record(faces: FaceSet, protocol: Protocol, **setting: Any) -> EvaluationRecord:
    recipe = Recipe.of(components=5, distance="L1")
    done = evaluate(faces, EvaluationSetting(recipe, protocol, allow_leaks=True, **setting))
    return EvaluationRecord(done, CUT, EvaluationSource("folder", "some/where", "*.png", None))


@pytest.mark.parametrize("protocol", SEVERAL, ids=lambda protocol: protocol.kind)
def test_every_kind_comes_back(faces: FaceSet, protocol: Protocol) -> None:
    made = record(faces, protocol, seed=7)
    text = to_json(made)
    back = from_json(text)
    assert to_json(back) == text
    assert back.evaluation.setting == made.evaluation.setting
    ours, theirs = (vars(record.evaluation.scores) for record in (made, back))
    for name, array in ours.items():
        np.testing.assert_array_equal(array, theirs[name], strict=True)
    assert to_json(record(faces, protocol, seed=7)) == text  # again, bit for bit


def test_numbers_that_could_not_be_had_are_null_and_names_are_of_any_kind(faces: FaceSet) -> None:
    """A file name that is no valid text can be written all the same, and comes back."""
    photos = list(faces.index.photos)
    names = ["ünï 李.png", os.fsdecode(b"caf\xe9.png"), 'q"\\\n.png']
    for row, name in enumerate(names):
        photos[row] = on_file(photos[row], Path("some") / name)
    made = record(replace(faces, index=PhotoIndex(tuple(photos))), OpenSet(1, 0.5, 2))
    result, thresholds = made.evaluation, np.array([np.nan, 0.1 + 0.2])
    odd = (replace(result.controls[0], value=np.nan),)
    text = to_json(replace(made, evaluation=replace(result, thresholds=thresholds, controls=odd)))
    text.encode()
    assert "NaN" not in text
    assert "Infinity" not in text
    content, back = json.loads(text), from_json(text).evaluation
    assert content["thresholds"] == [None, 0.30000000000000004]
    assert None in content["searches"]["distances"][0]  # not enrolled
    np.testing.assert_array_equal(back.thresholds, thresholds)
    assert np.isnan(back.controls[0].value)
    assert np.isinf(back.searches.distances[0]).any()
    assert [photo.path for photo in back.photos[:3]] == [photo.path for photo in photos[:3]]


def places(content: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where everything in a JSON value is."""
    if at:
        yield at
    inside = content.items() if isinstance(content, dict) else enumerate(content)
    for name, value in inside:
        if isinstance(value, dict | list):
            yield from places(value, (*at, name))
        else:
            yield (*at, name)


def damaged(whole: str, at: tuple[Any, ...], value: Any) -> str:
    """Put something else at a place; `...` takes it out."""
    changed = inside = json.loads(whole)
    for name in at[:-1]:
        inside = inside[name]
    if value is ...:
        del inside[at[-1]]
    else:
        inside[at[-1]] = value
    return json.dumps(changed)


WRONG = [..., None, "x", 10**400, 1e999, -(10**6), 1.5, True, [], {}, [[1]], {"a": 1}]


@pytest.mark.parametrize("protocol", [OpenSet(1, 0.4, 2), SEVERAL[-1]], ids=["searches", "pairs"])
def test_damage_is_a_sentence(faces: FaceSet, protocol: Protocol) -> None:
    """Anything taken out, or anything else put there: refused in words, or harmless."""
    whole = to_json(record(faces, protocol))
    rng = np.random.default_rng(0)
    everywhere = list(places(json.loads(whole)))
    top = [at for at in everywhere if len(at) <= 3]
    inner = [everywhere[i] for i in rng.integers(0, len(everywhere), 100)]
    refused = 0
    for at in [*top, *inner]:
        for value in rng.choice(np.array(WRONG, object), 3, replace=False):
            text = damaged(whole, at, value)
            try:
                result = from_json(text).evaluation
            except EigenfacesError:
                refused += 1
                continue
            curves_of(result)  # with all that pages and reports do
            key_figures(result)
            single_searches(result, range(len(result.searches or result.pairs)))
    assert refused > len(top)


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1}', "[" * 100_000, '{"version": 1}'])
def test_no_record_at_all(text: str) -> None:
    with pytest.raises(EigenfacesError, match="not a report of an evaluation, or it is damaged"):
        from_json(text)


def test_the_names_of_the_file(faces: FaceSet) -> None:
    """Settings, seed, versions, the SHA-256 of every photograph, every score."""
    text = to_json(record(faces, KFold(3, seed=5), seed=9))
    newer = json.loads(text) | {"version": REPORT_VERSION + 1, "searches": "something new"}
    with pytest.raises(EigenfacesError, match=r"newer version\. Update the program\."):
        from_json(json.dumps(newer))
    content = json.loads(text)
    assert content["setting"]["seed"] == 9
    assert content["setting"]["protocol"] == {"kind": "k-fold", "parts": 3, "seed": 5}
    assert content["setting"]["recipe"]["distance"] == "L1"
    assert {"python", "machine", "numpy", "eigenfaces"} <= content["made_with"].keys()
    ids = [FaceId(photo["sha256"], photo["face"]) for photo in content["photos"]]
    assert ids == [photo.id for photo in faces.index.photos]
    assert set(content["photos"][0]) == {"file", "sha256", "face", "person", "size"}
    assert np.shape(content["searches"]["distances"]) == (14, 4)
    assert set(content["metrics"][0]) == {"name", "value", "low", "high", "note", "by"}
    for part in ("metrics", "controls"):
        for value in ("rank-17", None, 5, ...):
            with pytest.raises(EigenfacesError, match="damaged"):
                from_json(damaged(text, (part, 0, "name"), value))
