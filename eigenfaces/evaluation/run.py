"""The raw results of the folds of an evaluation: searches or pairs, thresholds, and curves.

Each fold is measured by itself, from values alone: here, or in another process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from threadpoolctl import threadpool_limits

from eigenfaces.errors import EigenfacesError, Tick, in_stages, no_tick
from eigenfaces.evaluation.by_components import (
    FoldByComponents,
    curve_distances,
    of_fold,
    summed_up,
)
from eigenfaces.evaluation.controls import (
    IN_PIXELS,
    LARGEST_IN_PIXELS,
    Control,
    ControlKind,
    Leak,
    LeakError,
    between_pixels,
    covered,
    find_leaks,
    guessing,
)
from eigenfaces.evaluation.metrics import (
    Comparisons,
    Figure,
    StrangerLimits,
    error_rates,
    identification,
    open_set,
    pair_accuracy,
    verification,
)
from eigenfaces.evaluation.processes import Sharing, each_of, shared_out
from eigenfaces.evaluation.protocols import Fold, Protocol
from eigenfaces.evaluation.records import Evaluation, Partial, Setting, Watch
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
from eigenfaces.recognition.calibration import FEWEST_PEOPLE, Refits, limit
from eigenfaces.recognition.gallery import Duplicate, find_duplicates
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import some_of


def limit_of(fold: Fold, spaces: Spaces, faces: FaceSet, share: float) -> float:
    """Return the distance within which a fold names somebody, at most a share of strangers.

    NaN with too few people, and where the fold is fitted to other faces than are enrolled: how far
    strangers are in its space cannot be known from its gallery.

    Parameters
    ----------
    spaces, faces
        Of all folds.
    """
    rows = np.setdiff1d(fold.gallery, fold.probes)
    names = [faces.index.photos[row].person for row in rows.tolist()]
    if len(set(names)) < FEWEST_PEOPLE or not np.array_equal(rows, np.unique(fold.train)):
        return float("nan")
    refits = Refits.of_features(spaces.features.select(rows), names, spaces.recipe)
    away = refits.without_people()
    return limit(away.distance[away.drawn], share)


@dataclass(frozen=True, eq=False)
class Split:
    """The n faces that take part, their people, the folds, duplicates and leaks."""

    faces: FaceSet
    people: Numbers
    folds: Sequence[Fold]
    seed: int
    duplicates: Sequence[Duplicate]
    leaks: tuple[Leak, ...]

    @property
    def count(self) -> int:
        """The number of people that take part."""
        return len(self.faces.index.people)

    def without_folds(self) -> Split:
        """Return what all folds have in common: many folds are large."""
        return replace(self, folds=(), duplicates=(), leaks=())

    @property
    def in_pairs(self) -> bool:
        """Whether pairs of photographs are compared, instead of searches in a gallery."""
        return any(len(fold.pairs) for fold in self.folds)


@dataclass(frozen=True, eq=False)
class FoldResults:
    """The raw results of some folds of a split, (folds,) thresholds and limits among them."""

    searches: Searches | None
    pairs: PairScores | None
    thresholds: Doubles
    folds: Sequence[FoldByComponents] = ()
    limits: Doubles = field(default_factory=lambda: np.empty(0))

    @classmethod
    def joined(cls, folds: Sequence[FoldResults]) -> FoldResults:
        """Return the results of all folds."""
        searches = [each.searches for each in folds if each.searches is not None]
        pairs = [each.pairs for each in folds if each.pairs is not None]
        return cls(
            joined(searches) if searches else None,
            joined(pairs) if pairs else None,
            np.concatenate([each.thresholds for each in folds]),
            [curves for each in folds for curves in each.folds],
            np.concatenate([each.limits for each in folds]),
        )


@dataclass(frozen=True, eq=False)
class FoldTask:
    """What all folds are measured with; ``answers_only``: without distances and thresholds."""

    split: Split
    setting: Setting
    spaces: Spaces
    answers_only: bool = False

    def measured(self, numbered: tuple[int, Fold]) -> FoldResults:
        """Return the raw results of one fold, which has a number."""
        return self._pairs(*numbered) if len(numbered[1].pairs) else self._searches(*numbered)

    def _pairs(self, number: int, fold: Fold) -> FoldResults:
        people = self.split.people
        compared = InSpace(self.spaces.fit(fold.train, every_k=False), self.setting.recipe.matcher)
        pairs = compare_pairs(compared, fold.pairs, number, people)
        threshold = pair_threshold(compared, fold, people)
        return FoldResults(None, pairs, np.array([threshold]), (), np.array([np.nan]))

    def _searches(self, number: int, fold: Fold) -> FoldResults:
        setting, threshold, limit = self.setting, np.nan, np.nan
        found, curves = self._found(number, fold)  # its space is gone before others are fitted
        if self.answers_only:
            found = found.answers_only()
        else:
            threshold = _threshold(self.spaces, fold, self.split)
            if setting.share is not None and not found.mated.all():
                limit = limit_of(fold, self.spaces, self.split.faces, setting.share)
        return FoldResults(found, None, np.array([threshold]), curves, np.array([limit]))

    def _found(self, number: int, fold: Fold) -> tuple[Searches, list[FoldByComponents]]:
        people, matcher = self.split.people, self.setting.recipe.matcher
        distances = curve_distances(matcher) if self.setting.curves else ()
        space = self.spaces.fit(fold.train, every_k=bool(distances))
        found = search(InSpace(space, matcher), fold, number, people, matcher)
        return found, [of_fold(space, fold, people, matcher, distances)] if distances else []


def measure(
    split: Split,
    setting: Setting,
    tick: Tick = no_tick,
    watch: Watch | None = None,
    *,
    answers_only: bool = False,
    sharing: Sharing | None = None,
) -> FoldResults:
    """Return the raw results of all folds."""
    spaces = Spaces.of(split.faces, setting.recipe)
    spaces.prepare(split.folds)
    asked = FoldTask(split.without_folds(), setting, spaces, answers_only)
    total = len(split.folds)
    done = list[FoldResults]()
    results = each_of(FoldTask.measured, asked, enumerate(split.folds), tick, sharing)
    for number, result in enumerate(results, 1):
        done.append(result)
        if number == total:  # whoever watches keeps the whole, not its parts beside it
            done = [FoldResults.joined(done)]
        if watch is not None and result.searches is not None:
            searches = tuple(each.searches for each in done if each.searches is not None)
            curves = tuple(each for fold in done for each in fold.folds)
            watch(Partial(number, total, split.faces.index.people, searches, curves))
    (whole,) = done
    return whole


def _threshold(spaces: Spaces, fold: Fold, split: Split) -> float:
    """Return the distance at the EER on faces held out of a fold's gallery; NaN without any."""
    held = fold.development(split.people, split.seed)
    if held is None:
        return float("nan")
    matcher = spaces.recipe.matcher
    compared = InSpace(spaces.fit(held.train, every_k=False), matcher)
    found = Comparisons.of_searches(search(compared, held, 0, split.people, matcher))
    return error_rates(found.distances, found.mated).equal[1] if all(found.counts) else float("nan")


def pair_threshold(compared: Compared, fold: Fold, people: Numbers) -> float:
    """Return the distance at which most of the pairs for tuning are decided correctly.

    As in the protocol of LFW, these are the photographs that the face space is fitted to.
    """
    found = compare_pairs(compared, fold.tuning, 0, people)
    if not found.mated.any() or found.mated.all():
        return float("nan")
    return error_rates(found.distances, found.mated).least[1]


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
    if not np.isfinite(faces.pixels.held).all():
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
