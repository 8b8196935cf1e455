"""Evaluation of a recipe on named faces that are split by a protocol.

In each fold, everything that is fitted (mean, face space, whitening, number of components for a
share, threshold) is fitted to the training faces of that fold alone. Each fold is evaluated
separately, from plain data: in this process, in another process, or on a Dask cluster.
"""

from __future__ import annotations

import math
import os
import signal
import socket
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from eigenfaces.errors import EigenfacesError, NotPossibleError, Tick, in_stages, no_tick, part_of
from eigenfaces.evaluation import by_components, controls, metrics
from eigenfaces.evaluation.controls import Control, ControlKind, Leak, LeakError
from eigenfaces.evaluation.metrics import Comparisons, Metric, StrangerLimits, error_rates
from eigenfaces.evaluation.protocols import NOT_ACQUIRED, Failures, Fold, Lists, Pairs, rows_named
from eigenfaces.evaluation.records import (
    Evaluation,
    EvaluationSetting,
    RecipeResult,
    RecipesCompared,
)
from eigenfaces.evaluation.searches import (
    FoldPoints,
    PairScores,
    Searches,
    compare_pairs,
    concatenate_scores,
    search,
)
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.recognition.duplicates import Duplicate, find_duplicates
from eigenfaces.recognition.features import Features, person_numbers
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.limits import FEWEST_FOR_LIMIT, Strangers
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.training import PrincipalFaces
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.discriminant import check_people
from eigenfaces.space.face_space import check_components
from eigenfaces.space.principal import MOST_COORDINATES, Fit, Principal, fit
from eigenfaces.text import count, first_few
from eigenfaces.threads import one_blas_thread

RECOGNISING, INTERVALS, PIXELS, COVERED = "recognising", "intervals", "pixels", "faces covered"
STAGES = {RECOGNISING: 60, INTERVALS: 10, PIXELS: 10, COVERED: 20}  # per cent of the time

_PAYS = 5e6  # processes pay off if Σ n² over folds of n faces is larger: 5 s
_POLL = 0.1  # seconds between two checks whether the user wants to stop

Sharing = Mapping[str, Any]  # arguments of `joblib.parallel_config`
Scores = Searches | PairScores
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Split:
    """The n faces that take part, with their people (n,), the folds, duplicates and leaks."""

    faces: FaceSet
    people: Numbers
    folds: Sequence[Fold]
    duplicates: Sequence[Duplicate]
    leaks: tuple[Leak, ...]

    @property
    def person_count(self) -> int:
        """The number of people who take part."""
        return len(self.faces.index.people)


@dataclass(frozen=True, eq=False)
class FoldResult:
    """The raw results of a fold, with NaN for a threshold or limit that could not be chosen."""

    scores: Scores
    threshold: float = math.nan
    limit: float = math.nan
    curves: by_components.FoldByComponents | None = None


def participating_faces(faces: FaceSet) -> FaceSet:
    """Return the faces that have a name and are not excluded."""
    return faces.select(faces.index.enrolled)


