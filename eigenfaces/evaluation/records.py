"""An evaluation as JSON and back, with all that somebody needs to repeat it.

Infinite distances (to people who are not enrolled) and numbers that could not be had are ``null``.
Every other number comes back as it was, to the last bit.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.by_components import ByComponents
from eigenfaces.evaluation.json_text import json_text, read_json
from eigenfaces.evaluation.leaks import Duplicate, Leak
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.published_protocols import PROTOCOLS, Protocol
from eigenfaces.evaluation.results import Control, Evaluation, Setting
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.evaluation.stranger_limits import StrangerLimits
from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.preparation import Preparation
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.recipe import Recipe

Made = TypeVar("Made")

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
    return json_text(content_of(record))


def content_of(record: Record) -> dict[str, Any]:
    """Return what a record holds, as it is written as JSON."""
    result = record.evaluation
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(record.versions),
        "source": asdict(record.source),
        "preparation": asdict(record.preparation),
        "setting": _setting(result),
        "photos": [
            {"file": photo.path.as_posix(), "person": photo.person, "sha256": photo.key}
            | {"size": list(photo.size)}
            for photo in result.photos
        ],
        "people": list(result.people),
        "left_out": list(result.left_out),
        "unused": [
            {"file": each.path.as_posix(), "reason": each.reason, "person": each.person}
            for each in result.unused
        ],
        "thresholds": result.thresholds,
        "figures": [_stated(each) for each in result.figures],
        "controls": [_stated(each) for each in result.controls],
        "duplicates": [asdict(each) for each in result.duplicates],
        "leaks": [asdict(each) for each in result.leaks],
        "by_components": None
        if result.by_components is None
        else {
            "accuracy": result.by_components.accuracy,
            "low": result.by_components.low,
            "high": result.by_components.high,
            "left_out": result.by_components.left_out,
            "kept": result.by_components.kept,
        },
        "searches": _arrays(result.searches),
        "pairs": _arrays(result.pairs),
    } | _strangers(result.strangers)


def from_json(text: str) -> Record:
    """Read what `to_json` wrote; raise `EigenfacesError` where that is not what it is."""
    try:
        content = read_json(text, ("searches", "distances"), partial(_floats, missing=np.inf))
        if content["format"] != FORMAT:
            raise ValueError("it is no such report")
        if content["version"] > VERSION:
            raise EigenfacesError("This report was made by a newer version. Update the program.")
        return Record(
            evaluation=_evaluation(content),
            preparation=_made(Preparation, content["preparation"]),
            source=_made(Source, content["source"]),
            versions=_fitting(content["made_with"], dict[str, str]),
        )
    except EigenfacesError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise EigenfacesError(
            f"This is no report of an evaluation, or it is damaged ({error}). "
            "Choose a JSON file that “evaluate” wrote."
        ) from error


def _strangers(limits: StrangerLimits | None) -> dict[str, Any]:
    if limits is None:
        return {}
    figures = [_stated(each) for each in limits.figures]
    return {"strangers": {"limits": limits.limits, "figures": figures}}


def _setting(result: Evaluation) -> dict[str, Any]:
    setting = result.setting
    share = {} if result.strangers is None else {"share": setting.share}
    return {
        "recipe": setting.recipe.record,
        "protocol": {"kind": setting.protocol.kind, **asdict(setting.protocol)},
        "seed": setting.seed,
        "curves": setting.curves,
        "allow_leaks": setting.allow_leaks,
        **share,
    }


def _evaluation(content: Mapping[str, Any]) -> Evaluation:
    setting, by = content["setting"], content["by_components"]
    photos = tuple(_photo(each) for each in content["photos"])
    people, left_out = (
        _fitting(_tuples(content[name]), tuple[str, ...]) for name in ("people", "left_out")
    )
    if {photo.person for photo in photos} != set(people):
        raise ValueError("its people are not those on its photos")
    thresholds = _floats(content["thresholds"], np.nan)
    folds = len(thresholds)
    searches = _searches(content["searches"], len(photos), len(people))
    pairs = _pair_scores(content["pairs"], len(photos))
    scores = searches if searches is not None else pairs
    if scores is None:
        raise ValueError("it has no scores")
    _check(scores.fold, len(scores), 0, folds)
    duplicates = tuple(_made(Duplicate, each) for each in content["duplicates"])
    rows = np.array([(each.first, each.second) for each in duplicates], np.intp).ravel()
    _check(rows, len(rows), 0, len(photos))
    recipe, protocol = _recipe(setting["recipe"]), read_protocol(setting["protocol"])
    return Evaluation(
        setting=_made(Setting, setting | {"recipe": recipe, "protocol": protocol}),
        photos=photos,
        people=people,
        searches=searches,
        pairs=pairs,
        thresholds=thresholds,
        figures=_figures(content["figures"]),
        by_components=None if by is None else _by_components(by),
        controls=tuple(_made(Control, _read(each, "value")) for each in content["controls"]),
        duplicates=duplicates,
        leaks=tuple(_made(Leak, each) for each in content["leaks"]),
        left_out=left_out,
        unused=tuple(_unused(each) for each in content["unused"]),
        strangers=_stranger_limits(content, folds),
    )


def _stranger_limits(content: Mapping[str, Any], folds: int) -> StrangerLimits | None:
    if "strangers" not in content:
        return None
    limits = _floats(content["strangers"]["limits"], np.nan)
    _check(np.arange(len(limits)), folds, 0, folds)
    share = _fitting(content["setting"]["share"], float)
    return StrangerLimits(share, limits, _figures(content["strangers"]["figures"]))


def _figures(stated: list[dict[str, Any]]) -> tuple[Figure, ...]:
    return tuple(_made(Figure, _read(each, "value", "low", "high")) for each in stated)


def _recipe(content: Mapping[str, Any]) -> Recipe:
    values = dict(content)
    recipe = Recipe.of(values.pop("name"))
    types = _types_of(type(recipe.features)) | _types_of(Matcher)
    return recipe.changed(**{name: _fitting(value, types[name]) for name, value in values.items()})


def _unused(content: Mapping[str, Any]) -> Skipped:
    values = {"path": Path(content["file"]), "reason": content["reason"]}
    return _made(Skipped, values | {"person": content["person"]})


def _photo(content: Mapping[str, Any]) -> FacePhoto:
    values = {"path": Path(content["file"]), "key": content["sha256"]}
    return _made(FacePhoto, values | {"person": content["person"], "size": tuple(content["size"])})


def _made(kind: type[Made], values: Mapping[str, Any]) -> Made:
    """Make a value of its fields, each of which must be of its type."""
    types = _types_of(kind)
    return kind(**{name: _fitting(value, types[name]) for name, value in _items(values)})


_types_of: Callable[[type], dict[str, Any]] = cache(get_type_hints)
"""It takes long, and there is a value for each photograph."""


def _items(content: Any) -> Iterable[tuple[str, Any]]:
    """Return the names and values of an object of JSON; raise `TypeError` for anything else."""
    if not isinstance(content, dict):
        raise TypeError(f"{str(content)[:40]} is not what belongs there")
    return content.items()


def _fitting(value: Any, kind: Any) -> Any:
    if not _fits(value, kind):
        raise TypeError(f"{str(value)[:40]} is not what belongs there")
    return value


def _fits(value: Any, kind: Any) -> bool:
    """Say whether a value of JSON is of a type; whole numbers serve as others, flags as none."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in inside
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in inside)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = inside[:1] * len(value) if inside[-1] is Ellipsis else inside
        return len(value) == len(kinds) and all(map(_fits, value, kinds))
    if origin is dict:
        return isinstance(value, dict) and all(_fits(each, inside[1]) for each in value.values())
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)


