"""The command ``map``: the faces of a gallery along two axes, as a picture or a table."""

from dataclasses import replace
from typing import get_args

import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import open_gallery
from eigenfaces.cli.field_options import reader
from eigenfaces.cli.plaintext import shown
from eigenfaces.cli.running import DONE, check_new, command, note, progress
from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.maps import (
    FaceMap,
    MapKind,
    map_by_tsne,
    map_of_components,
    map_of_directions,
)
from eigenfaces.laboratory.synthesis import pictured_otherwise
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.project.file import atomic_write
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.report.figure import rendered
from eigenfaces.report.plots import map_plot
from eigenfaces.text import count, one_of


@command
def map(
    file: options.ProjectFile,
    *,
    kind: options.Kind = "components",
    axes: options.AxesShown = "1,2",
    seed: options.MapSeed = None,
    output: options.MapFile,
    overwrite: options.Overwrite = False,
) -> int:
    """Draw every face of a gallery as a point along two axes; near means alike.

    Along components of the face space, along the discriminant directions, or by t-SNE, whose axes
    mean nothing; with another --seed it begins elsewhere, and only what comes out alike each time
    can be relied on. SVG or PNG; CSV has the place of every photograph.

    ```
    eigenfaces map people.eigenfaces -o map.svg
    eigenfaces map people.eigenfaces --axes 2,3 -o map.csv
    eigenfaces map people.eigenfaces --kind t-sne --seed 1 -o map.png
    ```
    """
    chosen, shown_axes = reader(_kind)(kind), _two(axes)
    if seed is not None and chosen != "t-SNE":
        raise typer.BadParameter("Only --kind t-sne draws anything: leave out --seed.")
    check_new(output, overwrite)
    gallery = open_gallery(file)
    with progress("Mapping") as tick:
        found = _made(gallery, chosen, seed, tick)
    _check(found, shown_axes)
    with progress("Measuring the map") as tick:
        kept = found.faithfulness(shown_axes, tick)
    plot = map_plot(found, shown_axes, gallery, kept)
    suffix = output.suffix.lower()
    with atomic_write(output) as part:
        if suffix == ".csv":
            part.write_text(found.table(shown_axes, gallery.index), "utf-8", newline="")
        else:
            part.write_bytes(rendered(plot, "svg" if suffix == ".svg" else "png")[0])
    if chosen == "components" and (otherwise := pictured_otherwise(gallery)):
        note(otherwise)
    typer.echo(f"{shown(output)}: {plot.caption}")
    return DONE


def _kind(text: str) -> MapKind:
    known: dict[str, MapKind] = {kind: kind for kind in get_args(MapKind)}
    return known[one_of(known, text, "kind of map")]


def _two(text: str) -> tuple[int, int]:
    """Return two axes, counted from 0, that “1,2” states, counted from 1."""
    said = text.split(",")
    numbers = [int(part) for part in said if part.strip().isdecimal()]
    if len(said) != 2 or len(numbers) != 2 or min(numbers) < 1 or numbers[0] == numbers[1]:
        raise typer.BadParameter(
            f"“{text}” does not state two axes: give two numbers from 1 on, like 1,2."
        )
    return numbers[0] - 1, numbers[1] - 1


def _made(gallery: Gallery, kind: MapKind, seed: int | None, tick: Tick) -> FaceMap:
    if kind == "components":
        return map_of_components(gallery)
    if kind == "discriminant":
        return map_of_directions(gallery, tick)
    coordinates = gallery.trained.coordinates
    settings = TsneSettings.usual(*coordinates.shape)
    if seed is not None:
        settings = replace(settings, seed=seed, start="random")
    return map_by_tsne(gallery, settings, tick)


def _check(found: FaceMap, axes: tuple[int, int]) -> None:
    """Raise `EigenfacesError` if a map does not have these axes."""
    there = found.coordinates.shape[1]
    if max(axes) >= there:
        raise EigenfacesError(
            f"This map has {count(there, 'axis', 'axes')}, and none of number {max(axes) + 1}: "
            "choose other --axes."
        )