def evaluate(
    faces: FaceSet,
    setting: EvaluationSetting,
    tick: Tick = no_tick,
    enter: Callable[[str], object] = lambda name: None,
    *,
    cluster: str | None = None,
) -> Evaluation:
    """Measure how often a recipe is right on faces that are split by a protocol.

    The same faces and settings give the same figures and scores, up to a relative difference of
    about 1e-12. Long computations are shared among processes.

    Parameters
    ----------
    faces
        The n faces. Faces that are excluded or have no name do not take part.
    setting
        The recipe, the protocol and the other settings.
    tick
        Called with the percentage done and the total, 100, before each fold of each stage and
        before each draw of the resampling.
    enter
        Called with the name of each stage in `STAGES` when the stage begins.
    cluster
        The address of the scheduler of a Dask cluster that does the work. If None, processes on
        this computer do it.

    Returns
    -------
    Evaluation
        Every search or pair, the figures with their intervals, and the controls.

    Raises
    ------
    LeakError
        The split has leaks, and the settings do not allow them.
    NotPossibleError
        The recipe cannot be used on these faces, for example Fisherfaces with too few people.
    EigenfacesError
        Fewer than two people have a name, the protocol cannot be applied to these faces, no cluster
        answers, or the faces have no pictures because their project is for recognition only.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> from eigenfaces import FaceSet, KFold, Recipe, EvaluationSetting, evaluate
    >>> rng = np.random.default_rng(0)
    >>> people = np.repeat(0.8 * rng.random((3, 16, 16)), 4, axis=0)
    >>> names = [name for name in ("Ada", "Grace", "Joan") for _ in range(4)]
    >>> faces = FaceSet.from_arrays(people + 0.1 * rng.random(people.shape), names)
    >>> result = evaluate(faces, EvaluationSetting(Recipe(), KFold(2), curves=False))
    >>> result.headline.kind, result.headline.value
    ('rank-1', 1.0)
    """
    if not faces.index.is_pictured:
        raise EigenfacesError("These faces have no pictures, so nothing can be measured on them.")
    split = make_split(faces, setting)
    begin = in_stages(STAGES, tick, enter)
    strangers = None
    index = split.faces.index
    people = split.person_count
    seed = setting.seed
    with parallel_backend(split, cluster) as sharing:
        results = evaluate_folds(split, setting, begin(RECOGNISING), sharing=sharing)
        curves = [result.curves for result in results if result.curves is not None]
        failures = Failures.of(split.folds)
        for_every_k = by_components.pooled_curves(curves, people, failures) if curves else None
        scores, thresholds = _pooled_scores(results)
        limits = np.array([result.limit for result in results])
        del results, curves  # with many folds, these are large
        step = begin(INTERVALS)
        if isinstance(scores, Searches):
            comparisons = Comparisons.of_searches(scores)
            figures = metrics.identification(scores, people, failures)
            last = metrics.open_set(scores, people, seed, step, failures)
            strangers = StrangerLimits.of(scores, limits, setting.share, failures)
        else:
            comparisons = Comparisons.of_pairs(scores, split.people)
            accuracy = metrics.pair_accuracy(scores, thresholds, split.people, failures)
            figures = [accuracy] if accuracy else []
            last = []
        rates = metrics.verification(comparisons, thresholds, people, seed, step, failures)
        figures += rates + last
        beside = tuple(_controls(split, setting, begin, sharing))
    return Evaluation(
        setting=setting,
        photos=index.photos,
        people=index.people,
        searches=scores if isinstance(scores, Searches) else None,
        pairs=scores if isinstance(scores, PairScores) else None,
        thresholds=thresholds,
        metrics=tuple(figures),
        by_components=for_every_k,
        controls=beside,
        duplicates=tuple(split.duplicates),
        leaks=split.leaks,
        too_few_photos=tuple(_with_fewer(index, getattr(setting.protocol, "photos_needed", 1))),
        unused=split.faces.skipped,
        strangers=strangers,
        failures=failures if len(failures) else None,
        by_middle=sum(photo.placement.source == "middle" for photo in index.photos) or None,
    )


def compare_recipes(
    faces: FaceSet,
    setting: EvaluationSetting,
    names: Collection[str] = RECIPES.keys(),
    tick: Tick = no_tick,
    *,
    crops: bool = True,
    cluster: str | None = None,
    measured: Callable[[RecipeResult], object] | None = None,
) -> RecipesCompared:
    """Measure how often several recipes are right, all on the same folds.

    A recipe that cannot be used on these faces gets a reason instead of a figure.

    Parameters
    ----------
    faces
        The n faces. Faces that are excluded or have no name do not take part.
    setting
        The protocol and the other settings. The recipe is ignored.
    names
        The names of the recipes, from `RECIPES`.
    tick
        Called with the number of steps done and the total number of steps.
    crops
        Whether the faces were cropped beforehand, which affects what Automatic would choose.
    cluster
        The address of the scheduler of a Dask cluster, as in `evaluate`.
    measured
        Called with each result as soon as it is available.

    Returns
    -------
    RecipesCompared
        A result for each recipe, the simplest recipe first.

    Raises
    ------
    LeakError
        The split has leaks, and the settings do not allow them.
    EigenfacesError
        Fewer than two people have a name, or the protocol cannot be applied to these faces.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> from eigenfaces import FaceSet, KFold, Recipe, EvaluationSetting, compare_recipes
    >>> rng = np.random.default_rng(0)
    >>> people = np.repeat(0.8 * rng.random((3, 16, 16)), 4, axis=0)
    >>> names = [name for name in ("Ada", "Grace", "Joan") for _ in range(4)]
    >>> faces = FaceSet.from_arrays(people + 0.1 * rng.random(people.shape), names)
    >>> setting = EvaluationSetting(Recipe(), KFold(2))
    >>> compare_recipes(faces, setting, ["Eigenfaces", "Texture"]).shares
    {'Eigenfaces': 1.0}
    """
    split = make_split(faces, setting)
    recipes = [RECIPES[name] for name in RECIPES if name in names]
    results = measure_recipes(split, setting, recipes, tick, cluster=cluster, measured=measured)
    return RecipesCompared(tuple(results), len(split.leaks), crops)


