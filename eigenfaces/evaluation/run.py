"""Evaluate a recipe on named faces by a protocol.

In each fold, everything that is fitted (mean, face space, whitening, number of components for a
share, threshold) is fitted to that fold's own training faces. Each is measured by itself, from
values alone: here, or in another process.
"""

from __future__ import annotations

import math
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError, Tick, in_stages, no_tick, part_of
from eigenfaces.evaluation.by_components import (
    FoldByComponents,
    curve_distances,
    of_fold,
    summed_up,
)
from eigenfaces.evaluation.compare import p_words, paired_test
from eigenfaces.evaluation.controls import (
    MOST_PIXEL_BASELINES,
    PIXEL_BASELINES,
    Control,
    ControlKind,
    Leak,
    LeakError,
    covered,
    find_leaks,
    guessing,
    pixel_distances,
)
from eigenfaces.evaluation.metrics import (
    NO_THRESHOLD,
    Comparisons,
    Figure,
    StrangerLimits,
    error_rates,
    identification,
    open_set,
    pair_accuracy,
    verification,
)
from eigenfaces.evaluation.protocols import NOT_ACQUIRED, Fold, Lists, Pairs, rows_named
from eigenfaces.evaluation.records import (
    Evaluation,
    Partial,
    RecipeResult,
    RecipesCompared,
    Setting,
    Watch,
)
from eigenfaces.evaluation.searches import (
    Compared,
    InSpace,
    PairScores,
    Precomputed,
    Searches,
    Spaces,
    compare_pairs,
    joined,
    search,
)
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.recognition.calibration import FEWEST_PEOPLE, Refits, limit_in
from eigenfaces.recognition.features import numbered
from eigenfaces.recognition.gallery import Duplicate, find_duplicates
from eigenfaces.recognition.recipe import RECIPES, Matcher
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import count, some_of

RECOGNISING, INTERVALS, PIXELS, COVERED = "recognising", "intervals", "pixels", "faces covered"
STAGES = {RECOGNISING: 60, INTERVALS: 10, PIXELS: 10, COVERED: 20}  # per cent of the time

_PAYS = 5e6  # Σ n² over folds fitted to n faces from which processes pay: some five seconds of work


@dataclass(frozen=True, eq=False)
class Split:
    """The n faces that take part, their people (n,), the folds, duplicates and leaks."""

    faces: FaceSet
    people: Numbers
    folds: Sequence[Fold]
    duplicates: Sequence[Duplicate]
    leaks: tuple[Leak, ...]

    @property
    def count(self) -> int:
        """The number of people that take part."""
        return len(self.faces.index.people)

    def shared(self, cluster: str | None) -> AbstractContextManager[Sharing | None]:
        """Return how to share out the folds, as a context: to nobody where that does not pay."""
        pays = cluster is not None or sum(len(fold.train) ** 2 for fold in self.folds) > _PAYS
        features = self.faces.pixels.shape[1]
        return shared_out(self.folds, features, cluster) if pays else nullcontext()

    @property
    def in_pairs(self) -> bool:
        """Whether pairs of photographs are compared, instead of searches in a gallery."""
        return any(len(fold.pairs) for fold in self.folds)


@dataclass(frozen=True, eq=False)
class FoldResult:
    """The raw results of a fold; thresholds are NaN where none could be chosen."""

    scores: Searches | PairScores
    threshold: float = math.nan
    limit: float = math.nan
    curves: FoldByComponents | None = None


def participating_faces(faces: FaceSet) -> FaceSet:
    """Return the faces that have a name and are not excluded."""
    rows = [r for r, p in enumerate(faces.index.photos) if p.person is not None and not p.excluded]
    return faces.select(rows)


