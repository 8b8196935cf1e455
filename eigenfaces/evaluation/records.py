"""An evaluation as JSON and back, with all that somebody needs to repeat it.

Infinite distances (to people who are not enrolled) and numbers that could not be had are ``null``.
Every other number comes back as it was, to the last bit.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import msgspec
import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.by_components import ByComponents, FoldByComponents, summed_up
from eigenfaces.evaluation.controls import Control, ControlKind, Leak
from eigenfaces.evaluation.metrics import Comparisons, Figure, FigureKind, StrangerLimits
from eigenfaces.evaluation.protocols import PROTOCOLS, Protocol, check_seed
from eigenfaces.evaluation.searches import PairScores, Searches, joined
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.decode import MOST_BYTES, read_text
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.automatic import BEHIND, preferred
from eigenfaces.recognition.calibration import check_share
from eigenfaces.recognition.features import numbered
from eigenfaces.recognition.gallery import Duplicate
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import as_line

YEARS = {"Eigenfaces": 1991, "Fisherfaces": 1997, "Texture": 2006, "Network": 2017}
"""When each was published: by M. Turk and A. Pentland; P. Belhumeur, J. Hespanha and D. Kriegman;
T. Ahonen, A. Hadid and M. Pietikäinen; D. King."""


@dataclass(frozen=True)
class Setting:
    """All that an evaluation depends on, besides the faces."""

    recipe: Recipe
    protocol: Protocol
    seed: int = 0  # of resampling, and of what is held out for thresholds; a protocol has its own
    curves: bool = True  # whether accuracy is found for every number of components
    allow_leaks: bool = False  # whether a split that leaks is measured all the same
    share: float | None = None
    """Of strangers, how many may be named at most, by a limit from each fold's gallery; or None."""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.share is not None:
            check_share(self.share)


@dataclass(frozen=True)
class RecipeResult:
    """How often a recipe is right, as its evaluation says first; or why that is not known."""

    recipe: str
    figure: Figure | None
    reason: str = ""


@dataclass(frozen=True)
class RecipesCompared:
    """Recipes measured in the same folds, the simplest first."""

    results: tuple[RecipeResult, ...]
    doubt: str = ""  # whether the best is ahead of Automatic's by more than chance
    leaks: int = 0  # of the split, which were allowed
    crops: bool = True  # whether of ready crops, not of photographs

    @property
    def shares(self) -> dict[str, float]:
        """How often each is right that could be measured."""
        return {each.recipe: each.figure.value for each in self.results if each.figure}

    @property
    def chosen(self) -> tuple[str, str]:
        """Which one Automatic would take, and which is best; empty where none was measured."""
        if not (shares := self.shares):
            return "", ""
        return preferred(shares, crops=self.crops), max(shares, key=lambda name: shares[name])

    @property
    def sentence(self) -> str:
        """Which one Automatic would take, and why."""
        (chosen, best), points = self.chosen, f"{100 * BEHIND:g} points"
        if not chosen:
            return "None of them could be measured."
        by_photos = chosen == "Network" and not self.crops
        first = "which tells strangers best," if by_photos else "the simplest"
        why = f", {first} at most {points} behind the best"
        if chosen == best:
            simpler = chosen != next(iter(self.shares)) and not by_photos
            why = ": it is right most often"
            why += f", and every simpler one is more than {points} behind" if simpler else ""
        words = f"Automatic would take {chosen}{why}."
        if self.doubt:
            ahead = 100 * (self.shares[best] - self.shares[chosen])
            words += f" {best} is {ahead:.1f} points ahead; {self.doubt}."
        if self.leaks:
            words += " Some of what is searched for is known already: all are too good."
        return words