def measure_recipes(
    split: Split,
    setting: EvaluationSetting,
    recipes: Sequence[Recipe],
    tick: Tick = no_tick,
    *,
    cluster: str | None = None,
    measured: Callable[[RecipeResult], object] | None = None,
) -> list[RecipeResult]:
    """Return the main figure of each recipe on the folds of a split, or why there is none.

    Recipes that compare the same features differ only in their matcher, so the faces are prepared
    once for all of them.
    """
    results: dict[int, RecipeResult] = {}
    by_features: dict[Features, list[int]] = {}
    for number, recipe in enumerate(recipes):
        by_features.setdefault(recipe.features, []).append(number)
    with parallel_backend(split, cluster) as sharing:
        for features, numbers in by_features.items():
            principal: Principal | None = None
            for number in numbers:
                recipe = recipes[number]
                step = part_of(tick, len(results), len(recipes))
                plain = replace(setting, recipe=recipe, curves=False, share=None)
                try:
                    if principal is None:
                        principal = principal_of(split.faces, features, part_of(step, 0, 2))
                        step = part_of(step, 1, 2)
                    folds = evaluate_folds(
                        split, plain, step, principal=principal, answers_only=True, sharing=sharing
                    )
                    figure = _headline(folds, split)
                    reason = "" if figure else metrics.NO_THRESHOLD
                except NotPossibleError as error:
                    figure, reason = None, str(error)
                result = results[number] = RecipeResult(recipe.name, figure, reason)
                if measured is not None:
                    measured(result)
    return [results[number] for number in range(len(recipes))]


def make_split(faces: FaceSet, setting: EvaluationSetting) -> Split:
    """Split the faces. Raise `EigenfacesError` if this fails or results in forbidden leaks."""
    faces = participating_faces(faces)
    protocol = setting.protocol
    people = faces.index.people
    if len(people) < 2:
        who = f"there is only “{people[0]}”" if people else "nobody is named in these photos"
        raise EigenfacesError(
            f"An evaluation needs photos of at least two people, but {who}. Add or name photos."
        )
    if not np.isfinite(faces.pixels.array).all():
        raise EigenfacesError("Some faces contain values that are not numbers. Crop them again.")
    if isinstance(protocol, Pairs):  # faces in no pair are not used: LFW has 5,000
        (rows,) = rows_named(faces, protocol.names, missing=protocol.missing)
        faces = faces.select(sorted({row for row in rows if row >= 0}))
    folds = protocol.folds(faces)
    if not folds:
        needed = getattr(protocol, "photos_needed", 2)
        few = [f"{name} ({photos})" for name, photos in _with_fewer(faces.index, needed).items()]
        names = first_few(few, 8) or "with so many strangers, fewer than two would be enrolled"
        raise EigenfacesError(
            f"“{protocol.words()}” needs people with at least {needed} photos each. Too few have "
            f"that many: {names}. Add photos, or choose another protocol."
        )
    for number, fold in enumerate(folds, start=1):
        enrolled = np.unique(fold.gallery)
        if len(enrolled) == 1:  # no face is searched for in itself
            enrolled = np.setdiff1d(enrolled, fold.probes)
        whole = len(fold.pairs) or (len(fold.probes) and len(enrolled))
        if not whole or len(fold.train) < 2:
            raise EigenfacesError(
                f"Fold {number} cannot be measured: it needs two photos to fit a face space to, "
                "one to enrol, and another to search for."
            )
    of = person_numbers([photo.person for photo in faces.index.photos])
    mated = (len(fold.pairs) or np.isin(of[fold.probes], of[fold.gallery]).any() for fold in folds)
    if not any(mated):
        raise EigenfacesError(
            "None of the people searched for is enrolled, so there is nothing to find. Enrol other "
            "photos of the same people."
        )
    duplicates = find_duplicates(faces)
    leaks = controls.find_leaks(faces, folds, duplicates)
    if leaks and not setting.allow_leaks:
        raise LeakError(leaks)
    return Split(faces, of, folds, duplicates, leaks)


