"""An evaluation as JSON and back, with all that somebody needs to repeat it.

Infinite distances (to people who are not enrolled) and numbers that could not be had are ``null``.
Every other number comes back as it was, to the last bit.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.by_components import ByComponents, FoldByComponents, summed_up
from eigenfaces.evaluation.controls import Control, Duplicate, Leak
from eigenfaces.evaluation.metrics import Comparisons, Figure, FigureKind, StrangerLimits
from eigenfaces.evaluation.protocols import PROTOCOLS, Protocol, check_seed
from eigenfaces.evaluation.searches import PairScores, Searches, joined
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.decode import MOST_BYTES, read_text
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.calibration import check_share
from eigenfaces.recognition.recipe import Matcher, Recipe
from eigenfaces.space.arrays import Doubles, Numbers


@dataclass(frozen=True)
class Setting:
    """All that an evaluation depends on, besides the faces.

    Parameters
    ----------
    recipe
        How faces are compared.
    protocol
        How they are split.
    seed
        Of resampling, and of what is held out to choose thresholds; a protocol has its own.
    curves
        Whether accuracy is found for every number of components.
    allow_leaks
        Whether a split that leaks is measured all the same.
    share
        Of strangers, where there are some among the probes: how many may be named at most, by a
        limit from the gallery of each fold. None asks for no limits.
    """

    recipe: Recipe
    protocol: Protocol
    seed: int = 0
    curves: bool = True
    allow_leaks: bool = False
    share: float | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.share is not None:
            check_share(self.share)


_LOOKED_THROUGH = 500_000
"""Comparisons of a running evaluation that are looked through: more would hold up the window."""


@dataclass(frozen=True, eq=False)
class Partial:
    """How far an evaluation is: what some of the folds gave. Nothing is computed until asked."""

    done: int
    total: int
    people: tuple[str, ...]
    parts: tuple[Searches, ...]
    folds: tuple[FoldByComponents, ...]

    @cached_property
    def searches(self) -> Searches:
        """All searches so far."""
        return joined(self.parts)

    @property
    def by_components(self) -> ByComponents | None:
        """The evidence so far for every number of components."""
        return summed_up(self.folds, len(self.people)) if self.folds else None

    def comparisons(self) -> Comparisons:
        """Return the comparisons so far; of very many, those of every second, third … search."""
        every = 1 + self.searches.distances.size // _LOOKED_THROUGH
        return Comparisons.of_searches(self.searches.some(slice(None, None, every)))


Watch = Callable[[Partial], None]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What came of it.

    Parameters
    ----------
    setting
        What was asked.
    photos
        The n photographs that took part; rows elsewhere are places in this.
    people
        The p people on them; people elsewhere are places in this.
    searches
        Every search; None where single pairs were compared, and these are in ``pairs``.
    pairs
        Every pair; None where there were searches.
    thresholds
        (folds,) the threshold chosen in each fold; NaN where none could be.
    figures
        The figures, the most important first.
    by_components
        The evidence for every number of components; None where there is none.
    controls
        What to hold beside the figures.
    duplicates
        Photographs that are nearly the same.
    leaks
        What the split leaked, where that was allowed.
    left_out
        People whose photographs were too few to search for them.
    unused
        Photographs that could not be used, with the reasons.
    strangers
        What limits for strangers did; None without strangers, or where none were asked for.
    """

    setting: Setting
    photos: tuple[FacePhoto, ...]
    people: tuple[str, ...]
    searches: Searches | None
    pairs: PairScores | None
    thresholds: Doubles
    figures: tuple[Figure, ...]
    by_components: ByComponents | None
    controls: tuple[Control, ...]
    duplicates: tuple[Duplicate, ...]
    leaks: tuple[Leak, ...]
    left_out: tuple[str, ...]
    unused: tuple[Skipped, ...] = ()
    strangers: StrangerLimits | None = None

    @cached_property
    def compared(self) -> tuple[int, int]:
        """How many comparisons are mated, and how many are not."""
        return self.comparisons().counts

    def comparisons(self) -> Comparisons:
        """Return every single comparison, for ROC and DET."""
        if self.searches is not None:
            return Comparisons.of_searches(self.searches)
        assert self.pairs is not None
        places = {name: i for i, name in enumerate(self.people)}
        of = np.array([places[photo.person or ""] for photo in self.photos])
        return Comparisons.of_pairs(self.pairs, of)

    @property
    def headline(self) -> Figure | None:
        """The figure that comes first, and that controls are held beside; None without any."""
        return self.figure("rank-1") or self.figure("pair accuracy")

    def figure(self, kind: FigureKind) -> Figure | None:
        """Return the figure of this kind, or None where it could not be had."""
        return next((figure for figure in self.all_figures if figure.kind == kind), None)

    @property
    def all_figures(self) -> tuple[Figure, ...]:
        """The figures, and those at the limits for strangers."""
        return self.figures + (self.strangers.figures if self.strangers else ())


