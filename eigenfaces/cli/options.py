"""The command-line arguments and options of all commands but evaluation, each with its help."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.preparation import Fit
from eigenfaces.recognition.lighting import Lighting, Window
from eigenfaces.recognition.recipe import Recipe, Rule, Whitening
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.whitening import Smoothing
from eigenfaces.wording import typed


def share_or_count(text: object) -> float:
    """Return “40” as a count (int), “0.95” and “95%” as a share of the variance (float)."""
    said = str(text).strip()
    try:
        if said.endswith("%"):
            components: float = float(said[:-1]) / 100
        else:
            components = float(said) if "." in said else int(said)
        Recipe(components=components)
    except (ValueError, EigenfacesError):
        raise typer.BadParameter(
            f"“{said}” is neither a count from 1 up, like 40, nor a share of the variance to "
            "keep, like 0.95 or 95%."
        ) from None
    return components


DISTANCE_NAMES, LIGHTING_NAMES, WINDOW_NAMES, WHITENING_NAMES, RULE_NAMES = (
    tuple(map(typed, names))
    for names in (DISTANCES, *map(get_args, (Lighting, Window, Whitening, Rule)))
)
"""How each of them is typed."""


RULES = (
    "Compare with each photograph, with each person's mean, or by the mean of the distances to a "
    "person's photographs."
)


def _of_recipe(field: str) -> Callable[[object], object]:
    """Return a parser for a field of a recipe; it accepts what `Recipe` accepts."""

    def read(said: object) -> object:
        try:
            return getattr(Recipe(**{field: said}), field)  # type: ignore[arg-type]
        except EigenfacesError as error:
            raise typer.BadParameter(str(error)) from None

    return read


distance_name, lighting_name, window_name, whitening_name, rule_name = map(
    _of_recipe, ("distance", "lighting", "window", "whitening", "rule")
)


def variance_or_share(text: object) -> Smoothing:
    """Return “0.5” as ε itself, and “10%” as a share of the mean variance kept."""
    said = str(text).strip()
    try:
        number: object = said if said.endswith("%") else float(said)
    except ValueError:
        number = said  # `Recipe` rejects it
    return cast(Smoothing, _of_recipe("smoothing")(number))


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"eigenfaces {version('eigenfaces')}")
        raise typer.Exit


def _png(path: Path) -> Path:
    if path.suffix.lower() != ".png":
        raise typer.BadParameter(f"“{path}” must end in .png: no other format is written.")
    return path


Version = Annotated[
    bool,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Say which this is."),
]
ProjectFile = Annotated[Path, typer.Argument(metavar="FILE", help="The project file.")]

# build, faces
_PHOTOGRAPHS = "Photographs, one sub-folder a person; or a CSV file of path;label lines."
Folder = Annotated[Path | None, typer.Argument(metavar="FOLDER", help=_PHOTOGRAPHS)]
Source = Annotated[Path, typer.Argument(metavar="FOLDER", help=_PHOTOGRAPHS)]
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="The project file to make.")
]
Sample = Annotated[
    bool, typer.Option("--sample", help="Instead of a folder, the AT&T faces: 40 people × 10.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")]
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Who is on a photograph by its file name, where all lie in one folder: "
        "'{person}.*' for subject01.happy.gif.",
    ),
]
Height = Annotated[int, typer.Option(min=16, max=512, metavar="PIXELS", help="Of every face.")]
Width = Annotated[int, typer.Option(min=16, max=512, metavar="PIXELS", help="Of every face.")]
Shape = Annotated[
    Fit,
    typer.Option(help="A photograph of another shape is cut to fill, set on grey, or stretched."),
]
Components = Annotated[
    float | None,
    typer.Option(
        "-k",
        "--components",
        metavar="N|SHARE",
        parser=share_or_count,
        show_default="0.95",
        help="Components to compare: a count, or the share of the variance to keep (0.95, 95%).",
    ),
]
Distance = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        parser=distance_name,
        show_default="L2",
        help=f"Distance in face space: {', '.join(DISTANCE_NAMES)}.",
    ),
]
Whiten = Annotated[
    str | None,
    typer.Option(
        "--whitening",
        metavar="NAME",
        parser=whitening_name,
        show_default="none",
        help=f"Give all components the same weight: {', '.join(WHITENING_NAMES)}.",
    ),
]
Epsilon = Annotated[
    str | None,
    typer.Option(
        "--smoothing",
        metavar="ε|SHARE%",
        parser=variance_or_share,
        show_default="0",
        help="Added to the variances in the whitening: a variance, like 0.5, or a share of the "
        "mean variance kept, like 10%.",
    ),
]
Correlation = Annotated[
    bool, typer.Option("--correlation", help="Divide each pixel by its standard deviation.")
]
Light = Annotated[
    str | None,
    typer.Option(
        "--lighting",
        metavar="NAME",
        show_default="none",
        parser=lighting_name,
        help=f"Light evened out in each face: {', '.join(LIGHTING_NAMES)}.",
    ),
]
AgainstBackground = Annotated[
    str | None,
    typer.Option(
        "--window",
        metavar="NAME",
        show_default="none",
        parser=window_name,
        help=f"Keeps the background out: {', '.join(WINDOW_NAMES)}.",
    ),
]
AlreadyCropped = Annotated[
    bool,
    typer.Option("--already-cropped", help="Photographs are faces already: search for none."),
]
EyesFile = Annotated[
    Path | None,
    typer.Option(
        "--eyes",
        metavar="CSV",
        help="Where the eyes are: a table of file, left_x, left_y, right_x, right_y. Without it, "
        "the eyes.csv in the folder or beside the list, if there is one.",
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        "--rule",
        metavar="NAME",
        parser=rule_name,
        show_default="nearest",
        help=f"{RULES} Say {', '.join(RULE_NAMES)}.",
    ),
]
Neighbours = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", show_default="1", help="How many nearest photographs vote."),
]
DropFirst = Annotated[
    int | None,
    typer.Option(
        "--drop-first",
        min=0,
        metavar="M",
        show_default="0",
        help="Leave the first M components out of the comparison.",
    ),
]

# info, recognise
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Answer in CSV, a line a candidate.")]
Photos = Annotated[
    list[Path],
    typer.Argument(metavar="PHOTO", help="Photographs, or folders: all photographs in them."),
]
Top = Annotated[int, typer.Option(min=1, metavar="N", help="How many people to rank.")]

# faces, components, reconstruct
NewFolder = Annotated[
    Path, typer.Option("-o", "--output", metavar="DIR", help="A new or empty folder.")
]
Every = Annotated[
    bool,
    typer.Option("--all", help="Every face of each photograph, not only the one that is meant."),
]
First = Annotated[
    int | None, typer.Option("-k", min=1, metavar="N", help="Only the first N; all if not said.")
]
Face = Annotated[Path, typer.Argument(metavar="PHOTO", help="The photograph to rebuild.")]
Rebuilt = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="PNG", callback=_png, help="The picture to write."),
]
Count = Annotated[int, typer.Option("-k", min=0, metavar="N", help="Components; 0 is the mean.")]