def evaluate(
    faces: FaceSet,
    setting: Setting,
    tick: Tick = no_tick,
    watch: Watch | None = None,
    enter: Callable[[str], object] = lambda name: None,
    *,
    cluster: str | None = None,
) -> Evaluation:
    """Return the evaluation of a recipe on n faces; unnamed and excluded ones do not take part.

    The same faces and setting give the same figures and scores, to about 1e-12 of each. What takes
    long is shared out over processes, or over the workers of a Dask ``cluster``, by the address of
    its scheduler. ``tick`` gets the percentage of all work, before every fold of every stage and
    every draw of the resampling; ``enter`` the name of every stage of `STAGES` as it begins;
    ``watch`` the results so far, after every fold of the main stage.

    Raises `LeakError` for a split with leaks that are not allowed, and `EigenfacesError` where the
    protocol is not possible with these faces, or no cluster answers.
    """
    split, begin, strangers = make_split(faces, setting), in_stages(STAGES, tick, enter), None
    index = split.faces.index
    with threadpool_limits(1, "blas"), split.shared(cluster) as sharing:
        results = measure(split, setting, begin(RECOGNISING), watch, sharing=sharing)
        curves = [each.curves for each in results if each.curves is not None]
        by_components = summed_up(curves, split.count) if curves else None
        scores, thresholds = _whole(results)
        limits = np.array([each.limit for each in results])
        del results, curves  # of many folds, these are large
        figures = _figures(scores, thresholds, split, setting.seed, begin(INTERVALS))
        if isinstance(scores, Searches):
            strangers = StrangerLimits.of(scores, limits, setting.share, split.count)
        controls = tuple(_controls(split, setting, begin, sharing))
    return Evaluation(
        setting=setting,
        photos=index.photos,
        people=index.people,
        searches=scores if isinstance(scores, Searches) else None,
        pairs=scores if isinstance(scores, PairScores) else None,
        thresholds=thresholds,
        figures=tuple(figures),
        by_components=by_components,
        controls=controls,
        duplicates=tuple(split.duplicates),
        leaks=split.leaks,
        left_out=tuple(_with_fewer(index, getattr(setting.protocol, "photos_needed", 1))),
        unused=split.faces.skipped,
        strangers=strangers,
    )


def compare_recipes(
    faces: FaceSet,
    setting: Setting,
    names: Collection[str] = RECIPES.keys(),
    tick: Tick = no_tick,
    *,
    crops: bool = True,
    cluster: str | None = None,
) -> RecipesCompared:
    """Return how often recipes are right, all in the same folds: those of a setting.

    A recipe that cannot be used on these faces has the reason instead of a figure. Parameters and
    errors are those of `evaluate`; the recipe of the setting is not looked at. ``crops``: whether
    the faces are ready crops, not cut out of photographs, as Automatic wants to know.
    """
    split, results, right = make_split(faces, setting), list[RecipeResult](), dict[str, Numbers]()
    asked, who = [name for name in RECIPES if name in names], np.empty(0, np.intp)
    with threadpool_limits(1, "blas"), split.shared(cluster) as sharing:
        for number, name in enumerate(asked):
            step = part_of(tick, number, len(asked))
            plain = replace(setting, recipe=RECIPES[name], curves=False, share=None)
            try:
                found = measure(split, plain, step, answers_only=True, sharing=sharing)
            except EigenfacesError as error:
                results.append(RecipeResult(name, None, str(error)))
                continue
            scores, thresholds = _whole(found)
            figure = _first_figure(scores, thresholds, split)
            results.append(RecipeResult(name, figure, "" if figure else NO_THRESHOLD))
            if isinstance(scores, Searches):
                who, hits = scores.people[scores.mated], scores.right[scores.mated]
            else:
                who, hits = split.people[scores.pairs[:, 0]], scores.right(thresholds)
            right[name] = np.bincount(who, hits, minlength=split.count)
    compared = RecipesCompared(tuple(results), leaks=len(split.leaks), crops=crops)
    chosen, best = compared.chosen
    if chosen == best:
        return compared
    p = paired_test(right[chosen], right[best])
    return replace(compared, doubt=p_words(p, len(np.unique(who))))


