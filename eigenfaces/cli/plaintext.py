"""Output for people: sentences and tables in plain text, no wider than the terminal."""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from eigenfaces.cli.json_output import FACE_SPACE, Overview
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import title_of
from eigenfaces.importing.load import Noticed
from eigenfaces.photographs.photos import Skipped
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import comparison_words, lighting_words
from eigenfaces.text import count, shortened

ATTENTION_SHOWN = 10
"""Photographs to look at, listed after a build; ``faces`` lists all."""

_SHORT_PATH = 24
"""Letters of a path that are always shown."""

LOOK_HINT = (
    "See them with “eigenfaces faces”; where a face is wrong, state its eyes in a file and build "
    "again with --eyes."
)


def shown(text: object) -> str:
    """Return a name that is safe to print: characters that cannot be printed become “�”."""
    return "".join(letter if letter.isprintable() else "�" for letter in str(text))


def built_text(gallery: Gallery, file: Path) -> str:
    """Return a sentence about the content of a new project."""
    photos = count(len(gallery.faces), "photograph")
    people = count(len(gallery.people), "person")
    components = count(len(gallery.trained.representation), "component")
    return (
        f"{shown(file)}: {photos} of {people}, {components}, "
        f"the first {gallery.k:,} compared by {gallery.recipe.matcher.distance}."
    )


def overview_text(summary: Overview, width: int) -> str:
    """Return a summary of a project."""
    prepared = summary.preparation
    lines = [
        ("Photographs", f"{summary.photos:,}, of {count(len(summary.people), 'person')}"),
        ("Faces", f"{prepared.width} × {prepared.height} pixels, {_preparation_text(prepared)}"),
        ("Lighting", lighting_words(summary.recipe)),
        ("Recipe", shown(comparison_words(summary.recipe))),
    ]
    if summary.unnamed:
        lines.append(("Nobody named", count(summary.unnamed, "photograph")))
    if summary.excluded:
        lines.append(("Left out", f"{count(summary.excluded, 'photograph')}, by hand"))
    if summary.trained:
        compared = f"{summary.components:,}, of which {summary.compared:,} compared"
        if summary.compared_in != FACE_SPACE:
            own = f"{summary.compared_in} compares {summary.compared:,} coordinates of its own"
            compared = f"{summary.components:,} to look at; {own}"
        if dropped := summary.recipe.matcher.dropped:
            compared += f", the first {dropped} dropped"
        lines.append(("Components", compared))
        lines.append(("Variance", _variance_text(summary)))
        lines.append(("Needed for", _needed_text(summary)))
        asked = f"at most {100 * summary.strangers:g} %"
        known = asked if summary.calibrated else f"{asked} asked, not calibrated"
        lines.append(("Strangers named", known))
        lines.append(("Since training", f"{count(summary.changed_since_training, 'change')}"))
    else:
        lines.append(("Components", "none yet: there is no face space"))
    lines.append(("Not on disk", count(len(summary.missing), "photograph")))
    lines.extend(("", shown(path)) for path in summary.missing)
    return f"{shown(summary.file)}\n" + table((), lines, width)


def _preparation_text(preparation: Preparation) -> str:
    if preparation.already_cropped:
        return f"cropped already, {preparation.fit}"
    return "found and aligned"


def _variance_text(summary: Overview) -> str:
    ratios = summary.explained_variance_ratio
    each = " ".join(f"{ratio:.2%}" for ratio in ratios).replace("%", "")
    first = "first one" if len(ratios) == 1 else f"first {len(ratios)}"
    return f"{sum(ratios):.2%} in the {first}: {each}"


def _needed_text(summary: Overview) -> str:
    return ", ".join(
        f"{float(share):.0%}: {'more than are kept' if k is None else k}"
        for share, k in summary.components_for.items()
    )


def found_text(noticed: Sequence[Noticed]) -> str:
    """Return how many faces were found, and how many positions were given."""
    sources = Counter(each.photo.placement.source for each in noticed if each.photo.placement)
    doubtful = sum(each.doubtful for each in noticed)
    said = []
    if found := sources["found"] + sources["guess"]:
        said.append(f"{count(found, 'face')} found, {doubtful} of them doubtful")
    if sources["guess"]:
        where = count(sources["guess"], "photograph")
        said.append(f"on {where} with several faces, a guess which one is meant")
    if sources["from a file"]:
        said.append(f"{count(sources['from a file'], 'face')} cut by the eyes that a file states")
    return "; ".join(said) + "."


def attention_text(noticed: Sequence[Noticed], width: int) -> str:
    """Return the first photographs that should be checked, with the reasons."""
    # Guesses come first: a wrong one is another person's face.
    concerning = sorted((n for n in noticed if n.concerns), key=lambda each: not each.guess)
    rows = [
        (_path(each.photo.path, width), " ".join(one.reason for one in each.concerns))
        for each in concerning[:ATTENTION_SHOWN]
    ]
    lines = [f"{count(len(concerning), 'photograph')} to look at:"]
    lines.append(table(("Photograph", "Why"), rows, width))
    if len(concerning) > len(rows):
        lines.append(f"… and {len(concerning) - len(rows)} more.")
    lines.append(LOOK_HINT)
    return "\n".join(lines)


def _path(path: Path, width: int) -> str:
    """Return a path shortened to at most half of a line."""
    return shortened(path, max(_SHORT_PATH, width // 2 - 2))


def skipped_text(skipped: Sequence[Skipped], width: int) -> str:
    """Return every photograph that was not used, with the reason."""
    rows = [(_path(each.path, width), each.reason) for each in skipped]
    heading = f"{count(len(skipped), 'photograph')} not used:"
    return f"{heading}\n{table(('Photograph', 'Reason'), rows, width)}"


_FIRST = 5
"""Photographs that a summary shows."""


def kinds_text(skipped: Iterable[Skipped]) -> str:
    """Return how many photographs were not used for which kind of reason."""
    kinds = Counter(title_of(each.kind).lower() for each in skipped).most_common()
    return ", ".join(f"{number:,} {kind}" for kind, number in kinds)


def unused_text(skipped: Sequence[Skipped], width: int, listed_in: str) -> str:
    """Return how many photographs were not used and why, the first of them, and where all are."""
    were = "was" if len(skipped) == 1 else "were"
    rows = [(_path(each.path, width), each.reason) for each in skipped[:_FIRST]]
    more = f"\nand {len(skipped) - _FIRST:,} more." * (len(skipped) > _FIRST)
    return (
        f"{count(len(skipped), 'photograph')} {were} not used: {kinds_text(skipped)}.\n"
        f"{table(('Photograph', 'Reason'), rows, width)}{more}\n{listed_in}"
    )


def table(heading: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> str:
    """Return rows of cells as aligned columns; long cells are wrapped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    made = Table(box=None, pad_edge=False, show_header=bool(heading))
    for title in heading or rows[0]:
        made.add_column(title, overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(cell)) for cell in row))
    page = io.StringIO()
    Console(file=page, width=width, color_system=None).print(made)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())
