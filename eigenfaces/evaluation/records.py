"""An evaluation as JSON and back, with all that somebody needs to repeat it.

Infinite distances (to people who are not enrolled) and numbers that could not be had are ``null``.
Every other number comes back as it was, to the last bit.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.dimensions import ByComponents
from eigenfaces.evaluation.figures import Figure
from eigenfaces.evaluation.leaks import Duplicate, Leak
from eigenfaces.evaluation.named import PROTOCOLS, Protocol
from eigenfaces.evaluation.results import Control, Evaluation, Setting
from eigenfaces.evaluation.searches import PairScores, Searches
from eigenfaces.faces import FacePhoto
from eigenfaces.preparation import Preparation
from eigenfaces.recipes import Recipe

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
    result = record.evaluation
    content = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(record.versions),
        "source": asdict(record.source),
        "preparation": asdict(record.preparation),
        "setting": _setting(result.setting),
        "photos": [
            {"file": photo.path.as_posix(), "person": photo.person, "sha256": photo.key}
            | {"size": list(photo.size)}
            for photo in result.photos
        ],
        "people": list(result.people),
        "left_out": list(result.left_out),
        "folds": list(result.folds),
        "thresholds": _numbers(result.thresholds),
        "figures": [asdict(each) for each in result.figures],
        "controls": [asdict(each) for each in result.controls],
        "duplicates": [asdict(each) for each in result.duplicates],
        "leaks": [asdict(each) for each in result.leaks],
        "by_components": None
        if result.by_components is None
        else {
            "accuracy": {k: _numbers(v) for k, v in result.by_components.accuracy.items()},
            "low": {k: _numbers(v) for k, v in result.by_components.low.items()},
            "high": {k: _numbers(v) for k, v in result.by_components.high.items()},
            "left_out": _numbers(result.by_components.left_out),
            "kept": _numbers(result.by_components.kept),
        },
        "searches": _arrays(result.searches),
        "pairs": _arrays(result.pairs),
    }
    return json.dumps(_finite(content), ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> Record:
    """Read what `to_json` wrote; raise `EigenfacesError` where that is not what it is."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise ValueError("it is no such report")
        if content["version"] > VERSION:
            raise EigenfacesError("This report was made by a newer version. Update the program.")
        return Record(
            evaluation=_evaluation(content),
            preparation=Preparation(**content["preparation"]),
            source=Source(**content["source"]),
            versions=content["made_with"],
        )
    except EigenfacesError:
        raise
    except Exception as error:  # what is in a damaged file can raise almost anything
        raise EigenfacesError(
            f"This is no report of an evaluation, or it is damaged ({error}). "
            "Choose a JSON file that “evaluate” wrote."
        ) from error


def _setting(setting: Setting) -> dict[str, Any]:
    return {
        "recipe": asdict(setting.recipe),
        "protocol": {"kind": setting.protocol.kind, **asdict(setting.protocol)},
        "seed": setting.seed,
        "curves": setting.curves,
        "allow_leaks": setting.allow_leaks,
    }


def _evaluation(content: Mapping[str, Any]) -> Evaluation:
    setting, by = content["setting"], content["by_components"]
    photos = tuple(
        FacePhoto(Path(each["file"]), each["person"], each["sha256"], tuple(each["size"]))
        for each in content["photos"]
    )
    return Evaluation(
        setting=Setting(
            Recipe(**setting["recipe"]),
            read_protocol(setting["protocol"]),
            setting["seed"],
            setting["curves"],
            setting["allow_leaks"],
        ),
        photos=photos,
        people=tuple(content["people"]),
        searches=_searches(content["searches"], len(photos), len(content["people"])),
        pairs=_pair_scores(content["pairs"], len(photos)),
        thresholds=_floats(content["thresholds"], np.nan),
        figures=tuple(Figure(**_known(each)) for each in content["figures"]),
        by_components=None if by is None else _by_components(by),
        controls=tuple(
            Control(**each | {"value": np.nan if each["value"] is None else each["value"]})
            for each in content["controls"]
        ),
        duplicates=tuple(Duplicate(**each) for each in content["duplicates"]),
        leaks=tuple(Leak(**each) for each in content["leaks"]),
        left_out=tuple(content["left_out"]),
        folds=tuple(content["folds"]),
    )


def read_protocol(content: Mapping[str, Any]) -> Protocol:
    """Make a protocol of its kind and its fields as JSON gives them."""
    values = {name: _tuples(value) for name, value in content.items() if name != "kind"}
    return PROTOCOLS[content["kind"]](**values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _known(figure: Mapping[str, Any]) -> dict[str, Any]:
    return {name: np.nan if value is None else value for name, value in figure.items()}


def _by_components(by: Mapping[str, Any]) -> ByComponents:
    curves = {
        name: {distance: _floats(values, np.nan) for distance, values in by[name].items()}
        for name in ("accuracy", "low", "high")
    }
    return ByComponents(
        **curves, left_out=_floats(by["left_out"], np.nan), kept=_floats(by["kept"], np.nan)
    )


def _searches(content: Mapping[str, Any] | None, photos: int, people: int) -> Searches | None:
    if content is None:
        return None
    distances = _floats(content["distances"], np.inf).reshape(-1, people)
    places = {
        each.name: np.array(content[each.name], np.intp)
        for each in fields(Searches)
        if each.name != "distances"
    }
    for name, most in (("people", people), ("answers", people), ("ranks", people + 1)):
        _check(places[name], len(distances), 0, most)
    for name in ("probes", "taken", "should"):
        _check(places[name], len(distances), -1, photos)
    return Searches(distances=distances, **places)


def _pair_scores(content: Mapping[str, Any] | None, photos: int) -> PairScores | None:
    if content is None:
        return None
    pairs = np.array(content["pairs"], np.intp).reshape(-1, 2)
    _check(pairs.ravel(), 2 * len(content["distances"]), 0, photos)
    return PairScores(
        np.array(content["fold"], np.intp),
        pairs,
        _floats(content["distances"], np.inf),
        np.array(content["mated"], bool),
    )


def _check(places: NDArray[np.intp], count: int, least: int, most: int) -> None:
    if len(places) != count or (count and not (least <= places.min() <= places.max() < most)):
        raise ValueError("its scores do not fit its photos")


def _arrays(value: Searches | PairScores | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {each.name: _numbers(getattr(value, each.name)) for each in fields(value)}


def _numbers(array: NDArray[Any]) -> list[Any]:
    return cast(list[Any], array.tolist())


def _floats(values: list[Any], missing: float) -> NDArray[np.float64]:
    array = np.array(values, object)
    array[array == None] = missing  # noqa: E711 - element by element
    return array.astype(np.float64)


def _finite(value: Any) -> Any:
    """Replace what JSON has no number for."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