def make_split(faces: FaceSet, setting: Setting) -> Split:
    """Return the folds; raise `EigenfacesError` if they are not possible, or have leaks."""
    faces, protocol = participating_faces(faces), setting.protocol
    people = faces.index.people
    if len(people) < 2:
        who = f"there is only “{people[0]}”" if people else "nobody is named on these photos"
        raise EigenfacesError(
            f"An evaluation needs photos of at least two people, and {who}. Add or name photos."
        )
    if not np.isfinite(faces.pixels.held).all():
        raise EigenfacesError("Some faces hold values that are not numbers. Cut them anew.")
    if isinstance(protocol, Pairs):  # what is in no pair is not looked at: LFW has 5,000 such
        (named,) = rows_named(faces, protocol.names, missing=protocol.missing)
        faces = faces.select(sorted({row for row in named if row >= 0}))
    folds = protocol.folds(faces)
    if not folds:
        needed = getattr(protocol, "photos_needed", 2)
        few = [f"{name} ({held})" for name, held in _with_fewer(faces.index, needed).items()]
        shown = some_of(few, 8) or "with so many strangers, fewer than two would be enrolled"
        raise EigenfacesError(
            f"“{protocol.words()}” needs people with at least {needed} photos each. Too few have "
            f"that many: {shown}. Add photos, or choose another protocol."
        )
    for number, fold in enumerate(folds, start=1):
        enrolled = np.unique(fold.gallery)
        if len(enrolled) == 1:  # and not searched for in itself
            enrolled = np.setdiff1d(enrolled, fold.probes)
        lacks = "has fewer than two photos to fit a face space to"
        if not len(fold.pairs) and not (len(fold.probes) and len(enrolled)):
            lacks = "is empty: it needs faces to enrol and to search for"
        elif len(fold.train) > 1:
            continue
        raise EigenfacesError(f"Fold {number} {lacks}.")
    of = numbered([photo.person for photo in faces.index.photos])
    mated = (len(fold.pairs) or np.isin(of[fold.probes], of[fold.gallery]).any() for fold in folds)
    if not any(mated):
        raise EigenfacesError(
            "Nobody who is searched for is enrolled, so there is nothing to find. Enrol other "
            "photos of the same people."
        )
    duplicates = find_duplicates(faces)
    leaks = find_leaks(faces, folds, duplicates)
    if leaks and not setting.allow_leaks:
        raise LeakError(leaks)
    return Split(faces, of, folds, duplicates, leaks)


def check_component_count(faces: FaceSet, setting: Setting) -> None:
    """Raise `EigenfacesError` if more components are asked for than a fold can have."""
    if setting.recipe.features.LEARNT_OUTSIDE:
        return
    asked, faces = setting.recipe.matcher.components, participating_faces(faces)
    folds = setting.protocol.folds(faces) if len(faces.index.people) > 1 else []
    most = min((len(fold.train) for fold in folds), default=0) - 1
    if isinstance(asked, int) and 0 < most < asked:
        raise EigenfacesError(
            f"These folds have at most {count(most, 'component')}, and {asked} are to be compared. "
            f"Ask for {most} or fewer."
        )


def _with_fewer(index: PhotoIndex, needed: int) -> dict[str, int]:
    held = {name: len(index.rows_of(name)) for name in index.people}
    return {name: number for name, number in held.items() if number < needed}