def check_component_count(faces: FaceSet, setting: EvaluationSetting) -> None:
    """Raise `NotPossibleError` if more components are requested than a fold can have."""
    if setting.recipe.features.PRETRAINED:
        return
    components = setting.recipe.matcher.components
    faces = participating_faces(faces)
    folds = setting.protocol.folds(faces) if len(faces.index.people) > 1 else []
    most = min((len(fold.train) for fold in folds), default=0) - 1
    if isinstance(components, int) and 0 < most < components:
        raise NotPossibleError(
            f"These folds have at most {count(most, 'component')}, but {components} are to be "
            f"compared. Compare {most} or fewer."
        )


def _with_fewer(index: PhotoIndex, needed: int) -> dict[str, int]:
    photos = {name: len(index.rows_of(name)) for name in index.people}
    return {name: number for name, number in photos.items() if number < needed}


def principal_of(faces: FaceSet, features: Features, tick: Tick = no_tick) -> Principal:
    """Return the principal coordinates of all faces' features.

    This does not fit any fold to its probes. With very many faces, some coordinates are dropped.
    """
    known = PrincipalFaces.of(faces, range(len(faces)), features, tick)
    return known.principal.without_axes()


def evaluate_folds(
    split: Split,
    setting: EvaluationSetting,
    tick: Tick = no_tick,
    *,
    principal: Principal | None = None,
    answers_only: bool = False,
    sharing: Sharing | None = None,
) -> list[FoldResult]:
    """Return the raw results of all folds.

    ``principal`` holds the coordinates of all faces, if known. ``answers_only`` skips thresholds.
    """
    if principal is None:
        features = setting.recipe.features
        if features.PRETRAINED:  # describing all faces may take most of the time
            principal = principal_of(split.faces, features, part_of(tick, 0, 2))
            tick = part_of(tick, 1, 2)
        else:  # this is quick, but can be stopped
            principal = principal_of(split.faces, features, lambda done, total: tick(0, 1))
    common = principal, setting, split.people, answers_only
    return list(parallel_map(_evaluate_fold, common, list(enumerate(split.folds)), sharing, tick))


def fit_fold(principal: Principal, train: Numbers, people: Numbers, recipe: Recipe) -> Fit:
    """Fit the axes of a recipe to the training faces of a fold, as `Training.fit` does.

    Raise `NotPossibleError` if there are too few people, and `EigenfacesError` if more components
    are requested than were kept for this many faces.
    """
    if recipe.features.SCATTER is not None:
        check_people(people[train])
    fitted = fit(principal, train, people, recipe.features.SCATTER)
    if principal.is_truncated and recipe.features.SCATTER is None:
        check_components(fitted.variance_kept, recipe.matcher.components)
    return fitted


def _evaluate_fold(
    common: tuple[Principal, EvaluationSetting, Numbers, bool], numbered_fold: tuple[int, Fold]
) -> FoldResult:
    """Return the raw results of one fold, with the threshold at the EER on held-out faces."""
    principal, setting, people, answers_only = common
    number, fold = numbered_fold
    recipe = setting.recipe
    fitted = fit_fold(principal, fold.train, people, recipe)
    fold_points = FoldPoints.of(principal, fitted, recipe)
    if len(fold.pairs):
        return _of_pairs(fold_points, fold, number, people)
    searches = search(fold_points, fold, number, people)
    by_k = None
    if setting.curves:
        # The recipe's own distance comes first.
        names = dict.fromkeys((recipe.matcher.distance, *by_components.CURVE_DISTANCES))
        by_k = by_components.fold_curves(principal, fitted, fold, people, recipe, tuple(names))
    del fitted, fold_points  # frees memory before others are fitted
    if answers_only:
        return FoldResult(searches)
    limit = threshold = math.nan
    if setting.share is not None and not searches.mated.all():
        limit = stranger_limit(fold, principal, people, recipe, setting.share)
    if (inner := fold.development(people, setting.seed)) is not None:
        fitted = fit_fold(principal, inner.train, people, recipe)
        fold_points = FoldPoints.of(principal, fitted, recipe)
        tuning = Comparisons.of_searches(search(fold_points, inner, 0, people))
        if all(tuning.counts):
            threshold = error_rates(tuning.distances, tuning.mated).eer[1]
    return FoldResult(searches, threshold, limit, by_k)


