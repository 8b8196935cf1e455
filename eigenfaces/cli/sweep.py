"""The command ``sweep``: every combination of some settings, each measured as by ``evaluate``."""

from itertools import product
from typing import Annotated, Any

import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.cli.evaluate import explain_leaks
from eigenfaces.cli.face_sources import (
    PhotoOptions,
    list_skipped,
    list_skipped_on_failure,
    read_named_faces,
)
from eigenfaces.cli.field_options import reader
from eigenfaces.cli.options import Overwrite, Sample
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.protocols import ProtocolOptions, protocol_from
from eigenfaces.cli.recipe_options import FIELDS
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new,
    command,
    note,
    progress,
    terminal_width,
)
from eigenfaces.errors import EigenfacesError, part_of
from eigenfaces.evaluation.records import Setting
from eigenfaces.evaluation.run import (
    check_component_count,
    evaluate,
    make_split,
    participating_faces,
)
from eigenfaces.project.file import atomic_write
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.text import as_table, count, limits, one_of, percent


def _axis(text: str) -> tuple[str, tuple[object, ...]]:
    """Return the name of a setting and the values that it is to have.

    >>> _axis("k=20,95%")
    ('components', (20, 0.95))
    """
    said, _, values = text.partition("=")
    known = {each.option or name: name for name, each in FIELDS.items()}
    known |= {"k": "components", "recipe": "recipe"}
    name = known[one_of(known, said.strip(), "setting")]
    read = FIELDS[name].read if name in FIELDS else lambda each: one_of(RECIPES, each, "recipe")
    found = tuple(dict.fromkeys(read(each.strip()) for each in values.split(",") if each.strip()))
    if not found:
        raise EigenfacesError(f"Say which values “{said}” is to have, like k=20,40,80.")
    return name, found


Axes = Annotated[
    list[str],
    typer.Option(
        "--grid",
        parser=reader(_axis),
        metavar="NAME=VALUE,VALUE…",
        help="A setting of evaluate and its values, again for each setting: k=20,40,80 or "
        "distance=l2,cosine or recipe=eigenfaces,texture.",
    ),
]


@command
def sweep(
    source: evaluation_options.Faces = None,
    *,
    output: evaluation_options.Table,
    grid: Axes,
    sample: Sample = False,
    overwrite: Overwrite = False,
    split: ProtocolOptions,
    allow_leaks: evaluation_options.AllowLeaks = False,
    photos: PhotoOptions,
) -> int:
    """Measure every combination of some settings on the same folds, as `evaluate` does, as CSV.

    What is not said is as in the project's recipe. Combinations that are not possible are told of,
    and left out.

    ```
    eigenfaces sweep --sample -o table.csv --grid distance=l2,cosine --grid k=10,20,40,80
    eigenfaces sweep people/ -o table.csv --protocol 10-fold --grid lighting=none,tan-triggs
    ```
    """
    check_new(output, overwrite)
    axes: dict[str, Any] = dict(grid)  # type: ignore[arg-type]  # as `_axis` returns them
    if len(axes) < len(grid):
        raise typer.BadParameter("Say --grid once for each setting, with all its values.")
    read = read_named_faces(source, sample=sample, photos=photos)
    with list_skipped_on_failure(read.faces.skipped):
        faces = participating_faces(read.faces)
        protocol = protocol_from(split, len(faces))
        with explain_leaks():  # what no combination would change
            make_split(faces, Setting(read.recipe, protocol, split.seed, False, allow_leaks))
        asked, found = list(product(*axes.values())), []
        with progress("Measuring") as bar:
            for number, values in enumerate(asked):
                said = dict(zip(axes, values, strict=True))
                try:
                    start = RECIPES.get(said.pop("recipe", ""), read.recipe)
                    setting = Setting(
                        start.changed(**said), protocol, split.seed, False, allow_leaks
                    )
                    check_component_count(faces, setting)
                    tick = part_of(bar, number, len(asked))
                    first = evaluate(faces, setting, tick).figures[0]
                    found.append((*values, first.kind, first.value, first.low, first.high))
                except EigenfacesError as error:
                    note(f"{', '.join(map(str, values))}: left out. {error}")
        if not found:
            raise EigenfacesError("None of these combinations is possible.")
    found.sort(key=lambda row: -row[-3])
    with atomic_write(output) as part:
        made = as_table([*axes, "figure", "value", "low", "high"], found)
        part.write_text(made, "utf-8", newline="")
    typer.echo(f"{protocol.words()}.\n{shown(output)}: {count(len(found), 'combination')}.\n")
    best = [
        (*map(str, said), kind, percent(value, 2), limits(low, high))
        for *said, kind, value, low, high in found[:10]
    ]
    typer.echo(table([*axes, "Figure", "Value", "95 % interval"], best, terminal_width()))
    typer.echo(
        "The best of many settings, chosen on the probes themselves, is optimistic: try it on "
        "other photographs before you believe it."
    )
    list_skipped(read.faces.skipped)
    return SOME_UNUSED if read.faces.skipped else DONE
