"""Arguments and options that several commands share, and the values made from them.

A dataclass is a group of options, which are separate on the command line but form a single value
in the program.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation import protocols
from eigenfaces.evaluation.protocols import KFold, Missing, NShot, OpenSet, Protocol, read_list
from eigenfaces.faces.prepare import ALREADY_CROPPED, HEIGHT, WIDTH, Preparation
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.text import Field, WholeNumber, cli_name, parse_name

Value = TypeVar("Value")


def parser(read: Callable[[str], Value]) -> Callable[[object], Value]:
    """Return a parser of typed text that turns `EigenfacesError` into a usage error."""

    def parse(text: object) -> Value:
        try:
            return read(str(text))
        except EigenfacesError as error:
            raise typer.BadParameter(str(error)) from None

    return parse


def choice(kind: str, known: Iterable[str]) -> Callable[[str], str]:
    """Return a parser that accepts only the known names of one kind."""
    return partial(parse_name, tuple(known), kind=kind)


def argument(metavar: str, about: str) -> Any:
    """Return an argument of a command.

    Typer does not check whether a file is there and can be read. The command finds out when it
    reads the file, and may go on with other files. The same is true of `option`.
    """
    return typer.Argument(metavar=metavar, help=about, readable=False)


def option(
    metavar: str,
    about: str,
    *names: str,
    usual: object = None,
    read: Callable[[str], Any] | None = None,
    **more: Any,
) -> Any:
    """Return an option that takes a value.

    ``usual`` is the default shown in the help, and ``read`` converts the typed text to the value.
    """
    if usual is not None:
        more["show_default"] = str(usual)
    parse = read and parser(read)
    return typer.Option(*names, metavar=metavar, help=about, parser=parse, readable=False, **more)


def flag(name: str, about: str) -> Any:
    """Return an option that takes no value."""
    return typer.Option(name, help=about)


def _share(text: str) -> float:
    """Return the share in a string such as “1%” or “0.01”."""
    number = text.strip()
    try:
        value = float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise EigenfacesError(f"“{number}” is not a share: write it like 1% or 0.01.")
    if value == 1 and not number.endswith("%"):
        raise EigenfacesError(f"“{number}” could mean 1 % or 100 %: write 1% or 100%.")
    return value


def share(about: str, usual: object) -> Any:
    """Return an option that takes a share, such as 1% or 0.01."""
    return option("SHARE", about, usual=usual, read=_share)


def output(metavar: str, about: str, *endings: str) -> Any:
    """Return the option for an output file, whose name must have one of the ``endings``, if any."""

    def check(path: Path) -> Path:
        if not endings or path.suffix.lower() in endings:
            return path
        either = " or ".join(endings)
        raise typer.BadParameter(f"“{path}” must end in {either}: no other format can be written.")

    return option(metavar, about, "-o", "--output", callback=check)


def of_field(setting: Field, about: str = "", usual: object = None) -> Any:
    """Return the option for a setting. ``usual`` is the default shown in the help."""
    name = f"--{(setting.option or setting.name).replace('_', '-')}"
    names = ("-k", name) if name == "--components" else (name,)
    about = f"{about or setting.about}{f': {setting.how}' if setting.how else ''}."
    usual = cli_name(usual) if isinstance(usual, str) else usual
    more: dict[str, Any] = {"read": setting.read}
    if isinstance(setting, WholeNumber):
        more = {"min": setting.least, "max": setting.most}
    return option(setting.metavar, about, *names, usual=usual, **more)


PHOTOGRAPHS = "A folder with a sub-folder for each person, or a CSV file with path;label lines."
NAMED_AT_MOST = "Name at most this share of strangers, such as 1% or 0.01"

ProjectFile = Annotated[Path, argument("FILE", "The project file.")]
FaceSource = Annotated[
    Path | None, argument("SOURCE", "A project file with its recipe, or photos as for build.")
]
Sample = Annotated[bool, flag("--sample", "Use the AT&T faces (40 people × 10) instead.")]
NewFolder = Annotated[Path, output("DIR", "A new or empty folder.")]
Overwrite = Annotated[bool, flag("--overwrite", "Replace the file if it exists.")]
AsJson = Annotated[bool, flag("--json", "Print the result as JSON.")]
AllowLeaks = Annotated[
    bool, flag("--allow-leaks", "Measure even if probes are enrolled or used for training.")
]
ExcludeDuplicates = Annotated[
    bool, flag("--exclude-duplicates", "Leave out near-duplicates of earlier photos.")
]


@dataclass(frozen=True)
class PhotoOptions:
    """Photos: who is in them, and how faces are cropped. Options that are not given are None."""

    pattern: Annotated[
        str | None,
        option("TEXT", "Where file names give the person: '{person}.*' for subject01.happy.gif."),
    ] = None
    eyes: Annotated[
        Path | None,
        option(
            "CSV",
            "A table of eye positions: file, left_x, left_y, right_x, right_y.",
            usual="eyes.csv in the folder or beside the list",
        ),
    ] = None
    events: Annotated[
        bool,
        flag("--events", "Folders are events, not people, so they name nobody."),
    ] = False
    height: Annotated[int | None, of_field(HEIGHT, usual=Preparation.height)] = None
    width: Annotated[int | None, of_field(WIDTH, usual=Preparation.width)] = None
    already_cropped: Annotated[bool, flag("--already-cropped", f"{ALREADY_CROPPED.about}.")] = False
    thorough: Annotated[
        bool,
        flag("--thorough", "Also search for small, turned and covered faces. This is much slower."),
    ] = False

    @property
    def preparation(self) -> Preparation:
        """The preparation, which says how faces are cropped."""
        height = Preparation.height if self.height is None else self.height
        width = Preparation.width if self.width is None else self.width
        return Preparation(height, width, self.already_cropped)

    def refuse_unused(self, source: str) -> None:
        """Raise an error if any option is given, because the source has no use for it."""
        if self != PhotoOptions():
            raise typer.BadParameter(
                f"The {source} has its own names and face size. Leave these options out."
            )


SETTINGS = {setting.name: setting for recipe in RECIPES.values() for setting in recipe.fields}
"""All settings of all recipes, by name."""


def _setting(name: str) -> Any:
    """Return the option for a setting. Its default is that of the first recipe with the setting."""
    usual = next(recipe.settings[name] for recipe in RECIPES.values() if name in recipe.settings)
    return of_field(SETTINGS[name], usual=usual)


@dataclass(frozen=True)
class RecipeOptions:
    """Recipe: what is compared, and how. Options that are not given are None."""

    recipe_name: Annotated[
        str | None,
        option(
            "NAME",
            f"The recipe to start from: {', '.join(RECIPES)}.",
            "--recipe",
            read=choice("recipe", RECIPES),
            usual="the project's recipe; for build, the best one; otherwise Eigenfaces",
        ),
    ] = None
    lighting: Annotated[str | None, _setting("lighting")] = None
    window: Annotated[str | None, _setting("window")] = None
    components: Annotated[str | None, _setting("components")] = None
    dropped: Annotated[int | None, _setting("dropped")] = None
    distance: Annotated[str | None, _setting("distance")] = None
    rule: Annotated[str | None, _setting("rule")] = None

    @property
    def are_given(self) -> bool:
        """Whether any of the options is given, even with its default value."""
        return self != RecipeOptions()

    def applied_to(self, start: Recipe) -> Recipe:
        """Return the chosen recipe, or else ``start``, with the given settings."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return RECIPES.get(given.pop("recipe_name", ""), start).changed(**given)