def measure(
    split: Split,
    setting: Setting,
    tick: Tick = no_tick,
    watch: Watch | None = None,
    *,
    answers_only: bool = False,
    sharing: Sharing | None = None,
) -> list[FoldResult]:
    """Return the raw results of all folds; ``answers_only``: without distances and thresholds."""
    first: Tick = no_tick
    if setting.recipe.features.LEARNT_OUTSIDE:  # to describe all faces may take most of the time
        first, tick = part_of(tick, 0, 2), part_of(tick, 1, 2)
    spaces = Spaces.of(split.faces, setting.recipe, first)
    common = spaces, setting, split.people, answers_only
    done, total, numbered = list[FoldResult](), len(split.folds), enumerate(split.folds)

    def here() -> Iterator[FoldResult]:
        for each in numbered:
            tick(each[0], total)
            yield _measured(common, each)

    shared = None if sharing is None else each_of(_measured, common, numbered, sharing, tick)
    for result in shared or here():
        done.append(result)
        if watch is not None and isinstance(result.scores, Searches):
            parts = tuple(each.scores for each in done if isinstance(each.scores, Searches))
            curves = tuple(each.curves for each in done if each.curves is not None)
            watch(Partial(len(done), total, split.faces.index.people, parts, curves))
    return done


def _measured(
    common: tuple[Spaces, Setting, Numbers, bool], numbered: tuple[int, Fold]
) -> FoldResult:
    """Return the raw results of one fold, with the threshold at the EER on held-out faces."""
    (spaces, setting, people, answers_only), (number, fold) = common, numbered
    matcher, limit, threshold = setting.recipe.matcher, math.nan, math.nan
    if len(fold.pairs):
        compared = InSpace(spaces.fit(fold.train, all_components=False), matcher)
        pairs = compare_pairs(compared, fold.pairs, number, people)
        return FoldResult(pairs, pair_threshold(compared, fold, people))
    distances = curve_distances(matcher) if setting.curves else ()
    space = spaces.fit(fold.train, all_components=bool(distances))
    found = search(InSpace(space, matcher), fold, number, people, matcher)
    curves = of_fold(space, fold, people, matcher, distances) if distances else None
    del space  # before others are fitted
    if answers_only:
        return FoldResult(found.answers_only())
    if setting.share is not None and not found.mated.all():
        limit = limit_of(fold, spaces, people, setting.share)
    if (held := fold.development(people, setting.seed)) is not None:
        compared = InSpace(spaces.fit(held.train, all_components=False), matcher)
        tuning = Comparisons.of_searches(search(compared, held, 0, people, matcher))
        if all(tuning.counts):
            threshold = error_rates(tuning.distances, tuning.mated).equal[1]
    return FoldResult(found, threshold, limit, curves)


def limit_of(fold: Fold, spaces: Spaces, people: Numbers, share: float) -> float:
    """Return the distance within which a fold names somebody, at most a share of strangers.

    It comes from the fold's gallery alone, each enrolled person left out in turn. NaN with too few
    people, and where the fold is fitted to others than are enrolled, unless it is learnt outside.
    """
    rows = np.setdiff1d(fold.gallery, fold.probes)
    names = [str(person) for person in people[rows]]
    outside, count = spaces.recipe.features.LEARNT_OUTSIDE, len(set(names))
    own = count >= FEWEST_PEOPLE and np.array_equal(rows, np.unique(fold.train))
    if not names or not (own or outside):
        return math.nan
    away = Refits.of_features(spaces.features.select(rows), names, spaces.recipe).without_people()
    return limit_in(away.distance[away.drawn], count, share, outside=outside)


def pair_threshold(compared: Compared, fold: Fold, people: Numbers) -> float:
    """Return the distance at which most of the pairs for tuning are decided correctly."""
    found = compare_pairs(compared, fold.tuning, 0, people)
    if not found.mated.any() or found.mated.all():
        return math.nan
    return error_rates(found.distances, found.mated).least[1]


def _whole(results: Sequence[FoldResult]) -> tuple[Searches | PairScores, Doubles]:
    parts: list[Any] = [each.scores for each in results]
    return joined(parts), np.array([each.threshold for each in results])