def _of_pairs(fold_points: FoldPoints, fold: Fold, number: int, people: Numbers) -> FoldResult:
    """Return the results for a fold's pairs, with the threshold that fits the tuning pairs best."""
    tuning = compare_pairs(fold_points, fold.tuning, 0, people)
    threshold = math.nan
    if tuning.mated.any() and not tuning.mated.all():
        threshold = error_rates(tuning.distances, tuning.mated).min_hter[1]
    return FoldResult(compare_pairs(fold_points, fold.pairs, number, people), threshold)


def stranger_limit(
    fold: Fold, principal: Principal, people: Numbers, recipe: Recipe, share: float
) -> float:
    """Return the distance within which a fold names faces, given an allowed share of strangers.

    The limit comes from the fold's gallery alone, with each enrolled person left out in turn.
    Unless the recipe is Network, it is NaN if there are too few people, or if the fold is fitted to
    people who are not enrolled.
    """
    rows = np.setdiff1d(fold.gallery, fold.probes)
    many = len(np.unique(people[rows]))
    general = recipe.has_general_limit
    own = many >= FEWEST_FOR_LIMIT and np.array_equal(rows, np.unique(fold.train))
    if not len(rows) or not (own or general):
        return math.nan
    away = CrossValidation(principal.select(rows), people[rows], recipe).without_people()
    held = away.held_out
    of_each = np.unique(people[rows], return_counts=True)[1].astype(np.float64)
    return Strangers(away.distance[held], people[rows][held], of_each, general).limit(share)


def _pooled_scores(results: Sequence[FoldResult]) -> tuple[Scores, Doubles]:
    parts: list[Any] = [result.scores for result in results]
    return concatenate_scores(parts), np.array([result.threshold for result in results])


def _headline(results: Sequence[FoldResult], split: Split) -> Metric | None:
    """Return the rank-1 or pair accuracy, or None if there is nothing to measure."""
    scores, thresholds = _pooled_scores(results)
    failures = Failures.of(split.folds)
    if isinstance(scores, PairScores):
        return metrics.pair_accuracy(scores, thresholds, split.people, failures)
    people = [*scores.people[scores.mated].tolist(), *failures.people.tolist()]
    note = f"{count(len(people), 'search', 'searches')} of {count(len({*people}), 'person')}"
    metric = next(iter(metrics.identification(scores, split.person_count, failures)), None)
    return metric and replace(metric, note=note)


def _controls(
    split: Split, setting: EvaluationSetting, begin: Callable[[str], Tick], sharing: Sharing | None
) -> Iterator[Control]:
    """Yield the controls, such as results without PCA, with covered faces, and by guessing."""

    def control(kind: ControlKind, figure: Metric | None, note: str) -> Control:
        if figure is None:
            return Control(kind, math.nan, None, None, f"{note}; it could not be measured")
        return Control(kind, figure.value, figure.low, figure.high, note)

    tick = begin(PIXELS)
    for kind, distance in controls.PIXEL_BASELINES.items():
        figure = None
        note = f"there are more than {controls.MOST_PIXEL_BASELINES} photos"
        if len(split.faces) <= controls.MOST_PIXEL_BASELINES:
            figure = pixel_baseline(split, distance, tick)
            note = f"nearest face by {distance} between grey levels, no face space"
        yield control(kind, figure, note)
    if isinstance(setting.protocol, Pairs):
        yield Control("chance", 0.5, None, None, "one of two answers")
    else:
        chance, majority = controls.guess_accuracy(split.folds, split.people)
        yield Control("chance", chance, None, None, "an enrolled person at random")
        note = "always the enrolled person with the most photos"
        yield Control("majority", majority, None, None, note)
    if not isinstance(setting.protocol, Pairs) or setting.controls:
        hidden = replace(split, faces=controls.cover_faces(split.faces))
        plain = replace(setting, curves=False)
        step = begin(COVERED)
        try:
            results = evaluate_folds(hidden, plain, step, answers_only=True, sharing=sharing)
            figure = _headline(results, split)
        except NotPossibleError:  # backgrounds are all the same, or all components are dropped
            figure = None
        note = "the same recipe with each face covered by an oval: what the background alone gives"
        yield control("face covered", figure, note)
    affected = {row for pair in split.duplicates for row in (pair.first, pair.second)}
    note = f"{len(affected)} of {len(split.faces)} photos have another that is nearly the same"
    yield Control("duplicates", len(affected) / len(split.faces), None, None, note)
    if isinstance(setting.protocol, Lists | Pairs):
        names = setting.protocol.names
        (rows,) = rows_named(split.faces, names)
        if lost := rows.count(NOT_ACQUIRED):
            note = f"{lost} of {count(len(names), 'photo')} that are named could not be used"
            yield Control("not acquired", lost / len(names), None, None, note)