_LOOKED_THROUGH = 500_000  # comparisons of a running evaluation that are looked through


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
    """What came of it. Rows and people are places in ``photos`` (n) and ``people`` (p)."""

    setting: Setting
    photos: tuple[FacePhoto, ...]
    people: tuple[str, ...]
    searches: Searches | None  # every search, or …
    pairs: PairScores | None  # … every pair, where single pairs were compared
    thresholds: Doubles  # (folds,) chosen in each fold; NaN where none could be
    figures: tuple[Figure, ...]  # the most important first
    by_components: ByComponents | None
    controls: tuple[Control, ...]  # what to hold beside the figures
    duplicates: tuple[Duplicate, ...]
    leaks: tuple[Leak, ...]  # of the split, where they were allowed
    left_out: tuple[str, ...]  # people whose photographs were too few to search for them
    unused: tuple[Skipped, ...] = ()
    strangers: StrangerLimits | None = None  # None without strangers, or where none were asked for
    recipes: RecipesCompared | None = None
    __repr__ = as_line

    def comparisons(self) -> Comparisons:
        """Return every single comparison, for ROC and DET."""
        if self.searches is not None:
            return Comparisons.of_searches(self.searches)
        assert self.pairs is not None
        return Comparisons.of_pairs(self.pairs, numbered([photo.person for photo in self.photos]))

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


VERSION = 1

_AS_THEY_ARE = (
    *("people", "left_out", "thresholds", "duplicates", "leaks"),
    *("by_components", "searches", "pairs"),
)
"""Fields of an evaluation that JSON has as they are here."""

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
    result, setting = record.evaluation, record.evaluation.setting
    content: dict[str, Any] = {
        "format": "eigenfaces evaluation",
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
            **({} if result.strangers is None else {"share": setting.share}),
        },
        **{name: getattr(result, name) for name in _AS_THEY_ARE},
        "photos": [
            {"file": each.path, "person": each.person, "sha256": each.key, "size": each.size}
            for each in result.photos
        ],
        "unused": [
            {"file": each.path, "reason": each.reason, "person": each.person}
            for each in result.unused
        ],
        "figures": [_named(each) for each in result.figures],
        "controls": [_named(each) for each in result.controls],
    }
    if result.strangers is not None:
        figures = [_named(each) for each in result.strangers.figures]
        content["strangers"] = {"limits": result.strangers.limits, "figures": figures}
    if result.recipes is not None:
        content["recipes"] = result.recipes
    try:
        return msgspec.json.encode(content, enc_hook=_written).decode()
    except UnicodeEncodeError:  # the name of some file is no valid text
        text = json.dumps(msgspec.to_builtins(content, enc_hook=_written))
        return json.dumps(json.loads(text, parse_constant=lambda _: None))


def _named(of: Figure | Control) -> dict[str, Any]:
    """Return a figure or a control as it is written: its kind is called its name there."""
    values = asdict(of)
    return {"name": values.pop("kind"), **values}


def _written(value: Any) -> Any:
    """Return a path, or an array, as JSON has it; numbers that are not finite become ``null``."""
    return value.as_posix() if isinstance(value, Path) else value.tolist()


def read_report(file: Path) -> Record:
    """Return the record of a report; raise `EigenfacesError` if it cannot be read."""
    try:
        return from_json(read_text(file, MOST_BYTES))
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{file}” is no report: choose the .json of one.") from None
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
    share: float | None = None


_HINTS = {"made_with": dict[str, str], "source": Source, "preparation": Preparation}
_HINTS |= get_type_hints(Evaluation) | {"setting": _Setting}
_OPTIONAL = ("strangers", "recipes")
_Content: Any = msgspec.defstruct(  # what a report holds, by the names and types it has there
    "_Content", [(n, h, None) if n in _OPTIONAL else (n, h) for n, h in _HINTS.items()]
)


def from_json(text: str) -> Record:
    """Read what `to_json` wrote; raise `EigenfacesError` where that is not what it is."""
    try:
        content = json.loads(text)
        if msgspec.convert(content, _Head).version > VERSION:
            raise EigenfacesError("This report was made by a newer version. Update the program.")
        read = msgspec.convert(_renamed(content), _Content, dec_hook=_read)
        return Record(_evaluation(read), read.preparation, read.source, read.made_with)
    except EigenfacesError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise EigenfacesError(
            f"This is no report of an evaluation, or it is damaged ({error}). "
            "Choose a JSON file that “evaluate” wrote."
        ) from error