def _figures(
    scores: Searches | PairScores, thresholds: Doubles, split: Split, seed: int, tick: Tick
) -> list[Figure]:
    if isinstance(scores, Searches):
        first = identification(scores, split.count)
        comparisons = Comparisons.of_searches(scores)
        last = open_set(scores, split.count, seed, tick)
    else:
        accuracy = pair_accuracy(scores, thresholds, split.people)
        first, last = [accuracy] if accuracy else [], []
        comparisons = Comparisons.of_pairs(scores, split.people)
    return [*first, *verification(comparisons, thresholds, split.count, seed, tick), *last]


def _controls(
    split: Split, setting: Setting, begin: Callable[[str], Tick], sharing: Sharing | None
) -> Iterator[Control]:
    """Yield the controls: the same folds without PCA, with covered faces, and by guessing."""

    def stating(kind: ControlKind, figure: Figure | None, note: str) -> Control:
        if figure is None:
            return Control(kind, math.nan, None, None, f"{note}; it could not be measured")
        return Control(kind, figure.value, figure.low, figure.high, note)

    tick = begin(PIXELS)
    for kind, distance in PIXEL_BASELINES.items():
        figure, note = None, f"there are more than {MOST_PIXEL_BASELINES} photos"
        if len(split.faces) <= MOST_PIXEL_BASELINES:
            figure = pixel_baseline(split, distance, tick)
            note = f"nearest face by {distance} between grey levels, no face space"
        yield stating(kind, figure, note)
    chance, majority = guessing(split.folds, split.people)
    if split.in_pairs:
        yield Control("chance", 0.5, None, None, "one of two answers")
    else:
        yield Control("chance", chance, None, None, "an enrolled person at random")
        note = "always the enrolled person with the most photos"
        yield Control("majority", majority, None, None, note)
    hidden, plain = replace(split, faces=covered(split.faces)), replace(setting, curves=False)
    results = measure(hidden, plain, begin(COVERED), answers_only=True, sharing=sharing)
    note = "the same recipe with each face covered by an oval: what the background alone gives"
    yield stating("face covered", _first_figure(*_whole(results), split), note)
    affected = {row for pair in split.duplicates for row in (pair.first, pair.second)}
    note = f"{len(affected)} of {len(split.faces)} photos have another that is nearly the same"
    yield Control("duplicates", len(affected) / len(split.faces), None, None, note)
    if isinstance(setting.protocol, Lists | Pairs):
        names = setting.protocol.names
        (rows,) = rows_named(split.faces, names, missing="count")
        lost = rows.count(NOT_ACQUIRED)
        note = f"{lost} of {count(len(names), 'photo')} that are named could not be used"
        if lost:
            yield Control("not acquired", lost / len(names), None, None, note)


def pixel_baseline(split: Split, distance: str, tick: Tick = no_tick) -> Figure | None:
    """Return the first figure of comparing grey levels in all folds, without a face space."""
    compared = Precomputed(pixel_distances(split.faces, distance, tick))
    matcher, people, results = Matcher(distance=distance), split.people, []
    for number, fold in enumerate(split.folds):
        if split.in_pairs:
            pairs = compare_pairs(compared, fold.pairs, number, people)
            results.append(FoldResult(pairs, pair_threshold(compared, fold, people)))
        else:
            found = search(compared, fold, number, people, matcher)
            results.append(FoldResult(found.answers_only()))
    return _first_figure(*_whole(results), split)


def _first_figure(
    scores: Searches | PairScores, thresholds: Doubles, split: Split
) -> Figure | None:
    if isinstance(scores, Searches):
        figure = next(iter(identification(scores, split.count)), None)
        mated = scores.people[scores.mated].tolist()
        many, who = count(len(mated), "search", "searches"), count(len({*mated}), "person")
        return figure and replace(figure, note=f"{many} of {who}")
    return pair_accuracy(scores, thresholds, split.people)


T = TypeVar("T")
Sharing = Mapping[str, Any]  # arguments of `joblib.parallel_config`
_LOOK = 0.1  # seconds between two looks whether somebody wants to stop


