"""Evaluate a recipe on named faces by a protocol.

In each fold, everything that is fitted (mean, face space, whitening, number of components for a
share, threshold) is fitted to that fold's own training faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError, Tick, in_stages, no_tick
from eigenfaces.evaluation.baselines import LARGEST_IN_PIXELS, between_pixels, covered, guessing
from eigenfaces.evaluation.by_components import summed_up
from eigenfaces.evaluation.leaks import LeakError, find_duplicates, find_leaks
from eigenfaces.evaluation.measuring import (
    FoldResults,
    Split,
    measure,
    pair_threshold,
)
from eigenfaces.evaluation.metrics import (
    Comparisons,
    Figure,
    identification,
    open_set,
    pair_accuracy,
    verification,
)
from eigenfaces.evaluation.processes import Sharing, shared_out
from eigenfaces.evaluation.protocols import Fold
from eigenfaces.evaluation.published_protocols import Protocol
from eigenfaces.evaluation.results import (
    IN_PIXELS,
    Control,
    ControlKind,
    Evaluation,
    Setting,
    Watch,
)
from eigenfaces.evaluation.searches import Precomputed, Searches, compare_pairs, search
from eigenfaces.evaluation.stranger_limits import StrangerLimits
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import some_of

RECOGNISING, INTERVALS, PIXELS, COVERED = "recognising", "intervals", "pixels", "faces covered"
STAGES = {RECOGNISING: 60, INTERVALS: 10, PIXELS: 10, COVERED: 20}
"""The stages of an evaluation, and about how many per cent of its time each takes."""


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
    """Return the evaluation of a recipe; unnamed and excluded faces do not take part.

    The same faces and setting give the same figures and scores, to about 1e-12 of each. What takes
    long is shared out over processes.

    Parameters
    ----------
    faces
        n faces of at least two people.
    setting
        Recipe and protocol.
    tick
        Called before every fold of every stage, and before every draw of the resampling, with
        the percentage of all work that is done; it never falls.
    watch
        Called after every fold of the main stage with the results so far.
    enter
        Called with the name of every stage of `STAGES` as it begins.
    cluster
        The address of a Dask scheduler whose workers measure the folds; None: this computer.

    Raises
    ------
    LeakError
        The split has leaks, and they are not allowed.
    EigenfacesError
        The protocol is not possible with these faces, or no cluster answers.
    """
    split = make_split(faces, setting)
    begin = in_stages(STAGES, tick, enter)
    with (
        threadpool_limits(1, "blas"),
        shared_out(split.folds, faces.pixels.shape[1], cluster) as sharing,
    ):
        return _evaluate(split, setting, begin, watch, sharing)


def _evaluate(
    split: Split,
    setting: Setting,
    begin: Callable[[str], Tick],
    watch: Watch | None,
    sharing: Sharing | None,
) -> Evaluation:
    main = measure(split, setting, begin(RECOGNISING), watch, sharing=sharing)
    by_components = summed_up(main.folds, split.count) if main.folds else None
    main = replace(main, folds=())  # of many folds, these are large
    tick, index = begin(INTERVALS), split.faces.index
    strangers = None
    if split.in_pairs:
        figures = _pair_figures(main, split, setting.seed, tick)
    else:
        assert main.searches is not None
        figures = _search_figures(main.searches, main.thresholds, split.count, setting.seed, tick)
        strangers = StrangerLimits.of(main.searches, main.limits, setting.share, split.count)
    return Evaluation(
        setting=setting,
        photos=index.photos,
        people=index.people,
        searches=main.searches,
        pairs=main.pairs,
        thresholds=main.thresholds,
        figures=tuple(figures),
        by_components=by_components,
        controls=tuple(_controls(split, setting, begin, sharing)),
        duplicates=tuple(split.duplicates),
        leaks=split.leaks,
        left_out=tuple(_with_fewer(index, getattr(setting.protocol, "photos_needed", 1))),
        unused=split.faces.skipped,
        strangers=strangers,
    )


def make_split(faces: FaceSet, setting: Setting) -> Split:
    """Return the folds; raise `EigenfacesError` if they are not possible, or have leaks."""
    faces, protocol = participating_faces(faces), setting.protocol
    people = faces.index.people
    if len(people) < 2:
        who = f"there is only “{people[0]}”" if people else "nobody is named on these photos"
        raise EigenfacesError(
            f"An evaluation needs photos of at least two people, and {who}. Add or name photos."
        )
    if not faces.pixels.are_finite():
        raise EigenfacesError("Some faces hold values that are not numbers. Cut them anew.")
    folds = protocol.folds(faces)
    if not folds:
        raise EigenfacesError(_too_few(faces.index, protocol))
    for number, fold in enumerate(folds, start=1):
        if not (len(fold.pairs) or (len(fold.probes) and len(_others(fold)))):
            raise EigenfacesError(
                f"Fold {number} is empty: it needs faces to enrol and to search for."
            )
        if len(fold.train) < 2:
            raise EigenfacesError(
                f"Fold {number} has fewer than two photos to fit a face space to."
            )
    places = {name: i for i, name in enumerate(people)}
    of = np.array([places[photo.person or ""] for photo in faces.index.photos])
    mated = (np.isin(of[fold.probes], of[fold.gallery]).any() for fold in folds)
    if not (any(len(fold.pairs) for fold in folds) or any(mated)):
        raise EigenfacesError(
            "Nobody who is searched for is enrolled, so there is nothing to find. Enrol other "
            "photos of the same people."
        )
    duplicates = find_duplicates(faces)
    leaks = find_leaks(faces, folds, duplicates)
    if leaks and not setting.allow_leaks:
        raise LeakError(leaks)
    return Split(faces, of, folds, setting.seed, duplicates, leaks)


def check_component_count(faces: FaceSet, setting: Setting) -> None:
    """Raise `EigenfacesError` if more components are asked for than a fold can have.

    `evaluate` would compare all components of the fold: fewer than the result states.
    """
    asked, faces = setting.recipe.matcher.components, participating_faces(faces)
    folds = setting.protocol.folds(faces) if len(faces.index.people) > 1 else []
    most = min((len(fold.train) for fold in folds), default=0) - 1
    if isinstance(asked, int) and 0 < most < asked:
        raise EigenfacesError(
            f"These folds have at most {most} components, and {asked} are to be compared. "
            f"Ask for {most} or fewer."
        )


def _others(fold: Fold) -> Numbers:
    """Return the enrolled rows; none if the only one is also the probe."""
    enrolled = np.unique(fold.gallery)
    return enrolled[~np.isin(enrolled, fold.probes)] if len(enrolled) == 1 else enrolled


def _too_few(index: PhotoIndex, protocol: Protocol) -> str:
    needed = getattr(protocol, "photos_needed", 2)
    few = [f"{name} ({held})" for name, held in _with_fewer(index, needed).items()]
    shown = some_of(few, 8)
    return (
        f"“{protocol.words()}” needs people with at least {needed} photos each. Too few have that "
        f"many: {shown or 'with so many strangers, fewer than two would be enrolled'}. Add photos, "
        "or choose another protocol."
    )


def _with_fewer(index: PhotoIndex, needed: int) -> dict[str, int]:
    """Return the people with fewer photographs than needed, and how many each has."""
    held = {name: len(index.rows_of(name)) for name in index.people}
    return {name: number for name, number in held.items() if number < needed}


def _search_figures(
    searches: Searches, thresholds: Doubles, people: int, seed: int, tick: Tick
) -> list[Figure]:
    comparisons = Comparisons.of_searches(searches)
    verified = verification(comparisons, thresholds, people, seed, tick)
    found = identification(searches, people)
    return [*found, *verified, *open_set(searches, people, seed, tick)]


def _pair_figures(main: FoldResults, split: Split, seed: int, tick: Tick) -> list[Figure]:
    assert main.pairs is not None
    accuracy = pair_accuracy(main.pairs, main.thresholds, split.people)
    comparisons = Comparisons.of_pairs(main.pairs, split.people)
    verified = verification(comparisons, main.thresholds, split.count, seed, tick)
    return [*([accuracy] if accuracy else []), *verified]


def _controls(
    split: Split,
    setting: Setting,
    begin: Callable[[str], Tick],
    sharing: Sharing | None,
) -> Iterator[Control]:
    """Yield the controls: the same folds without PCA, with covered faces, and by guessing."""
    tick = begin(PIXELS)
    for kind in IN_PIXELS:
        if len(split.faces) <= LARGEST_IN_PIXELS:
            yield _by_pixels(split, kind, tick)
        else:
            note = f"there are more than {LARGEST_IN_PIXELS} photos"
            yield _control(kind, None, note)
    guess = guessing(split.folds, split.people)
    if split.in_pairs:
        yield Control("chance", 0.5, None, None, "one of two answers")
    else:
        yield Control("chance", guess.chance, None, None, "an enrolled person at random")
        note = "always the enrolled person with the most photos"
        yield Control("majority", guess.majority, None, None, note)
    tick = begin(COVERED)
    hidden = replace(split, faces=covered(split.faces))
    plain = replace(setting, curves=False)
    without = measure(hidden, plain, tick, answers_only=True, sharing=sharing)
    figure = _first_figure(without, split)
    note = "the same recipe with each face covered by an oval: what the background alone gives"
    yield _control("face covered", figure, note)
    affected = {row for pair in split.duplicates for row in (pair.first, pair.second)}
    share = len(affected) / len(split.faces)
    note = f"{len(affected)} of {len(split.faces)} photos have another that is nearly the same"
    yield Control("duplicates", share, None, None, note)


def _by_pixels(split: Split, kind: ControlKind, tick: Tick) -> Control:
    distance, people = IN_PIXELS[kind], split.people
    compared = Precomputed(between_pixels(split.faces, distance, tick))
    matcher, missing, folds = Matcher(distance=distance), np.array([np.nan]), []
    for number, fold in enumerate(split.folds):
        if split.in_pairs:
            threshold = np.array([pair_threshold(compared, fold, people)])
            pairs = compare_pairs(compared, fold.pairs, number, people)
            folds.append(FoldResults(None, pairs, threshold, (), missing))
        else:
            found = search(compared, fold, number, people, matcher).answers_only()
            folds.append(FoldResults(found, None, missing, (), missing))
    note = f"nearest face by {distance} between grey levels, no face space"
    return _control(kind, _first_figure(FoldResults.joined(folds), split), note)


def _first_figure(measured: FoldResults, split: Split) -> Figure | None:
    if measured.searches is not None:
        return next(iter(identification(measured.searches, split.count)), None)
    assert measured.pairs is not None
    return pair_accuracy(measured.pairs, measured.thresholds, split.people)


def _control(kind: ControlKind, figure: Figure | None, note: str) -> Control:
    if figure is None:
        return Control(kind, float("nan"), None, None, f"{note}; it could not be measured")
    return Control(kind, figure.value, figure.low, figure.high, note)