FORMAT, VERSION = "eigenfaces evaluation", 1


_PACKAGES = ("eigenfaces", "numpy", "scipy", "scikit-learn", "scikit-image", "pillow")


@dataclass(frozen=True)
class Source:
    """Where the faces came from: the sample, a folder of photographs, or a project file."""

    kind: Literal["sample", "folder", "project"]
    place: str = ""
    pattern: str | None = None
    eyes: str | None = None


def made_with() -> dict[str, str]:
    """Return the versions of what an evaluation depends on."""
    versions = {"python": platform.python_version(), "machine": platform.machine()}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # run from its folder, not installed
            versions[name] = "unknown"
    return versions


@dataclass(frozen=True, eq=False)
class Record:
    """An evaluation, how its faces were cut, where they came from, and what it was made with."""

    evaluation: Evaluation
    preparation: Preparation
    source: Source
    versions: Mapping[str, str] = field(default_factory=made_with)


def to_json(record: Record) -> str:
    """Write a record as JSON."""
    content = content_of(record)
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:  # the name of some file is no valid text
        text = json.dumps(content, allow_nan=False)
    return text


def content_of(record: Record) -> dict[str, Any]:
    """Return what a record holds, as it is written as JSON."""
    result = record.evaluation
    setting, limits = result.setting, result.strangers
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(record.versions),
        "source": record.source,
        "preparation": record.preparation,
        "setting": {
            "recipe": setting.recipe.record,
            "protocol": {"kind": setting.protocol.kind, **asdict(setting.protocol)},
            "seed": setting.seed,
            "curves": setting.curves,
            "allow_leaks": setting.allow_leaks,
        },
        "photos": [
            {"file": each.path.as_posix(), "person": each.person, "sha256": each.key}
            | {"size": each.size}
            for each in result.photos
        ],
        "people": result.people,
        "left_out": result.left_out,
        "unused": [
            {"file": each.path.as_posix(), "reason": each.reason, "person": each.person}
            for each in result.unused
        ],
        "thresholds": result.thresholds,
        "figures": [_named(each) for each in result.figures],
        "controls": [_named(each) for each in result.controls],
        "duplicates": result.duplicates,
        "leaks": result.leaks,
        "by_components": result.by_components,
        "searches": result.searches,
        "pairs": result.pairs,
    }
    if limits is not None:
        content["setting"]["share"] = setting.share
        figures = [_named(each) for each in limits.figures]
        content["strangers"] = {"limits": limits.limits, "figures": figures}
    return _plain(content)


def _named(of: Figure | Control) -> dict[str, Any]:
    """Return a figure or a control as it is written: its kind is called its name there."""
    values = asdict(of)
    return {"name": values.pop("kind"), **values}