@contextmanager
def shared_out(
    folds: Sequence[Fold], features: int, cluster: str | None = None
) -> Iterator[Sharing | None]:
    """Yield how `each_of` is to share out folds of faces with so many features.

    Over processes begun here, if there is room for two; or over the workers of a Dask ``cluster``.
    """
    if cluster is not None:
        with _client(cluster):
            yield {"backend": "dask"}
        return
    import psutil
    from joblib import cpu_count
    from joblib.externals.loky import get_reusable_executor

    most = max(len(fold.train) for fold in folds)
    each = 12 * most**2 + 4 * most * features + 150_000_000  # bytes
    jobs = min(cpu_count(), len(folds), psutil.virtual_memory().available // each)
    # For the features, which should leave as much room as they take; /tmp may lie in memory.
    folder, on_disk = tempfile.gettempdir(), "/var/tmp"
    folder = on_disk if folder == "/tmp" and os.access(on_disk, os.W_OK) else folder
    if jobs < 2 or 2 * 4 * most * features > shutil.disk_usage(folder).free:
        yield None
        return
    # The process that clears up after joblib's would tell of Ctrl-C, now and then.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    try:
        yield {"backend": "loky", "n_jobs": jobs, "inner_max_num_threads": 1} | {
            "initializer": _begin,
            "temp_folder": folder,
        }
    finally:
        get_reusable_executor().shutdown(kill_workers=True)


def _begin() -> None:
    """Begin a process: it ignores Ctrl-C, and does not outlive the one that began it."""

    def follow(parent: int) -> None:
        import psutil

        while os.getppid() == parent and psutil.pid_exists(parent):
            time.sleep(_LOOK)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=follow, args=(os.getppid(),), daemon=True).start()


def _client(address: str) -> Any:
    """Return what connects joblib with the scheduler at an address, as a context."""
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise EigenfacesError(
            "A Dask cluster needs a part of the program that is not installed: install "
            "“eigenfaces[dask]”."
        ) from None
    try:  # first without a client: one that was never connected leaves a thread
        socket.create_connection(get_address_host_port(address, strict=True), 10).close()
        client = Client(address, timeout=10)
        client.wait_for_workers(1, timeout=10)
    except (OSError, ValueError, TypeError):
        raise EigenfacesError(
            f"No Dask scheduler with workers answers at “{address}”. Start one with “dask "
            "scheduler”, and workers with “dask worker”; or correct the address."
        ) from None
    return client


def each_of(
    work: Callable[[Any, Any], T],
    value: object,
    items: Iterable[object],
    sharing: Sharing,
    tick: Tick = no_tick,
) -> Iterator[T]:
    """Yield what a function of a module returns for a value and each item, in order.

    What ``tick`` raises ends the work. Raises `EigenfacesError` where it is ended from outside.
    """
    from joblib import Parallel, delayed, parallel_config

    asked = list(items)
    scattered = {"scatter": [value]} if sharing["backend"] == "dask" else {}
    with parallel_config(**sharing, **scattered):
        parallel = Parallel(return_as="generator")
    # joblib waits for a result without an end: in a thread, while `tick` is called here. To leave
    # `parallel` early ends the processes, and so the waiting.
    with ThreadPoolExecutor(1) as waiting, parallel:
        results = parallel(delayed(work)(value, item) for item in asked)
        for done in range(len(asked)):
            coming = waiting.submit(next, results)
            while not coming.done():
                tick(done, len(asked))
                wait([coming], _LOOK)
            error = coming.exception()
            lost = isinstance(error, BrokenProcessPool | CancelledError)
            if lost or type(error).__name__ == "KilledWorker":  # Dask's
                raise EigenfacesError(
                    "What measured some of the folds was ended from outside, perhaps because there "
                    "was not enough memory. Close other programs, or measure fewer photographs."
                )
            yield coming.result()
