"""The arguments and options that several commands share, and the values made of them.

A group of options is a dataclass: its fields are separate options on the command line, and one
value for the command.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer
from typer.models import OptionInfo

from eigenfaces.cli.running import echo_err
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
from eigenfaces.text import Field, OneOf, Whole, YesOrNo, one_of, typed

Said = TypeVar("Said")


def reader(read: Callable[[str], Said]) -> Callable[[object], Said]:
    """Return a parser of what is typed, whose errors are those of the command line."""

    def parsed(text: object) -> Said:
        try:
            return read(str(text))
        except EigenfacesError as error:
            raise typer.BadParameter(str(error)) from None

    return parsed


def one_of_the(kind: str, names: Iterable[str]) -> Callable[[object], str]:
    """Return a parser of one of these names, which are of a kind."""
    return reader(lambda text: one_of(names, text, kind))


def option(metavar: str, about: str, *names: str, usual: object = None, **more: Any) -> OptionInfo:
    """Return an option that takes a value; ``usual`` is what help shows for its absence."""
    if usual is not None:
        more["show_default"] = str(usual)
    return typer.Option(*names, metavar=metavar, help=about, **more)


def flag(name: str, about: str) -> OptionInfo:
    """Return an option that takes no value."""
    return typer.Option(name, help=about)


def _share(text: str) -> float:
    """Return the share that “1%” or “0.01” states."""
    said = text.strip()
    try:
        share = float(said[:-1]) / 100 if said.endswith("%") else float(said)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise typer.BadParameter(f"“{said}” is not a share: give one like 1% or 0.01.")
    if share == 1 and not said.endswith("%"):
        raise typer.BadParameter(
            f"“{said}” may mean one in a hundred or all of them: write 1% or 100%."
        )
    return share


def share_option(about: str, usual: object) -> OptionInfo:
    """Return an option that takes a share; ``usual`` is what help shows."""
    return option("SHARE", about, usual=usual, parser=_share)


def output_option(metavar: str, about: str, *endings: str) -> OptionInfo:
    """Return the option of what is written; if ``endings`` are given its name has one of them."""

    def checked(path: Path) -> Path:
        if not endings or path.suffix.lower() in endings:
            return path
        either = " or ".join(endings)
        raise typer.BadParameter(f"“{path}” must end in {either}: no other format is written.")

    return option(metavar, about, "-o", "--output", callback=checked)


def of_field(field: Field, about: str = "", usual: object = None) -> OptionInfo:
    """Return the option of a setting, perhaps a flag; ``usual`` is the value that help shows."""
    name = f"--{(flag_of(field) or field.option or field.name).replace('_', '-')}"
    if flag_of(field):
        return typer.Option(name, help=f"{field.about}.")
    how = f": {field.how}" if field.how else ""
    said: dict[str, Any] = {"help": f"{about or field.about}{how}.", "metavar": field.metavar}
    if isinstance(field, Whole):
        said |= {"min": field.least, "max": field.most}
    else:
        said["parser"] = reader(field.read)
    if usual is not None:
        said["show_default"] = typed(usual) if isinstance(usual, str) else f"{usual:g}"
    return typer.Option(*(["-k"] if name == "--components" else []), name, **said)


def flag_of(field: Field) -> str:
    """Return the name of an option that takes no value; else nothing."""
    if isinstance(field, YesOrNo):
        return field.name
    return field.flag if isinstance(field, OneOf) else ""


ProjectFile = Annotated[Path, typer.Argument(metavar="FILE", help="The project file.")]
Overwrite = Annotated[bool, flag("--overwrite", "Replace the file if it exists.")]
AsJson = Annotated[bool, flag("--json", "Answer in JSON.")]
Sample = Annotated[bool, flag("--sample", "Instead of a folder, the AT&T faces: 40 people × 10.")]
PHOTOGRAPHS = "Photographs, one sub-folder a person; or a CSV file of path;label lines."
NewFolder = Annotated[Path, output_option("DIR", "A new or empty folder.")]
Png = Annotated[Path, output_option("PNG", "The picture to write.", ".png")]
NAMED_AT_MOST = "At most this share of strangers is named, like 1% or 0.01"
FaceSource = Annotated[
    Path | None,
    typer.Argument(
        metavar="SOURCE",
        help="A project file, whose recipe is then the one to start from; or photographs, one "
        "sub-folder a person; or a CSV file of path;label lines.",
    ),
]
AllowLeaks = Annotated[
    bool, flag("--allow-leaks", "Measure a split whose probes are known to it; the report says so.")
]
ExcludeDuplicates = Annotated[
    bool,
    flag(
        "--exclude-duplicates",
        "Leave out photographs that are nearly the same picture as an earlier one.",
    ),
]


@dataclass(frozen=True)
class PhotoOptions:
    """Photographs: who is on them, and how their faces are cut."""

    pattern: Annotated[
        str | None,
        option(
            "TEXT",
            "Who is on a photograph by its file name, where all lie in one folder: '{person}.*' "
            "for subject01.happy.gif.",
        ),
    ] = None
    eyes: Annotated[
        Path | None,
        option(
            "CSV",
            "Where the eyes are: a table of file, left_x, left_y, right_x, right_y. Without it, "
            "the eyes.csv in the folder or beside the list, if there is one.",
        ),
    ] = None
    height: Annotated[int, of_field(HEIGHT)] = 112
    width: Annotated[int, of_field(WIDTH)] = 92
    fit: Annotated[Fit, of_field(FIT)] = "fill"
    already_cropped: Annotated[bool, of_field(ALREADY_CROPPED)] = False

    @property
    def preparation(self) -> Preparation:
        """How faces are cropped."""
        return Preparation(self.height, self.width, self.fit, self.already_cropped)

    def refuse_for(self, what: str) -> None:
        """Raise an error if options are given that have no effect."""
        if self != PhotoOptions():
            raise typer.BadParameter(
                f"The {what} has its own names and size: leave these options out."
            )


SETTINGS = {each.name: each for recipe in RECIPES.values() for each in recipe.fields}
"""Every setting of every recipe, by name."""


def _setting(name: str) -> OptionInfo:
    """Return the option of a setting; help shows its value in the first recipe that has it."""
    usual = next(each.settings[name] for each in RECIPES.values() if name in each.settings)
    return of_field(SETTINGS[name], usual=usual)


@dataclass(frozen=True)
class RecipeOptions:
    """Recipe: what is compared, and how. None is what is not said."""

    recipe_name: Annotated[
        str | None,
        option(
            "NAME",
            f"The recipe to start from: {', '.join(RECIPES)}.",
            "--recipe",
            parser=one_of_the("recipe", RECIPES),
            usual="a project's own; else Eigenfaces, or by build the one that names best",
        ),
    ] = None
    lighting: Annotated[str | None, _setting("lighting")] = None
    window: Annotated[str | None, _setting("window")] = None
    scaling: Annotated[bool, _setting("scaling")] = False
    components: Annotated[str | None, _setting("components")] = None
    dropped: Annotated[int | None, _setting("dropped")] = None
    whitening: Annotated[str | None, _setting("whitening")] = None
    smoothing: Annotated[str | None, _setting("smoothing")] = None
    distance: Annotated[str | None, _setting("distance")] = None
    rule: Annotated[str | None, _setting("rule")] = None
    neighbours: Annotated[int | None, _setting("neighbours")] = None

    def changing(self, start: Recipe) -> Recipe:
        """Return a recipe in which what was said is changed; what has no effect is noted."""
        said = {
            name: flag_of(SETTINGS[name]) if value is True else value
            for name, value in vars(self).items()
            if value is not None and value is not False
        }
        recipe = RECIPES.get(said.pop("recipe_name", ""), start).changed(**said)
        for idle, sentence in recipe.matcher.idle.items():
            if idle in said:
                echo_err(sentence)
        return recipe


@dataclass(frozen=True)
class ProtocolOptions:
    """Protocol: who is fitted to, enrolled and searched for."""

    protocol: Annotated[
        str,
        option(
            "NAME",
            "leave-one-out, N-fold, N-shot (N photographs enrolled at random), first-N, open-set, "
            "lists, pairs; idiap for the AT&T faces.",
        ),
    ] = f"{KFold.parts}-fold"
    repetitions: Annotated[
        int | None,
        of_field(REPETITIONS, "How often N-shot or open-set is drawn", NShot.repetitions),
    ] = None
    enrolled: Annotated[
        int | None,
        of_field(ENROLLED, "open-set: photographs of each member enrolled", OpenSet.enrolled),
    ] = None
    strangers: Annotated[
        float | None,
        share_option("open-set: how many are strangers, like 30% or 0.3.", OpenSet.strangers),
    ] = None
    gallery_list: Annotated[
        Path | None, option("FILE", "lists: who is enrolled, the path of a photograph a line.")
    ] = None
    probe_list: Annotated[Path | None, option("FILE", "lists: who is searched for.")] = None
    train_list: Annotated[
        Path | None, option("FILE", "lists: what the face space is fitted to.", usual="the gallery")
    ] = None
    pairs: Annotated[
        list[Path] | None,
        option(
            "FILE",
            "pairs: in the format of LFW's pairs.txt; or twice: first what the threshold is chosen "
            "on, then what is tested.",
        ),
    ] = None
    missing: Annotated[
        str | None,
        option(
            "count|refuse",
            "lists, pairs: photographs that are named and show no face are counted as failures to "
            "acquire, or refused.",
            parser=one_of_the("way", get_args(Missing)),
            usual="count",
        ),
    ] = None
    seed: Annotated[int, option("N", "Of everything drawn at random.", min=0)] = 0

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
        numbers = [int(each) for each in re.findall(r"\d{1,6}", name)]
        known = re.sub(r"^\d{1,6}(?=-(fold|shot)$)|(?<=^first-)\d{1,6}$", "N", name)
        if known not in make:
            raise typer.BadParameter(
                f"There is no protocol “{self.protocol}”. Say leave-one-out, idiap, N-fold (as in "
                "10-fold), N-shot (5-shot), first-N (first-5), open-set, lists or pairs."
            )
        protocol, takes = make[known]
        said = {name: value for name, value in vars(self).items() if value not in (None, [])}
        said = {each: said[each] for each in said if each not in ("protocol", "seed")}
        if idle := [f"--{each.replace('_', '-')}" for each in said if each not in takes.split()]:
            raise typer.BadParameter(
                f"{' and '.join(idle)} cannot be said of the protocol “{name}”."
            )
        return protocol(*numbers, **said)


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
        first, second = (tuple(chain.from_iterable(read_pairs(each))) for each in pairs)
        return Pairs((first, second), "first", missing)
    raise typer.BadParameter(
        "“pairs” needs --pairs FILE: once, with several sets in it; or twice, the first to choose "
        "the threshold on, the second to test."
    )