def _renamed(content: dict[str, Any]) -> dict[str, Any]:
    def named(each: dict[str, Any]) -> dict[str, Any]:
        """Undo `_named`; the value of a control that could not be measured is no number."""
        missing = each["value"] is None and each["name"] in get_args(ControlKind)
        return {**each, "kind": each["name"], "value": math.nan if missing else each["value"]}

    found = {name: [named(each) for each in content[name]] for name in ("figures", "controls")}
    photos = [{**each, "path": each["file"], "key": each["sha256"]} for each in content["photos"]]
    unused = [{**each, "path": each["file"]} for each in content["unused"]]
    limits = content.get("strangers")
    if limits is not None:
        figures = [named(each) for each in limits["figures"]]
        limits = limits | {"share": content["setting"]["share"], "figures": figures}
    return content | found | {"photos": photos, "unused": unused, "strangers": limits}


def _read(kind: Any, value: Any) -> Any:
    """Return a path, or an array, whose kind says of which numbers; a ``null`` is no number."""
    if kind is Path:
        return Path(msgspec.convert(value, str))
    wanted = np.dtype(get_args(get_args(kind)[1])[0])
    array = np.array(value, wanted if wanted.kind == "f" else None)
    if array.size and array.dtype.kind != wanted.kind:
        raise ValueError(f"{wanted.name} are expected")
    return array.astype(wanted)


def _scores(read: Any) -> dict[str, Any]:
    """Return the searches, or the pairs; raise `ValueError` if parts do not fit each other."""
    rows, people, folds = len(read.photos), len(read.people), len(read.thresholds)
    twice = np.array([(each.first, each.second) for each in read.duplicates], np.intp).ravel()
    places = [(twice, len(twice), 0, rows)]
    searches, pairs = read.searches, read.pairs
    if searches is not None:
        count, given = len(searches), searches.distances
        distances = np.where(np.isnan(given), np.inf, given).reshape(count, people)
        searches = replace(searches, distances=distances)
        if (searches.ranks > np.isfinite(searches.distances).sum(axis=1)).any():
            raise ValueError("its ranks do not fit its scores")
        places += [(each, count, 0, rows) for each in (searches.probes, searches.taken)]
        places += [(each, count, 0, people) for each in (searches.people, searches.answers)]
        places += [(searches.fold, count, 0, folds), (searches.should, count, -1, rows)]
        places.append((searches.ranks, count, 0, people + 1))
    elif pairs is not None:
        both, count, given = pairs.pairs.reshape(-1, 2), len(pairs), pairs.distances
        pairs = replace(pairs, pairs=both, distances=np.where(np.isnan(given), np.inf, given))
        places += [(pairs.fold, count, 0, folds), (both.ravel(), 2 * count, 0, rows)]
        places.append((pairs.mated.astype(np.intp), count, 0, 2))
    else:
        raise ValueError("it has no scores")
    limits = read.thresholds if read.strangers is None else read.strangers.limits
    for of_folds in (read.thresholds, limits):
        places.append((np.zeros(of_folds.shape, np.intp), folds, 0, 1))
    for each, size, least, most in places:
        if each.shape != (size,) or (size and not least <= each.min() <= each.max() < most):
            raise ValueError("its scores do not fit its photos")
    return {"searches": searches, "pairs": pairs}


def _evaluation(read: Any) -> Evaluation:
    if {photo.person for photo in read.photos} != {*read.people}:
        raise ValueError("its people are not those on its photos")
    by, setting = read.by_components, read.setting
    if by is not None:
        lines = [line for each in (by.accuracy, by.low, by.high) for line in each.values()]
        names = {(*each,) for each in (by.accuracy, by.low, by.high)}
        if {line.shape for line in (by.left_out, *lines)} != {by.kept.shape} or len(names) > 1:
            raise ValueError("its curves do not fit each other")
    protocol: Protocol = msgspec.convert(setting.protocol, PROTOCOLS[setting.protocol["kind"]])
    asked = setting.seed, setting.curves, setting.allow_leaks, setting.share
    parts = {each.name: getattr(read, each.name) for each in fields(Evaluation)}
    parts["setting"] = Setting(Recipe.of(**setting.recipe), protocol, *asked)
    return Evaluation(**parts | _scores(read))