@dataclass(frozen=True)
class ProtocolOptions:
    """Protocol: which photos are used for training, which are enrolled, and which are probes."""

    protocol: Annotated[
        str,
        option("NAME", "leave-one-out, N-fold, N-shot, first-N, open-set, lists, pairs, or idiap."),
    ] = f"{KFold.parts}-fold"
    repetitions: Annotated[
        int | None,
        of_field(
            protocols.REPETITIONS, "N-shot, open-set: the number of random draws", NShot.repetitions
        ),
    ] = None
    enrolled: Annotated[
        int | None,
        of_field(protocols.ENROLLED, "open-set: enrolled photos per member", OpenSet.enrolled),
    ] = None
    strangers: Annotated[
        float | None, share("open-set: the share of people who are strangers.", OpenSet.strangers)
    ] = None
    gallery_list: Annotated[
        Path | None, option("FILE", "lists: the enrolled photos, one path per line.")
    ] = None
    probe_list: Annotated[Path | None, option("FILE", "lists: the photos to search for.")] = None
    train_list: Annotated[
        Path | None, option("FILE", "lists: the training photos.", usual="the gallery")
    ] = None
    pairs: Annotated[
        list[Path] | None,
        option("FILE", "pairs: a file like LFW's pairs.txt; of two, the first sets the threshold."),
    ] = None
    missing: Annotated[
        Missing | None,
        option(
            "count|refuse",
            "lists, pairs: count photos without a face as failures, or refuse them.",
            usual="count",
        ),
    ] = None
    seed: Annotated[int, option("N", "The seed for everything that is drawn at random.", min=0)] = 0

    def build(self) -> Protocol:
        """Return the protocol that the options describe."""
        seed = self.seed
        make: dict[str, tuple[Callable[..., Protocol], str]] = {
            "leave-one-out": (protocols.LeaveOneOut, ""),
            "idiap": (protocols.Idiap, ""),
            "N-fold": (partial(KFold, seed=seed), ""),
            "N-shot": (partial(NShot, seed=seed), "repetitions"),
            "first-N": (protocols.FirstPhotos, ""),
            "open-set": (partial(OpenSet, seed=seed), "enrolled strangers repetitions"),
            "lists": (_lists, "gallery_list probe_list train_list missing"),
            "pairs": (_pairs, "pairs missing"),
        }
        name = cli_name(self.protocol).replace("_", "-")
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
) -> Protocol:
    if gallery_list is None or probe_list is None:
        raise typer.BadParameter("“lists” needs --gallery-list and --probe-list.")
    train = () if train_list is None else read_list(train_list)
    return protocols.Lists(read_list(gallery_list), read_list(probe_list), train, missing)


def _pairs(pairs: Sequence[Path] = (), missing: Missing = "count") -> Protocol:
    sets = [protocols.read_pairs(file) for file in pairs[:2]]
    if len(pairs) == 1:
        return protocols.Pairs(sets[0], missing=missing)
    if len(pairs) == 2:
        first, second = (tuple(chain.from_iterable(groups)) for groups in sets)
        return protocols.Pairs((first, second), "first", missing)
    raise typer.BadParameter(
        "“pairs” needs --pairs FILE. Give it once, with several sets in the file; or twice, the "
        "first for choosing the threshold, the second for testing."
    )
