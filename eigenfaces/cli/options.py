"""The arguments and options that several commands share, and the values made of them.

Each is the default of a parameter, or of a field of a dataclass: a group of options, which are
separate on the command line and one value for the command.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, get_args

import typer

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import (
    ENROLLED,
    REPETITIONS,
    FirstPhotos,
    Idiap,
    KFold,
    LeaveOneOut,
    Lists,
    Missing,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
    read_list,
    read_pairs,
)
from eigenfaces.faces.prepare import ALREADY_CROPPED, FIT, HEIGHT, WIDTH, Fit, Preparation
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.text import Field, OneOf, WholeNumber, YesOrNo, one_of, typed

Value = TypeVar("Value")


def reader(read: Callable[[str], Value]) -> Callable[[object], Value]:
    """Return a parser of what is typed, whose errors are those of the command line."""

    def parse(text: object) -> Value:
        try:
            return read(str(text))
        except EigenfacesError as error:
            raise typer.BadParameter(str(error)) from None

    return parse


def _parameter(default: Any, kind: Any, *names: str, **more: Any) -> Any:
    # Whether a file can be read is said by who reads it.
    return field(default=default, metadata={"info": kind(*names, readable=False, **more)})


def argument(metavar: str, about: str, default: Any = MISSING, **more: Any) -> Any:
    """Return an argument; without a default it is needed."""
    return _parameter(default, typer.Argument, metavar=metavar, help=about, **more)


def option(
    metavar: str,
    about: str,
    *names: str,
    default: Any = None,
    usual: object = None,
    read: Callable[[str], object] | None = None,
    one_of_the: tuple[str, Iterable[str]] | None = None,
    **more: Any,
) -> Any:
    """Return an option that takes a value.

    ``usual`` is what help shows for its absence, ``read`` returns the value of a text, and
    ``one_of_the`` is a kind of names and the names that there are.
    """
    if usual is not None:
        more["show_default"] = str(usual)
    if one_of_the is not None:
        kind, known = one_of_the
        read = partial(one_of, tuple(known), kind=kind)
    if read is not None:
        more["parser"] = reader(read)
    return _parameter(default, typer.Option, *names, metavar=metavar, help=about, **more)


def flag(name: str, about: str) -> Any:
    """Return an option that takes no value."""
    return _parameter(False, typer.Option, name, help=about)


def share_option(about: str, usual: object) -> Any:
    """Return an option that takes a share, like 1% or 0.01; ``usual`` is what help shows."""

    def share(text: str) -> float:
        number = text.strip()
        try:
            value = float(number[:-1]) / 100 if number.endswith("%") else float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise EigenfacesError(f"“{number}” is not a share: give one like 1% or 0.01.")
        if value == 1 and not number.endswith("%"):
            raise EigenfacesError(
                f"“{number}” may mean one in a hundred or all of them: write 1% or 100%."
            )
        return value

    return option("SHARE", about, usual=usual, read=share)


def output_option(metavar: str, about: str, *endings: str, default: Any = MISSING) -> Any:
    """Return the option of what is written; if ``endings`` are given its name has one of them."""

    def check(path: Path) -> Path:
        if not endings or path.suffix.lower() in endings:
            return path
        either = " or ".join(endings)
        raise typer.BadParameter(f"“{path}” must end in {either}: no other format is written.")

    return option(metavar, about, "-o", "--output", default=default, callback=check)


def of_field(setting: Field, about: str = "", default: Any = None, usual: object = None) -> Any:
    """Return the option of a setting, perhaps a flag; ``usual`` is the value that help shows."""
    name = f"--{(flag_of(setting) or setting.option or setting.name).replace('_', '-')}"
    if flag_of(setting):
        return flag(name, f"{setting.about}.")
    about = f"{about or setting.about}{f': {setting.how}' if setting.how else ''}."
    more: dict[str, Any] = {"read": setting.read}
    if isinstance(setting, WholeNumber):
        more = {"min": setting.least, "max": setting.most}
    if usual is not None:
        usual = typed(usual) if isinstance(usual, str) else f"{usual:g}"
    names = (*(["-k"] if name == "--components" else []), name)
    return option(setting.metavar, about, *names, default=default, usual=usual, **more)


def flag_of(setting: Field) -> str:
    """Return the name of an option that takes no value; else nothing."""
    if isinstance(setting, YesOrNo):
        return setting.name
    return setting.flag if isinstance(setting, OneOf) else ""


PROJECT_FILE = argument("FILE", "The project file.")
PHOTOGRAPHS = "Photographs, one sub-folder for each person; or a CSV file of path;label lines."
FACE_SOURCE = argument("SOURCE", f"A project file, with its recipe. {PHOTOGRAPHS}", None)
OVERWRITE = flag("--overwrite", "Replace the file if it exists.")
JSON = flag("--json", "Answer in JSON.")
SAMPLE = flag("--sample", "Instead of a folder, the AT&T faces: 40 people × 10.")
NEW_FOLDER = output_option("DIR", "A new or empty folder.")
PNG = output_option("PNG", "The picture to write.", ".png")
NAMED_AT_MOST = "Name at most this share of strangers, like 1% or 0.01"
ALLOW_LEAKS = flag("--allow-leaks", "Measure even if probes are known to what is fitted.")
EXCLUDE_DUPLICATES = flag("--exclude-duplicates", "Leave out near-copies of earlier photographs.")


@dataclass(frozen=True)
class PhotoOptions:
    """Photographs: who is on them, and how their faces are cut."""

    pattern: str | None = option(
        "TEXT", "Who is who in a flat folder: '{person}.*' for subject01.happy.gif."
    )
    eyes: Path | None = option(
        "CSV",
        "Where the eyes are: file, left_x, left_y, right_x, right_y.",
        usual="eyes.csv in the folder or beside the list",
    )
    height: int = of_field(HEIGHT, default=112)
    width: int = of_field(WIDTH, default=92)
    fit: Fit = of_field(FIT, default="fill")
    already_cropped: bool = of_field(ALREADY_CROPPED)

    @property
    def preparation(self) -> Preparation:
        """How faces are cropped."""
        return Preparation(self.height, self.width, self.fit, self.already_cropped)

    def refuse_for(self, source: str) -> None:
        """Raise an error if options are given that have no effect."""
        if self != PhotoOptions():
            raise typer.BadParameter(
                f"The {source} has its own names and size: leave these options out."
            )


SETTINGS = {setting.name: setting for recipe in RECIPES.values() for setting in recipe.fields}
"""Every setting of every recipe, by name."""


def _setting(name: str) -> Any:
    """Return the option of a setting; help shows its value in the first recipe that has it."""
    usual = next(recipe.settings[name] for recipe in RECIPES.values() if name in recipe.settings)
    return of_field(SETTINGS[name], usual=usual)


@dataclass(frozen=True)
class RecipeOptions:
    """Recipe: what is compared, and how. None is what is not given."""

    recipe_name: str | None = option(
        "NAME",
        f"The recipe to start from: {', '.join(RECIPES)}.",
        "--recipe",
        one_of_the=("recipe", RECIPES),
        usual="a project's own; with build the one that names best; else Eigenfaces",
    )
    lighting: str | None = _setting("lighting")
    window: str | None = _setting("window")
    components: str | None = _setting("components")
    dropped: int | None = _setting("dropped")
    whitening: str | None = _setting("whitening")
    distance: str | None = _setting("distance")
    rule: str | None = _setting("rule")

    def changing(self, start: Recipe) -> Recipe:
        """Return a recipe with the settings that are given."""
        values = {
            name: flag_of(SETTINGS[name]) if value is True else value
            for name, value in vars(self).items()
            if value is not None and value is not False
        }
        return RECIPES.get(values.pop("recipe_name", ""), start).changed(**values)


@dataclass(frozen=True)
class ProtocolOptions:
    """Protocol: who is fitted to, enrolled and searched for."""

    protocol: str = option(
        "NAME",
        "leave-one-out, N-fold, N-shot, first-N, open-set, lists, pairs, or idiap.",
        default=f"{KFold.parts}-fold",
    )
    repetitions: int | None = of_field(
        REPETITIONS, "N-shot, open-set: how often it is drawn", usual=NShot.repetitions
    )
    enrolled: int | None = of_field(
        ENROLLED, "open-set: photographs of each member enrolled", usual=OpenSet.enrolled
    )
    strangers: float | None = share_option(
        "open-set: the share of people who are strangers.", OpenSet.strangers
    )
    gallery_list: Path | None = option("FILE", "lists: who is enrolled, one path on each line.")
    probe_list: Path | None = option("FILE", "lists: who is searched for.")
    train_list: Path | None = option("FILE", "lists: what is fitted to.", usual="the gallery")
    pairs: list[Path] | None = option(
        "FILE", "pairs: like LFW's pairs.txt; if given twice, first those to choose the threshold."
    )
    missing: str | None = option(
        "count|refuse",
        "lists, pairs: count photographs without a face as failures, or refuse.",
        one_of_the=("way", get_args(Missing)),
        usual="count",
    )
    seed: int = option("N", "The seed of everything drawn at random.", default=0, min=0)

    def named(self) -> Protocol:
        """Return the protocol that the options name."""
        seed, make = self.seed, dict[str, tuple[Callable[..., Protocol], str]]()
        make["leave-one-out"] = LeaveOneOut, ""
        make["idiap"] = Idiap, ""
        make["N-fold"] = partial(KFold, seed=seed), ""
        make["N-shot"] = partial(NShot, seed=seed), "repetitions"
        make["first-N"] = FirstPhotos, ""
        make["open-set"] = partial(OpenSet, seed=seed), "enrolled strangers repetitions"
        make["lists"] = _lists, "gallery_list probe_list train_list missing"
        make["pairs"] = _pairs, "pairs missing"
        name = self.protocol.strip().casefold().replace(" ", "-").replace("_", "-")
        numbers = [int(digits) for digits in re.findall(r"\d{1,6}", name)]
        kind = re.sub(r"^\d{1,6}(?=-(fold|shot)$)|(?<=^first-)\d{1,6}$", "N", name)
        if kind not in make:
            raise typer.BadParameter(
                f"There is no protocol “{self.protocol}”. Choose leave-one-out, idiap, N-fold (as "
                "in 10-fold), N-shot (5-shot), first-N (first-5), open-set, lists or pairs."
            )
        protocol, takes = make[kind]
        values = {name: value for name, value in vars(self).items() if value not in (None, [])}
        del values["protocol"], values["seed"]
        if idle := [f"--{name.replace('_', '-')}" for name in values if name not in takes.split()]:
            raise typer.BadParameter(
                f"{' and '.join(idle)} cannot be used with the protocol “{name}”."
            )
        return protocol(*numbers, **values)


def _lists(
    gallery_list: Path | None = None,
    probe_list: Path | None = None,
    train_list: Path | None = None,
    missing: Missing = "count",
) -> Lists:
    if gallery_list is None or probe_list is None:
        raise typer.BadParameter("“lists” needs --gallery-list and --probe-list.")
    train = () if train_list is None else read_list(train_list)
    return Lists(read_list(gallery_list), read_list(probe_list), train, missing)


def _pairs(pairs: Sequence[Path] = (), missing: Missing = "count") -> Pairs:
    if len(pairs) == 1:
        return Pairs(read_pairs(pairs[0]), missing=missing)
    if len(pairs) == 2:
        first, second = (tuple(chain.from_iterable(read_pairs(file))) for file in pairs)
        return Pairs((first, second), "first", missing)
    raise typer.BadParameter(
        "“pairs” needs --pairs FILE: once, with several sets in it; or twice, the first to choose "
        "the threshold on, the second to test."
    )
