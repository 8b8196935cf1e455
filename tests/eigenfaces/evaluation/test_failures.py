"""Photographs without a face count as failures: in every figure, in the words, and in the JSON."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import people

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.curves import curves_of
from eigenfaces.evaluation.metrics import MetricKind
from eigenfaces.evaluation.protocols import Lists, Pairs, Protocol
from eigenfaces.evaluation.records import (
    Evaluation,
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    from_json,
    to_json,
)
from eigenfaces.evaluation.result_words import key_figures, remarks
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.find import Skipped


def without_face(*names: str) -> tuple[Skipped, ...]:
    """Return photographs without a face: “Person 1/x.png” is of Person 1, “Person 9/…” as well."""
    return tuple(Skipped(Path(n), "No face.", Path(n).parts[0], "no face") for n in names)


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    """Three people × four photographs, 1.png to 4.png in a folder each, far apart."""
    made = people(np.random.default_rng(0), 3, 4, spread=0.01)
    photos = {}
    for row, photo in enumerate(made.index.photos):
        place = Path(photo.person or "") / f"{row % 4 + 1}.png"
        photos[photo.id] = replace(photo, photograph=replace(photo.photograph, path=place))
    return made.with_photos(photos)


def names(number: str, *others: str) -> tuple[str, ...]:
    return (*(f"Person {person}/{number}.png" for person in (1, 2, 3)), *others)


def measured(faces: FaceSet, protocol: Protocol, share: float | None = None) -> Evaluation:
    return evaluate(
        faces, EvaluationSetting(Recipe.of(components=3), protocol, allow_leaks=True, share=share)
    )


def value(evaluation: Evaluation, kind: MetricKind) -> float:
    figure = evaluation.metric(kind)
    assert figure is not None
    return figure.value


def test_a_search_without_a_face_is_wrong_in_every_figure(faces: FaceSet) -> None:
    seen = replace(faces, skipped=without_face("Person 1/9.png"))
    protocol = Lists(names("1"), (*names("2"), *names("3")[:2], "Person 1/9.png"))
    done = measured(seen, protocol)
    first = done.metric("rank-1")
    assert first is not None
    assert first.value == pytest.approx(5 / 6)
    assert first.note.startswith("6 searches of 3 people among 3 enrolled, 1 of which failed")
    assert value(done, "balanced accuracy") == pytest.approx((2 / 3 + 1 + 1) / 3)
    assert value(done, "EER") == pytest.approx((1 / 6 + 2 / 10) / 2)  # one of six never matches
    assert value(done, "least HTER") == pytest.approx(1 / 12)
    assert done.by_components is not None
    for line in done.by_components.accuracy.values():
        assert line.max() == pytest.approx(5 / 6)
    pixels = next(control for control in done.controls if control.kind == "pixels L2")
    assert pixels.value == pytest.approx(5 / 6)
    curve = curves_of(done).cumulative_match
    assert curve is not None
    np.testing.assert_allclose(curve.y, 5 / 6)
    assert key_figures(done)[-1].interval == "of 6 searches"
    assert key_figures(done)[-1].value == "1"
    (remark,) = (one for one in remarks(done) if one.control.kind == "not acquired")
    assert "1 search of somebody enrolled failed because of this" in remark.sentence
    record = EvaluationRecord(done, Preparation(16, 16), EvaluationSource("folder", "here"))
    back = from_json(to_json(record)).evaluation
    assert key_figures(back) == key_figures(done)
    assert to_json(replace(record, evaluation=back)) == to_json(record)


def test_searches_for_somebody_of_whom_nothing_could_be_enrolled_fail(faces: FaceSet) -> None:
    """Whether that person is on a face or not; who is not to be enrolled is a stranger."""
    lost = without_face("Person 3/9.png", "Person 7/1.png", "Person 7/2.png", "Person 8/2.png")
    gallery = ("Person 1/1.png", "Person 2/1.png", "Person 3/9.png", "Person 7/1.png")
    probes = names("2", "Person 7/2.png", "Person 8/2.png")
    done = measured(replace(faces, skipped=lost), Lists(gallery, probes))
    assert value(done, "rank-1") == 0.5
    assert done.searches is not None
    assert done.searches.mated.all()  # nobody was asked about as a stranger
    assert len(done.failed) == 2


def test_strangers_limits_and_rates_count_failures(faces: FaceSet) -> None:
    crowd = people(np.random.default_rng(1), 6, 4, spread=0.01)
    seen = replace(crowd, skipped=without_face("Person 1/90.png"))
    rows = [str(photo.path) for photo in crowd.index.photos]
    gallery = tuple(rows[at] for at in range(16) if at % 4)  # four members
    probes = (*(rows[at] for at in range(0, 16, 4)), *rows[16:], "Person 1/90.png")
    done = measured(seen, Lists(gallery, tuple(probes)), share=0.3)
    assert value(done, "DIR reached") <= 4 / 5
    curve = curves_of(done).stranger_rates
    assert curve is not None
    assert curve.y.min() == pytest.approx(1 / 5)


def test_a_pair_without_a_face_is_decided_wrongly(faces: FaceSet) -> None:
    seen = replace(faces, skipped=without_face("Person 1/9.png"))
    sets = tuple(
        tuple(
            (f"Person {one}/{a}.png", f"Person {two}/{b}.png")
            for one, two in ((1, 1), (2, 2), (1, 2), (2, 3))
        )
        for a, b in ((1, 2), (3, 4))
    )
    sets = (
        (*sets[0], ("Person 1/9.png", "Person 1/1.png"), ("Person 1/9.png", "Person 2/1.png")),
        sets[1],
    )
    done = measured(seen, Pairs(sets))
    accuracy = done.metric("pair accuracy")
    assert accuracy is not None
    assert accuracy.value == pytest.approx((4 / 6 + 1) / 2)
    assert "10 pairs in 2 folds, 2 of which failed" in accuracy.note
    assert value(done, "EER") == pytest.approx((1 / 5 + 1 / 4) / 2)  # one of five never matches
    assert key_figures(done)[-1].value == "2"
    refused = replace(Pairs(sets), missing="refuse")
    with pytest.raises(Exception, match=r"Person 1/9\.png"):
        measured(seen, refused)