def pixel_baseline(split: Split, distance: str, tick: Tick = no_tick) -> Metric | None:
    """Return the main figure when grey levels are compared on all folds, without a face space."""
    table = controls.pixel_distances(split.faces, distance, tick)
    places = np.arange(len(table), dtype=np.float64)
    fold_points = FoldPoints(
        places, lambda a, b: table[np.ix_(a.astype(np.intp), b.astype(np.intp))]
    )
    results = [
        _of_pairs(fold_points, fold, number, split.people)
        if len(fold.pairs)
        else FoldResult(search(fold_points, fold, number, split.people))
        for number, fold in enumerate(split.folds)
    ]
    return _headline(results, split)


@contextmanager
def parallel_backend(split: Split, cluster: str | None = None) -> Iterator[Sharing | None]:
    """Yield the settings for distributing folds, or None if that would not pay off.

    The folds are sent to local processes, if there is enough memory for two, or to the workers of a
    Dask cluster. Within this context, BLAS uses a single thread in this process.
    """
    import psutil
    from joblib import cpu_count
    from joblib.externals.loky import get_reusable_executor

    sizes = [len(fold.train) for fold in split.folds]
    # Bytes per process: coordinates of all faces, a few matrices of that size, and the program.
    size = 40 * min(max(sizes), MOST_COORDINATES) * len(split.faces) + 150_000_000
    jobs = min(cpu_count(), len(sizes), psutil.virtual_memory().available // size)
    with one_blas_thread():
        if cluster is not None:
            with _dask_client(cluster):
                yield {"backend": "dask"}
        elif jobs < 2 or sum(n**2 for n in sizes) <= _PAYS:
            yield None
        else:
            # joblib's clean-up process would sometimes report Ctrl-C.
            os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
            try:
                alone = {"initializer": signal.signal, "initargs": (signal.SIGINT, signal.SIG_IGN)}
                yield {"backend": "loky", "n_jobs": jobs, "inner_max_num_threads": 1, **alone}
            finally:
                get_reusable_executor().shutdown(kill_workers=True)


def _dask_client(address: str) -> Any:
    """Return a context manager that connects joblib to the Dask scheduler at an address."""
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise EigenfacesError(
            "A Dask cluster needs a part of the program that is not installed: install "
            "“eigenfaces[dask]”."
        ) from None
    try:  # a client that never connected would leave a thread behind
        socket.create_connection(get_address_host_port(address, strict=True), 10).close()
        client = Client(address, timeout=10)
        client.wait_for_workers(1, timeout=10)
    except (OSError, ValueError, TypeError):
        raise EigenfacesError(
            f"No Dask scheduler with workers answers at “{address}”. Start one with “dask "
            "scheduler”, and workers with “dask worker”; or correct the address."
        ) from None
    return client


def parallel_map(
    work: Callable[[Any, Any], T],
    value: object,
    items: Sequence[object],
    sharing: Sharing | None,
    tick: Tick = no_tick,
) -> Iterator[T]:
    """Yield the results of ``work(value, item)`` for each item, in order.

    ``work`` must be a module-level function. ``sharing`` comes from `parallel_backend`. An error in
    ``tick`` stops the work. Raise `EigenfacesError` if a process was killed from outside.
    """
    from joblib import Parallel, delayed, parallel_config

    if sharing is None:
        for done, item in enumerate(items):
            tick(done, len(items))
            yield work(value, item)
        return

    scattered = {"scatter": [value]} if sharing["backend"] == "dask" else {}
    with parallel_config(**sharing, **scattered):
        parallel = Parallel(return_as="generator")
    # joblib waits for a result without a time limit, so it waits in a thread while `tick` is
    # called here. Leaving `parallel` early ends the processes, and with them the waiting.
    with ThreadPoolExecutor(1) as waiting, parallel:
        results = parallel(delayed(work)(value, item) for item in items)
        for done in range(len(items)):
            result = waiting.submit(next, results)
            while not result.done():
                tick(done, len(items))
                wait([result], _POLL)
            error = result.exception()
            lost = isinstance(error, BrokenProcessPool | CancelledError)
            if lost or type(error).__name__ == "KilledWorker":  # from Dask
                raise EigenfacesError(
                    "A process that measured some of the folds was killed, perhaps "
                    "because memory ran out. Close other programs, or measure fewer photos."
                )
            yield result.result()
