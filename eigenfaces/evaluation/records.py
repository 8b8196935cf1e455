"""Evaluations, and their JSON form with everything that is needed to repeat them.

Infinite distances (to people who are not enrolled) and unknown numbers are written as ``null``.
Every other number is read back exactly, to the last bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import msgspec
import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.by_components import ByComponents
from eigenfaces.evaluation.controls import Control, Leak
from eigenfaces.evaluation.metrics import Comparisons, Metric, MetricKind, StrangerLimits
from eigenfaces.evaluation.protocols import NO_FAILURES, PROTOCOLS, Failures, Protocol, check_seed
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.decode import MOST_BYTES, read_text
from eigenfaces.photographs.find import Skipped
from eigenfaces.recognition.automatic import MOST_BEHIND, preferred_recipe
from eigenfaces.recognition.duplicates import Duplicate
from eigenfaces.recognition.features import person_numbers
from eigenfaces.recognition.limits import check_share
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import short_repr
from eigenfaces.versions import package_versions

YEARS = {"Eigenfaces": 1991, "Fisherfaces": 1997, "Texture": 2006, "Network": 2017}
"""The year in which each recipe was published, by M. Turk and A. Pentland; P. Belhumeur, J.
Hespanha and D. Kriegman; T. Ahonen, A. Hadid and M. Pietikäinen; and D. King."""


@dataclass(frozen=True)
class EvaluationSetting:
    """The settings of an evaluation: everything that it depends on except the faces.

    Parameters
    ----------
    recipe
        The way in which faces are compared.
    protocol
        The split into training faces, gallery and probes.
    seed
        The seed for resampling, and for holding out faces to choose thresholds, 0 or more. A
        protocol has its own seed.
    curves
        Whether accuracy is measured for every number of components.
    allow_leaks
        Whether a split with leaks is evaluated anyway.
    share
        The largest share of strangers that may be named, which determines a limit in each fold. If
        None, there is no such limit.
    controls
        Whether pairs are also evaluated with covered faces. Searches always are.

    Raises
    ------
    EigenfacesError
        The seed is negative, or the share is not allowed.

    Examples
    --------
    >>> from eigenfaces import KFold
    >>> EvaluationSetting(Recipe.of(distance="cosine"), KFold(5)).protocol.words()
    '5-fold cross-validation'
    """

    recipe: Recipe
    protocol: Protocol
    seed: int = 0
    curves: bool = True
    allow_leaks: bool = False
    share: float | None = None
    controls: bool = False

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.share is not None:
            check_share(self.share)


@dataclass(frozen=True)
class RecipeResult:
    """The main figure of a recipe's evaluation, or the reason why there is none."""

    recipe: str
    figure: Metric | None
    reason: str = ""


