"""A whole evaluation: honest, repeatable, stoppable, in one process or several; or a sentence."""

import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import on_file

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe
from eigenfaces.cli.evaluating import repetition
from eigenfaces.errors import Cancelled, NotPossibleError
from eigenfaces.evaluation import run
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.metrics import Metric, StrangerLimits, error_rates
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Fold,
    KFold,
    LeaveOneOut,
    Lists,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.records import (
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    RecipeResult,
    RecipesCompared,
    from_json,
    to_json,
)
from eigenfaces.evaluation.run import (
    STAGES,
    Split,
    compare_recipes,
    evaluate,
    parallel_backend,
    parallel_map,
    participating_faces,
    principal_of,
    stranger_limit,
)
from eigenfaces.faces import network
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.recognition import automatic
from eigenfaces.recognition.limits import general_limit
from eigenfaces.recognition.recipe import RECIPES, Rule
from eigenfaces.space.distances import DISTANCES
from evaluation.drawn import EVERY, faces_of, numbers_of, pairs_of, searches_of, verdicts

pytestmark = pytest.mark.usefixtures("few_draws")


def test_unnamed_and_excluded_photos_do_not_take_part(faces: FaceSet) -> None:
    _, _, first, _, _, second, *_ = faces.index.photos
    unnamed, excluded = replace(first, person=None), replace(second, excluded=True)
    less = faces.with_photos({first.id: unnamed, second.id: excluded})
    rest = faces.select([row for row in range(len(faces)) if row not in (2, 5)])
    assert participating_faces(less).index.photos == rest.index.photos
    setting = EvaluationSetting(Recipe(), LeaveOneOut())
    assert evaluate(less, setting).metrics == evaluate(rest, setting).metrics