def read_protocol(content: Mapping[str, Any]) -> Protocol:
    """Make a protocol of its kind and its fields as JSON gives them."""
    values = {name: _tuples(value) for name, value in _items(content) if name != "kind"}
    return _made(PROTOCOLS[content["kind"]], values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _stated(of: Figure | Control) -> dict[str, Any]:
    """Return a figure or a control as it is written: its kind is called its name there."""
    values = asdict(of)
    return {"name": values.pop("kind"), **values}


def _read(content: Mapping[str, Any], *numbers: str) -> dict[str, Any]:
    """Undo `_stated`; a ``null`` among the numbers is one that could not be had."""
    values = {
        name: np.nan if value is None and name in numbers else value
        for name, value in _items(content)
    }
    return {"kind": values.pop("name"), **values}


def _by_components(by: Mapping[str, Any]) -> ByComponents:
    curves = {
        name: {distance: _floats(values, np.nan) for distance, values in _items(by[name])}
        for name in ("accuracy", "low", "high")
    }
    whole = ByComponents(
        **curves, left_out=_floats(by["left_out"], np.nan), kept=_floats(by["kept"], np.nan)
    )
    lines = [line for each in curves.values() for line in each.values()]
    if any(line.shape != whole.kept.shape for line in (*lines, whole.left_out)) or not (
        whole.accuracy.keys() == whole.low.keys() == whole.high.keys()
    ):
        raise ValueError("its curves do not fit each other")
    return whole


def _searches(content: Mapping[str, Any] | None, photos: int, people: int) -> Searches | None:
    if content is None:
        return None
    rows = content["distances"]
    if any(len(row) != people for row in rows):
        raise ValueError("its scores are not those of its people")
    distances = np.array(rows).reshape(-1, people)
    places = {
        each.name: np.array(content[each.name], np.intp)
        for each in fields(Searches)
        if each.name != "distances"
    }
    for name, most in (("people", people), ("answers", people), ("ranks", people + 1)):
        _check(places[name], len(distances), 0, most)
    for name in ("probes", "taken", "should"):
        _check(places[name], len(distances), -1 if name == "should" else 0, photos)
    if (places["ranks"] > np.isfinite(distances).sum(axis=1)).any():
        raise ValueError("its ranks do not fit its scores")
    return Searches(distances=distances, **places)


def _pair_scores(content: Mapping[str, Any] | None, photos: int) -> PairScores | None:
    if content is None:
        return None
    pairs = np.array(content["pairs"], np.intp).reshape(-1, 2)
    _check(pairs.ravel(), 2 * len(content["distances"]), 0, photos)
    mated = np.array(_fitting(_tuples(content["mated"]), tuple[bool, ...]), bool)
    _check(mated.astype(np.intp), len(pairs), 0, 2)
    distances = _floats(content["distances"], np.inf)
    return PairScores(np.array(content["fold"], np.intp), pairs, distances, mated)


def _check(places: NDArray[np.intp], count: int, least: int, most: int) -> None:
    if len(places) != count or (count and not (least <= places.min() <= places.max() < most)):
        raise ValueError("its scores do not fit its photos")


def _arrays(value: Searches | PairScores | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _floats(values: list[Any], missing: float) -> NDArray[np.float64]:
    if not isinstance(values, list) or not {*map(type, values)} <= {float, int, type(None)}:
        raise TypeError("a score is no number")
    return np.array([missing if each is None else each for each in values], np.float64)