def _plain(value: Any) -> Any:
    """Return what JSON has words for; numbers that are not finite are None."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            value = value.astype(object)
            value[~np.isfinite(value.astype(np.float64))] = None
        return value.tolist()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_report(file: Path) -> Record:
    """Return the record of a report; raise `EigenfacesError` if it cannot be read."""
    try:
        text = read_text(file, MOST_BYTES)
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{file}” is no report: choose the .json of one.") from None
    try:
        return from_json(text)
    except EigenfacesError as error:
        raise EigenfacesError(f"“{file}”: {error}") from None


class _Head(msgspec.Struct):
    format: Literal["eigenfaces evaluation"]
    version: int


class _Photo(msgspec.Struct):
    file: str
    sha256: str
    person: str | None
    size: tuple[int, int]


class _Unused(msgspec.Struct):
    file: str
    reason: str
    person: str | None


class _Setting(msgspec.Struct):
    recipe: dict[str, Any]
    protocol: dict[str, Any]
    seed: int
    curves: bool
    allow_leaks: bool
    share: float | None = None


class _Strangers(msgspec.Struct):
    limits: Doubles
    figures: list[dict[str, Any]]


class _Content(msgspec.Struct):
    """What a report holds, by the names and types it has there."""

    made_with: dict[str, str]
    source: Source
    preparation: Preparation
    setting: _Setting
    photos: list[_Photo]
    people: tuple[str, ...]
    left_out: tuple[str, ...]
    unused: list[_Unused]
    thresholds: Doubles
    figures: list[dict[str, Any]]
    controls: list[dict[str, Any]]
    duplicates: tuple[Duplicate, ...]
    leaks: tuple[Leak, ...]
    by_components: ByComponents | None
    searches: dict[str, Any] | None
    pairs: PairScores | None
    strangers: _Strangers | None = None


def from_json(text: str) -> Record:
    """Read what `to_json` wrote; raise `EigenfacesError` where that is not what it is."""
    try:
        content = json.loads(text)
        if msgspec.convert(content, _Head).version > VERSION:
            raise EigenfacesError("This report was made by a newer version. Update the program.")
        read = _typed(content, _Content)
        return Record(_evaluation(read), read.preparation, read.source, read.made_with)
    except EigenfacesError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise EigenfacesError(
            f"This is no report of an evaluation, or it is damaged ({error}). "
            "Choose a JSON file that “evaluate” wrote."
        ) from error


def _typed(value: Any, kind: Any) -> Any:
    """Return a value of JSON as one of a type; raise `ValueError` where it is none."""
    return msgspec.convert(value, kind, dec_hook=_array)


def _array(kind: Any, value: Any) -> Any:
    """Return an array, whose kind says of which numbers; a ``null`` is no number."""
    number = get_args(get_args(kind)[1])[0]
    if number is np.float64:
        return np.array(msgspec.convert(value, list[float | None]), np.float64)
    if number is np.bool_:
        return np.array(msgspec.convert(value, list[bool]), np.bool_)
    if value and isinstance(value, list) and isinstance(value[0], list):
        return np.array(msgspec.convert(value, list[tuple[int, int]]), number)
    return np.array(msgspec.convert(value, list[int]), number)


def _infinite(distances: Doubles) -> Doubles:
    return np.where(np.isnan(distances), np.inf, distances)


def _evaluation(read: _Content) -> Evaluation:
    photos = tuple(
        FacePhoto(Path(each.file), each.person, each.sha256, each.size) for each in read.photos
    )
    if {photo.person for photo in photos} != {*read.people}:
        raise ValueError("its people are not those on its photos")
    folds, limits = len(read.thresholds), read.strangers
    searches, pairs, rows = None, read.pairs, len(photos)
    if read.searches is not None:
        searches = _searches(read.searches, folds, rows, len(read.people))
    elif pairs is not None:
        pairs = replace(pairs, distances=_infinite(pairs.distances))
        pairs = replace(pairs, pairs=pairs.pairs.reshape(-1, 2))
        _check(pairs.fold, len(pairs), 0, folds)
        _check(pairs.pairs.ravel(), 2 * len(pairs), 0, rows)
        _check(pairs.mated.astype(np.intp), len(pairs), 0, 2)
    else:
        raise ValueError("it has no scores")
    twice = np.array([(each.first, each.second) for each in read.duplicates], np.intp).ravel()
    _check(twice, len(twice), 0, rows)
    if limits is not None:
        _check(np.arange(len(limits.limits)), folds, 0, folds)
    if read.by_components is not None:
        _check_curves(read.by_components)
    return Evaluation(
        setting=_setting(read.setting),
        photos=photos,
        people=read.people,
        searches=searches,
        pairs=pairs,
        thresholds=read.thresholds,
        figures=tuple(_kind_of(each, Figure) for each in read.figures),
        by_components=read.by_components,
        controls=tuple(_kind_of(each, Control) for each in read.controls),
        duplicates=read.duplicates,
        leaks=read.leaks,
        left_out=read.left_out,
        unused=tuple(Skipped(Path(each.file), each.reason, each.person) for each in read.unused),
        strangers=None
        if limits is None
        else StrangerLimits(
            msgspec.convert(read.setting.share, float),
            limits.limits,
            tuple(_kind_of(each, Figure) for each in limits.figures),
        ),
    )


def _kind_of(content: dict[str, Any], made: type[Any]) -> Any:
    """Undo `_named`; a ``null`` that is to be a number is one that could not be had."""
    values = {"kind": content["name"], **content}
    for name in fields(made):
        if name.type == "float" and values[name.name] is None:
            values[name.name] = math.nan
    return msgspec.convert(values, made)


def _setting(read: _Setting) -> Setting:
    recipe, values = Recipe.of(read.recipe["name"]), dict(read.recipe)
    values.pop("name")
    for part in (type(recipe.features), Matcher):
        msgspec.convert(values, part)  # each is of its type; what is none of either is refused next
    return Setting(
        recipe.changed(**values),
        read_protocol(read.protocol),
        read.seed,
        read.curves,
        read.allow_leaks,
        read.share,
    )


def read_protocol(content: Mapping[str, Any]) -> Protocol:
    """Make a protocol of its kind and its fields as JSON gives them."""
    kind = PROTOCOLS[content["kind"]]
    return msgspec.convert({**content}, kind)


def _searches(content: Mapping[str, Any], folds: int, photos: int, people: int) -> Searches:
    rows = msgspec.convert(content["distances"], list[list[float | None]])
    if any(len(row) != people for row in rows):
        raise ValueError("its scores are not those of its people")
    distances = _infinite(np.array(rows, np.float64).reshape(-1, people))
    places: dict[str, Numbers] = {}
    for name, least, most in (
        ("fold", 0, folds),
        ("people", 0, people),
        ("answers", 0, people),
        ("ranks", 0, people + 1),
        ("probes", 0, photos),
        ("taken", 0, photos),
        ("should", -1, photos),
    ):
        places[name] = _typed(content[name], Numbers)
        _check(places[name], len(rows), least, most)
    if (places["ranks"] > np.isfinite(distances).sum(axis=1)).any():
        raise ValueError("its ranks do not fit its scores")
    return Searches(distances=distances, **places)


def _check_curves(by: ByComponents) -> None:
    lines = [line for each in (by.accuracy, by.low, by.high) for line in each.values()]
    if any(line.shape != by.kept.shape for line in (*lines, by.left_out)) or not (
        by.accuracy.keys() == by.low.keys() == by.high.keys()
    ):
        raise ValueError("its curves do not fit each other")


def _check(places: Numbers, count: int, least: int, most: int) -> None:
    if len(places) != count or (count and not (least <= places.min() <= places.max() < most)):
        raise ValueError("its scores do not fit its photos")
