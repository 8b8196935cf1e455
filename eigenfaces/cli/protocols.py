"""Protocols on the command line, by name: “10-fold”, “5-shot”, “first-5”, “lists” and so on."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import cast

import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.evaluation.protocols import (
    LARGEST_LEFT_OUT,
    PROTOCOLS,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    Lists,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
    usual_protocol,
)
from eigenfaces.evaluation.split_files import read_list, read_pairs
from eigenfaces.recognition.calibration import USUAL_SHARE

FIXED = {
    kind: cast(Callable[[], Protocol], each) for kind, each in PROTOCOLS.items() if not fields(each)
}
"""Protocols of which nothing else can be said."""

WITH_STRANGERS = (OpenSet.kind, Lists.kind)
"""Protocols that may search for strangers."""

KNOWN = (
    f"{', '.join(FIXED)}, N-fold (as in 10-fold), N-shot (5-shot), first-N (first-5), open-set, "
    "lists or pairs"
)

_NUMBERED = re.compile(r"(\d{1,6})-(fold|shot)|(first)-(\d{1,6})")


@dataclass(frozen=True)
class ProtocolOptions:
    """Protocol: who is fitted to, enrolled and searched for."""

    protocol: evaluation_options.ProtocolName = None
    repetitions: evaluation_options.Repetitions = None
    enrolled: evaluation_options.Enrolled = None
    strangers: evaluation_options.Strangers = None
    gallery_list: evaluation_options.GalleryList = None
    probe_list: evaluation_options.ProbeList = None
    train_list: evaluation_options.TrainList = None
    pairs: evaluation_options.PairFiles = None
    seed: evaluation_options.Seed = 0

    def said(self) -> dict[str, object]:
        """Return the options that were given, without the name and the seed."""
        names = (each.name for each in fields(self))
        given = {name: getattr(self, name) for name in names if name not in ("protocol", "seed")}
        return {name: value for name, value in given.items() if value not in (None, [])}


def protocol_from(options: ProtocolOptions, faces: int) -> Protocol:
    """Return the protocol that the options name, for a number of faces.

    >>> protocol_from(ProtocolOptions("5-shot", repetitions=3), 400)
    NShot(enrolled=5, repetitions=3, seed=0)
    >>> protocol_from(ProtocolOptions(), 1000)
    KFold(parts=10, seed=0)
    """
    if options.protocol is None:
        usual = usual_protocol(faces, options.seed)
        _refuse_others(usual.kind, options.said(), ())
        return usual
    name, said = _plain(options.protocol), options.said()
    numbered = _NUMBERED.fullmatch(name)
    if numbered and numbered[2] == "fold":
        _refuse_others(name, said, ())
        return KFold(int(numbered[1]), options.seed)
    if numbered and numbered[2] == "shot":
        _refuse_others(name, said, ("repetitions",))
        return NShot(
            int(numbered[1]), _number(said, "repetitions", NShot.repetitions), options.seed
        )
    if numbered:
        _refuse_others(name, said, ())
        return FirstPhotos(int(numbered[4]))
    if name == "open-set":
        return _open_set(options, said)
    if name == "lists":
        return _lists(options, said)
    if name == "pairs":
        _refuse_others(name, said, ("pairs",))
        return _pairs(options.pairs or [])
    if name not in FIXED:
        raise typer.BadParameter(f"There is no protocol “{options.protocol}”. Say {KNOWN}.")
    _refuse_others(name, said, ())
    return FIXED[name]()


def share_from(share: float | None, protocol: Protocol) -> float:
    """Return the share of strangers that may be named; refuse it where there are no strangers."""
    if share is not None and protocol.kind not in WITH_STRANGERS:
        raise typer.BadParameter(f"--share cannot be said of the protocol “{protocol.kind}”.")
    return USUAL_SHARE if share is None else share


def default_protocol_words(options: ProtocolOptions, protocol: Protocol) -> str:
    """Return why this protocol is used, if none was given."""
    if options.protocol is not None:
        return ""
    few = "up to" if isinstance(protocol, LeaveOneOut) else "for more than"
    return f", which is usual {few} {LARGEST_LEFT_OUT} photos"


def _plain(name: str) -> str:
    return name.strip().casefold().replace(" ", "-").replace("_", "-")


def _refuse_others(name: str, said: Mapping[str, object], wanted: tuple[str, ...]) -> None:
    """Raise an error if an option is given that this protocol does not use."""
    idle = [f"--{each.replace('_', '-')}" for each in said if each not in wanted]
    if idle:
        raise typer.BadParameter(f"{' and '.join(idle)} cannot be said of the protocol “{name}”.")


def _number(said: Mapping[str, object], name: str, usual: int) -> int:
    number = said.get(name, usual)
    assert isinstance(number, int)
    return number


def _open_set(options: ProtocolOptions, said: Mapping[str, object]) -> OpenSet:
    _refuse_others("open-set", said, ("enrolled", "strangers", "repetitions"))
    return OpenSet(
        _number(said, "enrolled", OpenSet.enrolled),
        OpenSet.strangers if options.strangers is None else options.strangers,
        _number(said, "repetitions", OpenSet.repetitions),
        options.seed,
    )


def _lists(options: ProtocolOptions, said: Mapping[str, object]) -> Lists:
    _refuse_others("lists", said, ("gallery_list", "probe_list", "train_list"))
    if options.gallery_list is None or options.probe_list is None:
        raise typer.BadParameter("“lists” needs --gallery-list and --probe-list.")
    train = () if options.train_list is None else read_list(options.train_list)
    return Lists(read_list(options.gallery_list), read_list(options.probe_list), train)


def _pairs(files: list[Path]) -> Pairs:
    if len(files) == 1:
        return Pairs(read_pairs(files[0]))
    if len(files) == 2:
        first, second = (tuple(chain.from_iterable(read_pairs(each))) for each in files)
        return Pairs((first, second), "first")
    raise typer.BadParameter(
        "“pairs” needs --pairs FILE: once, with several sets in it; or twice, the first to choose "
        "the threshold on, the second to test."
    )
