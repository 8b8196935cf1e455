"""An evaluation as text for the terminal: its figures, controls, and accuracy for each k."""

from collections.abc import Iterable, Sequence

import numpy as np

from eigenfaces.cli.plaintext import shown, table
from eigenfaces.evaluation.by_components import best_k
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.records import Evaluation, Record, Source
from eigenfaces.evaluation.result_words import remarks
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.recognition.recipe import recipe_words
from eigenfaces.report.page import left_out_words
from eigenfaces.text import capital, count, limits, percent

SHOWN = 10
"""Names that are listed at most: of leaks, duplicates, people left out."""

ON_THE_PROBES = (
    "The smallest k at the highest accuracy of each distance. It is seen on the probes themselves: "
    "try a k chosen so on other photographs."
)


def evaluation_text(record: Record, usual: str, width: int) -> str:
    """Return an evaluation as text; ``usual``: why this protocol was used if none was given."""
    result = record.evaluation
    blocks = [
        _heading(record, usual),
        _result_line(result),
        _figures_table(result, width),
        _controls_table(result, width),
        _components_text(result, width),
        *_remarks(result),
    ]
    return "\n\n".join(block for block in blocks if block)


def source_words(source: Source) -> str:
    """Return where the faces came from."""
    return "The AT&T sample" if source.kind == "sample" else shown(source.place)


def _heading(record: Record, usual: str) -> str:
    result, recipe = record.evaluation, record.evaluation.setting.recipe
    who = count(len(result.people), "person")
    photos = count(len(result.photos), "photograph")
    protocol = result.setting.protocol.words()
    folds = count(len(result.thresholds), "fold")
    lines = [
        f"{source_words(record.source)}: {photos} of {who}.",
        f"{protocol}{usual}; {folds}, seed {result.setting.seed}.",
        f"{shown(recipe_words(recipe))}.",
    ]
    lines.extend(sizes_words(result.photos, record.preparation))
    return "\n".join(lines)


def sizes_words(photos: Sequence[FacePhoto], preparation: Preparation) -> Iterable[str]:
    """Yield a sentence if photographs of several sizes were scaled to one."""
    sizes = sorted({photo.size for photo in photos})
    if preparation.already_cropped and len(sizes) > 1:
        (low_height, low_width), (height, width) = sizes[0], sizes[-1]
        yield (
            f"The photographs have {len(sizes)} sizes, from {low_width} × {low_height} to "
            f"{width} × {height}: each was brought to {preparation.width} × {preparation.height} "
            f"({preparation.fit})."
        )


def _result_line(result: Evaluation) -> str:
    if not result.figures:
        return "There is no figure: nobody who is enrolled was searched for."
    first = result.figures[0]
    return f"{capital(first.kind)}: {first.words()}; in brackets its 95 % interval, {first.by}."


def _figures_table(result: Evaluation, width: int) -> str:
    rows = _rows(result.all_figures)
    return table(("Figure", "Value", "95 % interval", "Counted on"), rows, width) if rows else ""


def _controls_table(result: Evaluation, width: int) -> str:
    rows = _rows(result.controls)
    warnings = [f"{each.title}: {each.sentence}" for each in remarks(result) if each.warns]
    heading = ("To hold beside it", "Value", "95 % interval", "")
    return "\n".join([table(heading, rows, width), *warnings])


def _rows(of: Iterable[Figure | Control]) -> list[tuple[str, str, str, str]]:
    return [
        (each.kind, percent(each.value, 2), limits(each.low, each.high), each.note) for each in of
    ]


def _components_text(result: Evaluation, width: int) -> str:
    by = result.by_components
    if by is None:
        return ""
    rows = []
    for name, curve in by.accuracy.items():
        if np.isfinite(curve).any():
            k = best_k(curve)
            interval = limits(float(by.low[name][k - 1]), float(by.high[name][k - 1]))
            rows.append((name, f"{k} of {len(by)}", percent(float(curve[k - 1]), 2), interval))
    if not rows:
        return ""
    heading = ("The evidence for k", "k", "Rank-1", "95 % interval")
    return f"{table(heading, rows, width)}\n{ON_THE_PROBES}"


def _remarks(result: Evaluation) -> Iterable[str]:
    if result.leaks:
        yield _listed(
            f"This split leaks, which was allowed, so the figures are too good "
            f"({count(len(result.leaks), 'leak')}):",
            [each.sentence for each in result.leaks],
        )
    if result.duplicates:
        names = [result.photos[row].path.name for row in range(len(result.photos))]
        yield _listed(
            f"Nearly the same picture ({count(len(result.duplicates), 'pair')}):",
            [f"“{names[each.first]}” and “{names[each.second]}”" for each in result.duplicates],
        )
    if result.left_out:
        yield _listed(f"{left_out_words(result)}:", result.left_out)


def _listed(heading: str, lines: Sequence[str]) -> str:
    more = [f"… and {len(lines) - SHOWN} more."] if len(lines) > SHOWN else []
    return "\n".join([heading, *(f"  {shown(line)}" for line in lines[:SHOWN]), *more])