@dataclass(frozen=True)
class RecipesCompared:
    """The results of several recipes on the same folds, simplest recipe first.

    This is what `compare_recipes` returns.

    Attributes
    ----------
    results
        A result for each recipe: its name (``recipe``), and its ``figure`` or the ``reason`` why
        there is none.
    leaks
        The number of leaks in the split, if leaks were allowed.
    crops
        Whether the faces were cropped beforehand rather than found in photographs.

    Examples
    --------
    >>> figure = Metric("rank-1", 0.95, low=0.9, high=0.98, note="95 of 100")
    >>> results = RecipeResult("Eigenfaces", figure), RecipeResult("Texture", None, "Few people.")
    >>> RecipesCompared(results).shares
    {'Eigenfaces': 0.95}
    """

    results: tuple[RecipeResult, ...]
    leaks: int = 0
    crops: bool = True

    @property
    def shares(self) -> dict[str, float]:
        """The share of right answers for each recipe that could be evaluated."""
        return {result.recipe: result.figure.value for result in self.results if result.figure}

    @property
    def chosen(self) -> tuple[str, str]:
        """The recipe that Automatic would choose, and the best recipe, or two empty strings."""
        if not (shares := self.shares):
            return "", ""
        return preferred_recipe(shares, crops=self.crops), max(
            shares, key=lambda name: shares[name]
        )

    @property
    def sentence(self) -> str:
        """A sentence that says which recipe Automatic would choose, and why."""
        chosen, best = self.chosen
        if not chosen:
            return "None of the recipes could be evaluated."
        words = f"Automatic would choose {chosen}, which is right most often."
        if chosen != best:
            by_photos = chosen == "Network" and not self.crops
            which = "the best at rejecting strangers" if by_photos else "the simplest"
            ahead = round(100 * (self.shares[best] - self.shares[chosen]), 1)
            words = (
                f"Automatic would choose {chosen}, {which} of those within {100 * MOST_BEHIND:g} "
                f"points of the best result. {best} is "
            )
            words += f"{ahead:.1f} points ahead." if ahead else "right as often."
        if self.leaks:
            words += " Some photos searched for are already known, so all results are too good."
        return words


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The result of `evaluate`: figures on how often a recipe is right, and all underlying scores.

    Rows and people are given by their indices in ``photos`` (n) and ``people`` (p).

    Attributes
    ----------
    setting
        The settings of the evaluation.
    photos
        The n faces that take part.
    people
        The p people to whom these faces belong.
    searches
        All searches, or None if pairs were compared.
    pairs
        All pairs, or None if faces were searched for.
    thresholds
        (folds,), the distance threshold chosen in each fold, or NaN if none could be chosen.
    metrics
        The figures with their intervals, the most important first.
    by_components
        The accuracy for every number of components, or None if it was not requested.
    controls
        Figures to compare the result with.
    duplicates
        Pairs of photographs that are nearly the same.
    leaks
        The leaks in the split, if the settings allow leaks.
    too_few_photos
        People with too few photographs to be searched for.
    unused
        Photographs that could not be used, each with the reason.
    strangers
        The limits for strangers, or None if there are no strangers or no limits were requested.
    recipes
        Results of other recipes on the same folds, or None if they were not requested.
    by_middle
        The number of photographs with several faces, of which the one nearest the middle was used,
        or None if there are none.
    failures
        Searches or pairs without a usable photograph, or None if there are none.

    Examples
    --------
    >>> from eigenfaces import FaceSet, KFold, evaluate
    >>> rng = np.random.default_rng(0)
    >>> images = np.repeat(0.7 * rng.random((2, 16, 16)), 3, axis=0) + 0.3 * rng.random((6, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 3 + ["Grace"] * 3)
    >>> result = evaluate(faces, EvaluationSetting(Recipe(), KFold(3), curves=False))
    >>> result.people, len(result.searches), result.metric("rank-1").value
    (('Ada', 'Grace'), 6, 1.0)
    """

    setting: EvaluationSetting
    photos: tuple[FacePhoto, ...]
    people: tuple[str, ...]
    searches: Searches | None
    pairs: PairScores | None
    thresholds: Doubles
    metrics: tuple[Metric, ...]
    by_components: ByComponents | None
    controls: tuple[Control, ...]
    duplicates: tuple[Duplicate, ...]
    leaks: tuple[Leak, ...]
    too_few_photos: tuple[str, ...]
    unused: tuple[Skipped, ...] = ()
    strangers: StrangerLimits | None = None
    recipes: RecipesCompared | None = None
    by_middle: int | None = None
    failures: Failures | None = None
    __repr__ = short_repr

    @property
    def scores(self) -> Searches | PairScores:
        """All m searches, or all m pairs."""
        scores = self.pairs if self.searches is None else self.searches
        assert scores is not None
        return scores

    def judged(self) -> tuple[Flags, Flags]:
        """Return which searches are mated (or which pairs have a threshold) and which are right."""
        scores = self.scores
        if isinstance(scores, Searches):
            return scores.mated, scores.right
        return np.isfinite(self.thresholds[scores.fold]), scores.right(self.thresholds)

    def comparisons(self) -> Comparisons:
        """Return all one-to-one comparisons, for ROC and DET curves."""
        if isinstance(self.scores, Searches):
            return Comparisons.of_searches(self.scores)
        people = person_numbers([photo.person for photo in self.photos])
        return Comparisons.of_pairs(self.scores, people)

    @property
    def failed(self) -> Failures:
        """The pairs, or the searches for enrolled people, that had no usable photograph."""
        return self.failures or NO_FAILURES

    @property
    def headline(self) -> Metric | None:
        """The main figure, with which controls are compared, or None if there is none."""
        return self.metric("rank-1") or self.metric("pair accuracy")

    def metric(self, kind: MetricKind) -> Metric | None:
        """Return the figure of the given kind, or None if it is missing."""
        return next((figure for figure in self.all_metrics if figure.kind == kind), None)

    @property
    def all_metrics(self) -> tuple[Metric, ...]:
        """All figures, including those at the limits for strangers."""
        return self.metrics + (self.strangers.metrics if self.strangers else ())


REPORT_VERSION = 1

_FILE_NAMES = {
    "unused": {"path": "file", "reason": "reason", "person": "person"},
    "metrics": {"kind": "name"},
    "controls": {"kind": "name"},
}
"""The JSON names of some attributes."""

_OPTIONAL = ("strangers", "recipes", "failures", "by_middle")


@dataclass(frozen=True)
class EvaluationSource:
    """The origin of the faces in an evaluation.

    Parameters
    ----------
    kind
        ``"sample"``, ``"folder"`` of photographs, or ``"project"``.
    place
        The path of the folder or project file, or an empty string for the sample.
    pattern
        The file-name pattern that gives the person, such as ``"{person}.*"``, or None for folders.
    eyes
        The path of the table of eye positions, or None if none was given.
    thorough
        Whether small, turned and covered faces were looked for as well.

    Examples
    --------
    >>> EvaluationSource("folder", "people/").kind
    'folder'
    """

    kind: Literal["sample", "folder", "project"]
    place: str = ""
    pattern: str | None = None
    eyes: str | None = None
    thorough: bool = False


@dataclass(frozen=True, eq=False)
class EvaluationRecord:
    """An evaluation with the preparation and origin of its faces, and the software versions.

    `write_report` writes a record to files.

    Parameters
    ----------
    evaluation
        The result of `evaluate`.
    preparation
        The preparation with which the faces were cropped.
    source
        The origin of the faces.
    versions
        The version of each package that the figures depend on; by default, those installed.

    Examples
    --------
    >>> from eigenfaces import FaceSet, KFold, evaluate
    >>> rng = np.random.default_rng(0)
    >>> images = np.repeat(0.7 * rng.random((2, 16, 16)), 3, axis=0) + 0.3 * rng.random((6, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada"] * 3 + ["Grace"] * 3)
    >>> result = evaluate(faces, EvaluationSetting(Recipe(), KFold(3), curves=False))
    >>> source = EvaluationSource("folder", "people/")
    >>> record = EvaluationRecord(result, Preparation(16, 16), source)
    >>> sorted(record.versions)[:2]
    ['eigenfaces', 'machine']
    """

    evaluation: Evaluation
    preparation: Preparation
    source: EvaluationSource
    versions: Mapping[str, str] = field(default_factory=package_versions)


def to_json(record: EvaluationRecord) -> str:
    """Return a record as JSON."""
    result = record.evaluation
    setting = record.evaluation.setting
    parts = {part.name: getattr(result, part.name) for part in fields(Evaluation)}
    parts |= {name: _written(parts[name], name) for name in _FILE_NAMES}
    parts["photos"] = [_written_photo(photo) for photo in result.photos]
    for name in _OPTIONAL:
        if parts[name] is None:
            del parts[name]
    parts["setting"] = {
        "recipe": setting.recipe.record,
        "protocol": {"kind": setting.protocol.kind, **asdict(setting.protocol)},
        **{name: getattr(setting, name) for name in ("seed", "curves", "allow_leaks", "controls")},
    }
    if result.strangers is not None:
        parts["setting"]["share"] = setting.share
        figures = _written(result.strangers.metrics, "metrics")
        parts["strangers"] = {"limits": result.strangers.limits, "metrics": figures}
    content = {
        "format": "eigenfaces evaluation",
        "version": REPORT_VERSION,
        "made_with": record.versions,
    }
    content |= {"source": record.source, "preparation": record.preparation, **parts}
    try:
        return msgspec.json.encode(content, enc_hook=_encode).decode()
    except UnicodeEncodeError:  # a file name is not valid text
        text = json.dumps(msgspec.to_builtins(content, enc_hook=_encode))
        return json.dumps(json.loads(text, parse_constant=lambda _: None))


def _written(items: Iterable[Any], section: str) -> list[dict[str, Any]]:
    """Return the items of a section, with the field names of the JSON form."""
    names = _FILE_NAMES[section]
    only = names if "path" in names else None
    return [
        {
            names.get(part.name, part.name): getattr(item, part.name)
            for part in fields(item)
            if only is None or part.name in only
        }
        for item in items
    ]


def _written_photo(photo: FacePhoto) -> dict[str, Any]:
    """Return the JSON form of a face's photograph."""
    return {
        "file": photo.path,
        "sha256": photo.photograph.sha,
        "face": photo.number,
        "person": photo.person,
        "size": photo.size,
    }


def _read_photo(written: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a photograph from its JSON form (the inverse of `_written_photo`)."""
    names = {"path": "file", "sha": "sha256", "size": "size"}
    photograph = {field: written[name] for field, name in names.items()}
    return {"photograph": photograph, "number": written["face"], "person": written["person"]}


def _encode(value: Any) -> Any:
    """Return the JSON form of a path or an array, with ``null`` for numbers that are not finite."""
    return value.as_posix() if isinstance(value, Path) else value.tolist()


def read_report(file: Path) -> EvaluationRecord:
    """Return the record in a report file, or raise `EigenfacesError` if it cannot be read."""
    try:
        return from_json(read_text(file, MOST_BYTES))
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{file}” is not a report: choose its .json file.") from None
    except EigenfacesError as error:
        raise EigenfacesError(f"“{file}”: {error}") from None


class _Head(msgspec.Struct):
    format: Literal["eigenfaces evaluation"]
    version: int


class _Setting(msgspec.Struct):
    recipe: dict[str, Any]
    protocol: dict[str, Any]
    seed: int
    curves: bool
    allow_leaks: bool
    controls: bool
    share: float | None = None


_HINTS = {"made_with": dict[str, str], "source": EvaluationSource, "preparation": Preparation}
_HINTS |= get_type_hints(Evaluation) | {"setting": _Setting}
_Content: Any = msgspec.defstruct(  # the fields of a report, with their types
    "_Content", [(n, h, None) if n in _OPTIONAL else (n, h) for n, h in _HINTS.items()]
)


def from_json(text: str) -> EvaluationRecord:
    """Return the record that `to_json` wrote, or raise `EigenfacesError` for any other text."""
    try:
        content = json.loads(text)
        if msgspec.convert(content, _Head).version > REPORT_VERSION:
            raise EigenfacesError("This report was made by a newer version. Update the program.")
        parts = {name: _read_items(content[name], name) for name in _FILE_NAMES}
        parts["photos"] = [_read_photo(photo) for photo in content["photos"]]
        limits = content.get("strangers")
        if limits is not None:
            figures = _read_items(limits["metrics"], "metrics")
            parts["strangers"] = limits | {"share": content["setting"]["share"], "metrics": figures}
        read = msgspec.convert(content | parts, _Content, dec_hook=_decode)
        return EvaluationRecord(_evaluation(read), read.preparation, read.source, read.made_with)
    except EigenfacesError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise EigenfacesError(
            f"This is not a report of an evaluation, or it is damaged ({error}). Choose a JSON "
            "file that “evaluate” wrote."
        ) from error


def _read_items(items: Any, part: str) -> Any:
    """Convert items back from JSON. The value of a control that was not measured becomes NaN."""
    names = _FILE_NAMES[part].items()
    read = [item | {field: item[name] for field, name in names} for item in items]
    if part == "controls":
        read = [item | {"value": math.nan} if item["value"] is None else item for item in read]
    return read


def _decode(kind: Any, value: Any) -> Any:
    """Return a path, or an array of the given numeric type in which ``null`` becomes NaN."""
    if kind is Path:
        return Path(msgspec.convert(value, str))
    dtype = np.dtype(get_args(get_args(kind)[1])[0])
    array = np.array(value, dtype if dtype.kind == "f" else None)
    if array.size and array.dtype.kind != dtype.kind:
        raise ValueError(f"{dtype.name} are expected")
    return array.astype(dtype)


def _evaluation(read: Any) -> Evaluation:
    """Return the evaluation in a report's content. Raise `ValueError` if its parts do not match."""
    rows, people, folds = len(read.photos), len(read.people), len(read.thresholds)
    searches, pairs, curves, setting = read.searches, read.pairs, read.by_components, read.setting
    twins = np.array([(pair.first, pair.second) for pair in read.duplicates], np.intp).ravel()
    limits = read.thresholds if read.strangers is None else read.strangers.limits
    # Each array with its length, and the half-open range of its numbers.
    ranges = [(twins, len(twins), 0, rows)]
    ranges += [(np.isnan(values) * 0, folds, 0, 1) for values in (read.thresholds, limits)]
    if searches is not None:
        count = len(searches)
        distances = np.where(np.isnan(searches.distances), np.inf, searches.distances)
        searches = replace(searches, distances=distances.reshape(count, people))
        if (searches.ranks > np.isfinite(searches.distances).sum(axis=1)).any():
            raise ValueError("its ranks do not fit its scores")
        ranges += [(array, count, 0, rows) for array in (searches.probes, searches.taken)]
        ranges += [(array, count, 0, people) for array in (searches.people, searches.answers)]
        ranges += [(searches.fold, count, 0, folds), (searches.should, count, -1, rows)]
        ranges.append((searches.ranks, count, 0, people + 1))
    elif pairs is not None:
        count = len(pairs)
        both = pairs.pairs.reshape(-1, 2)
        pairs = replace(pairs, pairs=both)
        if not np.isfinite(pairs.distances).all():
            raise ValueError("its scores are not numbers")
        ranges += [(pairs.fold, count, 0, folds), (both.ravel(), 2 * count, 0, rows)]
        ranges.append((pairs.mated * 1, count, 0, 2))
    else:
        raise ValueError("it has no scores")
    if (failures := read.failures) is not None:
        lost = len(failures.mated)
        ranges += [(failures.fold, lost, 0, folds), (failures.people, lost, 0, people + lost)]
    for array, size, least, end in ranges:
        if array.shape != (size,) or (size and not least <= array.min() <= array.max() < end):
            raise ValueError("its scores do not fit its photos")
    if {photo.person for photo in read.photos} != {*read.people}:
        raise ValueError("its people are not those in its photos")
    if curves is not None:
        by_distance = curves.accuracy, curves.low, curves.high
        lines = [curves.squares_lost, curves.variance_kept]
        lines += [*(line for curve in by_distance for line in curve.values())]
        if len({line.shape for line in lines}) > 1 or len({*map(tuple, by_distance)}) > 1:
            raise ValueError("its curves do not fit each other")
    parts = {part.name: getattr(read, part.name) for part in fields(Evaluation)}
    parts |= {"searches": searches, "pairs": pairs}
    protocol: Protocol = msgspec.convert(setting.protocol, PROTOCOLS[setting.protocol["kind"]])
    parts["setting"] = EvaluationSetting(
        recipe=Recipe.of(**setting.recipe),
        protocol=protocol,
        seed=setting.seed,
        curves=setting.curves,
        allow_leaks=setting.allow_leaks,
        share=setting.share,
        controls=setting.controls,
    )
    return Evaluation(**parts)