@given(st.integers(0, 2**32 - 1), st.sampled_from(list(DISTANCES)))
@settings(max_examples=10)
def test_a_probe_changes_nothing_but_its_own_search(seed: int, distance: str) -> None:
    """Other probes' distances, and the threshold, know nothing of its pixels."""
    rng = np.random.default_rng(seed)
    faces = faces_of(rng, [4, 4, 4, 4], spread=0.3)
    faces = faces.select(np.argsort(numbers_of(faces), kind="stable"))
    pixels = faces.pixels[:]
    pixels[3] = rng.integers(0, 256, pixels.shape[1]) / np.float32(255)
    changed = replace(faces, pixels=Crops(pixels))
    setting = EvaluationSetting(Recipe.of(components=0.9, distance=distance), FirstPhotos(3))
    one, other = evaluate(faces, setting), evaluate(changed, setting)
    assert one.searches.probes.tolist() == [3, 7, 11, 15]
    ours, theirs = one.searches.distances, other.searches.distances
    np.testing.assert_allclose(ours[1:], theirs[1:], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(one.thresholds, other.thresholds, rtol=1e-6, atol=1e-8)
    assert not np.allclose(ours[0], theirs[0])


def test_thresholds_come_from_galleries_without_what_is_held_out(rng: np.random.Generator) -> None:
    """Fitted anew, pixel by pixel, to what is left of each fold's gallery."""
    faces, protocol = faces_of(rng, [6, 7, 5, 6], (16, 16), spread=0.4), KFold(2)
    recipe = Recipe.of(components=6)
    result = evaluate(faces, EvaluationSetting(recipe, protocol, seed=3))
    for fold, threshold in zip(protocol.folds(faces), result.thresholds, strict=True):
        inner = fold.development(numbers_of(faces), 3)
        people = [faces.index.photos[row].person for row in inner.probes]
        comparisons = [
            (match.distance, match.person == person)
            for person, verdict in zip(people, verdicts(faces, inner, recipe), strict=True)
            for match in verdict.ranking
        ]
        distances, mated = (np.array(column) for column in zip(*comparisons, strict=True))
        rates = error_rates(distances, mated.astype(bool))
        assert threshold == pytest.approx(rates.eer[1], rel=1e-4)


def test_a_leak_is_refused_or_allowed_and_counted(faces: FaceSet) -> None:
    lists = Lists(("1", "2", "3", "4"), tuple(str(i) for i in range(4, 17)))
    pixels = np.concatenate([faces.pixels.array, faces.pixels.array[:1]])
    photos = *faces.index.photos, on_file(faces.index.photos[0], sha="copy")
    doubled = FaceSet(Crops(pixels), faces.shape, PhotoIndex(photos))
    allowed = []
    for leaking, protocol, words in (
        (faces, lists, r"“4” .* is searched for, but also enrolled or used for training"),
        (doubled, LeaveOneOut(), "nearly the same picture"),
    ):
        setting = EvaluationSetting(Recipe(), protocol)
        with pytest.raises(LeakError, match=words):
            evaluate(leaking, setting)
        allowed.append(evaluate(leaking, replace(setting, allow_leaks=True)))
    assert {leak.kind for leak in allowed[0].leaks} == {"same photo"}
    assert (allowed[0].searches.taken != allowed[0].searches.probes).all()
    (copies,) = (control for control in allowed[1].controls if control.kind == "duplicates")
    assert (copies.value, copies.low) == (2 / 17, None)


def test_it_can_be_stopped_at_any_point(faces: FaceSet) -> None:
    """One bar for all stages, each of which has a name.

    The folds, the draws of the intervals, both pixel controls, the covered faces.
    """
    ticks, stages = list[tuple[int, int]](), list[tuple[str, int]]()
    setting = EvaluationSetting(Recipe(), OpenSet(1, 0.4, 2))

    def tick(done: int, total: int) -> None:
        ticks.append((done, total))
        if len(ticks) == stop:
            raise Cancelled

    stop = 0
    whole = evaluate(faces, setting, tick, lambda stage: stages.append((stage, len(ticks))))
    percents = [done for done, _ in ticks]
    assert percents == sorted(percents)
    assert all(0 <= done < 100 == total for done, total in ticks)
    assert [stage for stage, _ in stages] == list(STAGES)
    starts = [at for _, at in stages] + [len(ticks)]
    assert all(later - earlier > 1 for earlier, later in itertools.pairwise(starts))
    for place in range(1, len(ticks), max(1, len(ticks) // 8)):
        ticks.clear()
        stop = place
        with pytest.raises(Cancelled):
            evaluate(faces, setting, tick)
    assert evaluate(faces, setting).metrics == whole.metrics


def refused(faces: FaceSet, protocol: Protocol, words: str) -> None:
    with pytest.raises(EigenfacesError, match=words):
        evaluate(faces, EvaluationSetting(Recipe(), protocol, allow_leaks=True))


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
def test_one_person_nobody_or_one_photo_each(rng: np.random.Generator, protocol: Protocol) -> None:
    one = faces_of(rng, [5])
    refused(one, protocol, "at least two people, but there is only “Person 1”")
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
    refused(faces, Lists(tuple(enrolled), tuple(probes)), "None of the people searched for is")


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.kind)
@pytest.mark.parametrize("rule", get_args(Rule))
def test_two_people_with_two_photos(
    rng: np.random.Generator, protocol: Protocol, rule: Rule
) -> None:
    recipe = Recipe.of(components=1.0, rule=rule)
    faces = faces_of(rng, [2, 2, 2] if isinstance(protocol, OpenSet) else [2, 2])
    result = evaluate(faces, EvaluationSetting(recipe, protocol))
    assert 0 <= result.metric("rank-1").value <= 1
    assert result.metric("rank-5") is None
    for figure in result.metrics:
        assert 0 <= figure.low <= figure.value <= figure.high <= 1
    assert to_json(EvaluationRecord(result, Preparation(16, 16), EvaluationSource("sample")))


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_limit_for_strangers_is_that_of_a_gallery_of_these_faces(
    recipe: str, att: FaceSet
) -> None:
    """A fold does what the program does when it calibrates, and asks no probe."""
    faces, by = att.select([row for row in range(100) if row % 10 < 5]), RECIPES[recipe]
    fold = OpenSet(3, 0.2, 1).folds(faces)[0]
    gallery = Gallery(faces.select(fold.gallery), Preparation(*faces.shape), by).train()
    settled = frozenset(combinations(sorted(gallery.people), 2))  # who is who, is known
    calibrated = replace(gallery, settled=settled).calibrate().calibrated
    principal = principal_of(faces, by.features)
    for share in (0.02, 0.3):
        limit = stranger_limit(fold, principal, numbers_of(faces), by, share)
        assert limit == pytest.approx(calibrated.limit(share), rel=1e-6)
        beside = np.concatenate([fold.gallery, fold.probes])  # a probe is not its own neighbour
        all_enrolled = replace(fold, gallery=beside)
        assert stranger_limit(all_enrolled, principal, numbers_of(faces), by, share) == limit


def test_what_limits_did_counted_one_by_one() -> None:
    """Two folds, whose limits are 3 and 5; nobody is named at the limit itself."""
    inf = np.inf
    searches = searches_of(
        [[1, 9, inf], [4, 9, inf], [9, 2, inf], [3, 4, inf], [2, 8, inf], [6, 5, inf], [4, 9, inf]],
        [0, 0, 0, 2, 2, 2, 2],
        [0, 0, 0, 0, 0, 1, 1],
    )
    limits = StrangerLimits.of(searches, np.array([3.0, 5.0]), 0.1)
    fpir, dir_ = limits.metrics
    assert (fpir.kind, fpir.value) == ("FPIR reached", 2 / 4)  # 2 < 3 and 4 < 5, not 3 and 5
    assert (dir_.kind, dir_.value) == ("DIR reached", 1 / 3)  # one is too far, one somebody else
    assert fpir.note.startswith("4 searches of strangers; 10 % allowed")
    half = StrangerLimits.of(searches, np.array([np.nan, 5.0]), 0.1)
    assert [figure.kind for figure in half.metrics] == ["FPIR reached"]
    assert StrangerLimits.of(searches, np.array([3.0, 5.0]), None) is None
    mated = searches.select(searches.mated)
    assert StrangerLimits.of(mated, np.array([3.0, 5.0]), 0.1) is None


def test_no_limit_where_none_can_be_known(rng: np.random.Generator) -> None:
    """Of two people; and where the space is fitted to others than are enrolled."""
    faces = faces_of(rng, [4, 5, 3, 4, 4, 3, 4], (16, 16), spread=0.3)
    recipe = Recipe()
    principal = principal_of(faces, recipe.features)
    of, fold = numbers_of(faces), OpenSet(2).folds(faces)[0]
    few, stranger = np.flatnonzero(of < 2), np.flatnonzero(of == 2)
    two = Fold(few, few, stranger)
    assert np.isnan(stranger_limit(two, principal, of, recipe, 0.1))
    by_network = RECIPES["Network"]  # whose limit was learnt from others
    described = principal_of(faces, by_network.features)
    of_each = np.bincount(of[few])
    law = general_limit(0.01, of_each)
    assert stranger_limit(two, described, of, by_network, 0.01) == pytest.approx(law)
    assert np.isnan(stranger_limit(replace(fold, train=fold.probes), principal, of, recipe, 0.1))
    names = [photo.path.as_posix() for photo in faces.index.photos]
    lists = Lists(*(tuple(names[row] for row in rows) for rows in (few[1:], [few[0], *stranger])))
    result = evaluate(faces, EvaluationSetting(Recipe(), lists, curves=False, share=0.1))
    assert result.strangers.metrics == ()
    assert result.metric("DIR reached") is None
    text = to_json(
        EvaluationRecord(result, Preparation(16, 16), EvaluationSource("folder", "x"), {})
    )
    assert from_json(text).evaluation.strangers.metrics == ()


@pytest.fixture(scope="module")
def eight() -> FaceSet:
    return faces_of(np.random.default_rng(4), [4, 3, 5, 4, 4, 3, 1, 5], (16, 16), spread=0.5)


def test_automatic_measures_what_ten_folds_do(
    eight: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_installed", lambda: True)
    monkeypatch.setattr(automatic, "MOST_BEHIND", 0.0)  # so that all are measured
    ours = compare_recipes(eight, EvaluationSetting(Recipe(), KFold()))
    theirs, _ = automatic.choose_recipe(eight, range(len(eight)), crops=True)
    assert theirs.shares == pytest.approx(ours.shares)
    assert theirs.recipe == ours.chosen[0]


@pytest.mark.parametrize("protocol", [NShot(2, 3), None])
def test_each_is_right_as_often_as_alone(eight: FaceSet, protocol: Protocol | None) -> None:
    setting = EvaluationSetting(
        Recipe(), protocol or pairs_of(eight), 0, curves=False, allow_leaks=True
    )
    for result in compare_recipes(eight, setting, ["Texture", "Eigenfaces"]).results:
        alone = evaluate(eight, replace(setting, recipe=RECIPES[result.recipe])).headline
        numbers = result.figure.value, result.figure.low, result.figure.high
        assert numbers == (alone.value, alone.low, alone.high)


def test_what_cannot_be_used_has_its_reason(
    eight: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise NotPossibleError(network.HOW_TO_GET_IT)

    monkeypatch.setattr(network, "describe", missing)
    monkeypatch.setattr("eigenfaces.recognition.network.DESCRIPTORS", network.FaceDescriptorCache())
    few = eight.select([r for r, p in enumerate(eight.index.photos) if p.person < "Person 5"])
    compared = compare_recipes(few, EvaluationSetting(Recipe(), KFold(2)))
    reasons = {result.recipe: result.reason for result in compared.results}
    assert reasons.pop("Eigenfaces") == ""
    assert reasons.pop("Network") == network.HOW_TO_GET_IT
    assert all("7 people or more, and there are 4" in reason for reason in reasons.values())
    assert compared.sentence == "Automatic would choose Eigenfaces, which is right most often."
    names = [photo.path.as_posix() for photo in few.index.photos]
    first, second = ([names[row] for row in few.index.rows_of(p)] for p in few.index.people[:2])
    mated = Pairs((((first[0], first[1]),), ((second[0], second[1]),)))
    (only,) = compare_recipes(few, EvaluationSetting(Recipe(), mated), ["Eigenfaces"]).results
    assert (only.figure, only.reason[:12]) == (None, "No threshold")


def test_an_error_that_is_none_of_a_recipe_is_not_hidden(
    eight: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a process that was ended: neither beside other recipes nor in a control."""
    setting = EvaluationSetting(Recipe(), KFold(2), curves=False)
    evaluate_folds = run.evaluate_folds

    def covered_fails(split: Split, *args: Any, **more: Any) -> list[run.FoldResult]:
        if split.faces.pixels is not taking_part.pixels and more.get("answers_only"):
            raise EigenfacesError("A process was ended.")
        return evaluate_folds(split, *args, **more)

    taking_part = participating_faces(eight)
    monkeypatch.setattr(run, "participating_faces", lambda faces: taking_part)
    monkeypatch.setattr(run, "evaluate_folds", covered_fails)
    with pytest.raises(EigenfacesError, match="A process was ended"):
        evaluate(eight, setting)

    def all_fail(*args: Any, **more: Any) -> list[run.FoldResult]:
        raise EigenfacesError("A process was ended.")

    monkeypatch.setattr(run, "evaluate_folds", all_fail)
    with pytest.raises(EigenfacesError, match="A process was ended"):
        compare_recipes(eight, setting)


@pytest.mark.parametrize("measure", [compare_recipes, evaluate])
def test_preparing_the_faces_can_be_stopped(
    eight: FaceSet, measure: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be most of the work: by Network each face is described."""

    def prepares(features: object, crops: Crops, shape: object, tick: Callable[..., None]) -> Crops:
        tick(1, 2)
        pytest.fail("it was not stopped")

    def stop(done: int, total: int) -> None:
        raise Cancelled

    monkeypatch.setattr(type(RECIPES["Eigenfaces"].features), "of_all", prepares)
    with pytest.raises(Cancelled):
        measure(eight, EvaluationSetting(Recipe(), KFold(2), curves=False), tick=stop)


@pytest.mark.parametrize("asked", [False, True])
def test_pairs_are_measured_with_covered_faces_on_request(eight: FaceSet, asked: bool) -> None:
    """By Network that takes as long as the figure itself."""
    setting = EvaluationSetting(
        Recipe(), pairs_of(eight), curves=False, allow_leaks=True, controls=asked
    )
    kinds = [control.kind for control in evaluate(eight, setting).controls]
    assert ("face covered" in kinds) == asked


def test_cut_coordinates_name_the_same_people(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of very many faces: here of the 399 coordinates of the sample 380 are kept."""
    for name in ("Eigenfaces", "Fisherfaces", "Texture"):
        setting = EvaluationSetting(RECIPES[name], FirstPhotos(5), curves=False)
        whole = evaluate(att, setting).searches
        with monkeypatch.context() as patch:
            patch.setattr("eigenfaces.space.principal.MOST_COORDINATES", 380)
            cut = evaluate(att, setting).searches
        assert whole is not None
        assert cut is not None
        assert np.mean(whole.answers == cut.answers) >= 0.975
        assert not np.allclose(whole.answer_distances, cut.answer_distances, rtol=1e-9)


def test_the_sentence_says_which_and_why() -> None:
    def sentence(leaks: int = 0, crops: bool = True, **shares: float) -> str:
        results = [RecipeResult(n, Metric("rank-1", s, 0, 1, "")) for n, s in shares.items()]
        return RecipesCompared(tuple(results), leaks, crops).sentence

    near = sentence(Eigenfaces=0.95, Texture=0.97)
    assert near.startswith(
        "Automatic would choose Eigenfaces, the simplest of those within 3 points"
    )
    assert near.endswith("Texture is 2.0 points ahead.")
    for tied in (0.97, 0.9697):
        assert sentence(crops=False, Network=tied, Texture=0.97, Fisherfaces=0.9).endswith(
            "Texture is right as often." if tied < 0.97 else "which is right most often."
        )
    far = sentence(Eigenfaces=0.5, Network=0.97, leaks=2)
    assert far.startswith("Automatic would choose Network, which is right most often.")
    assert far.endswith("all results are too good.")
    photos = sentence(crops=False, Eigenfaces=0.95, Texture=0.97, Network=0.96)
    assert "choose Network, the best at rejecting strangers of those within 3 points" in photos
    assert sentence() == "None of the recipes could be evaluated."


NINE = np.arange(9)
FACES = FaceSet.from_arrays(np.zeros((9, 3, 3)), ["a"] * 9)
SPLIT = Split(FACES, NINE, [Fold(NINE, NINE, NINE)] * 4, (), ())


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two processes always pay."""
    monkeypatch.setattr(run, "_PAYS", 0.0)
    monkeypatch.setattr("joblib.cpu_count", lambda: 2)
    yield
    for thread in threading.enumerate():
        if thread.name == "QueueFeederThread":  # of processes that were ended
            thread.join(30)


def test_in_several_processes_it_is_the_same(
    rng: np.random.Generator, request: pytest.FixtureRequest
) -> None:
    faces = faces_of(rng, [4] * 8, (46, 40), spread=0.4)
    setting, ticks = EvaluationSetting(Recipe(), OpenSet(1, 0.4, 2), share=0.1), list[int]()
    here = evaluate(faces, setting)
    request.getfixturevalue("two")
    there = evaluate(faces, setting, lambda done, _: ticks.append(done))
    records = (
        EvaluationRecord(run, Preparation(46, 40), EvaluationSource("folder"))
        for run in (here, there)
    )
    assert repetition(*records)["same"]
    assert ticks == sorted(ticks)


def test_one_fold_or_work_that_fills_the_memory_begins_no_process(
    two: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with parallel_backend(replace(SPLIT, folds=SPLIT.folds[:1])) as sharing:
        assert sharing is None
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=2e8))
    with parallel_backend(SPLIT) as sharing:
        assert sharing is None


def begin_then_wait(folder: Path, number: int) -> None:
    """Leave a file when a process has begun, and stay there for a minute."""
    (folder / f"{number}").touch()
    time.sleep(60)


def fall(_: object, number: int) -> None:
    os._exit(number + 1)


def fail(_: object, number: int) -> None:
    raise EigenfacesError(f"Number {number} is impossible.")


@pytest.mark.parametrize(("work", "words"), [(fall, "memory ran out"), (fail, "is impossible")])
def test_a_process_that_falls_or_fails_is_reported(
    two: None, work: Callable[[object, int], None], words: str
) -> None:
    with pytest.raises(EigenfacesError, match=words), parallel_backend(SPLIT) as sharing:
        list(parallel_map(work, None, range(3), sharing))


def test_stopping_ends_the_processes_and_waits_for_nothing(two: None, tmp_path: Path) -> None:
    begun = list[psutil.Process]()

    def tick(_done: int, _total: int) -> None:
        if len(list(tmp_path.iterdir())) == 2:
            begun.extend(
                process
                for process in psutil.Process().children(recursive=True)
                if "resource_tracker" not in " ".join(process.cmdline())  # stays with this one
            )
            raise Cancelled

    with pytest.raises(Cancelled), parallel_backend(SPLIT) as sharing:
        list(parallel_map(begin_then_wait, tmp_path, range(4), sharing, tick))
    assert len(begun) >= 2
    _, alive = psutil.wait_procs(begun, timeout=30)
    assert not alive


def ignores_ctrl_c(_: object, number: int) -> bool:
    signal.raise_signal(signal.SIGINT)
    return True


def test_ctrl_c_is_left_to_the_program_that_began_them(two: None) -> None:
    with parallel_backend(SPLIT) as sharing:
        assert all(parallel_map(ignores_ctrl_c, None, range(3), sharing))


def test_no_dask_and_no_answer_are_sentences(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = EvaluationSetting(Recipe(), KFold(5))
    for address in ("tcp://127.0.0.1:9", "nonsense://", "127.0.0.1:x"):
        with pytest.raises(EigenfacesError, match="No Dask scheduler with workers answers"):
            evaluate(faces, setting, cluster=address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EigenfacesError, match=r"install “eigenfaces\[dask\]”"):
        evaluate(faces, setting, cluster="tcp://127.0.0.1:9")


def test_the_threshold_of_a_set_of_pairs_is_that_of_the_others(att: FaceSet) -> None:
    """By Network, whose distances are the same in every fold."""
    faces = att.select([row for row in range(120) if row % 10 < 6])
    setting = EvaluationSetting(RECIPES["Network"], pairs_of(faces, 3), allow_leaks=True)
    result = evaluate(faces, setting)
    pairs = result.pairs
    assert pairs is not None
    thresholds = []
    for number in range(3):
        others = pairs.fold != number
        rates = error_rates(pairs.distances[others], pairs.mated[others])
        thresholds.append(rates.min_hter[1])
    assert len({*thresholds}) > 1
    np.testing.assert_allclose(result.thresholds, thresholds, rtol=1e-6)
