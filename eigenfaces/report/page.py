"""One page of HTML with everything on it: no scripts, nothing fetched from anywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from html import escape

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.remarks import remarks
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.beside import FIRST_ONLY, HEADING, comparison
from eigenfaces.report.drawings import drawings
from eigenfaces.report.look import STYLE_SHEET
from eigenfaces.report.method import (
    GLOSSARY,
    INTERVALS,
    THRESHOLDS,
    protocol_sentences,
    settings,
)
from eigenfaces.report.shared import with_relative_paths
from eigenfaces.report.style import WIDE, Drawing, inline, rendered
from eigenfaces.report.tables import (
    Columns,
    Table,
    duplicates_table,
    figures_table,
    folds_table,
    in_table,
    mistakes_table,
    people_table,
    unused_table,
    warnings,
)
from eigenfaces.report.words import capital, counted, heading, left_out_words, result_sentence

_LONGEST = 28  # letters of a name without a break


def to_html(record: Record, tick: Tick = no_tick, other: Record | None = None) -> str:
    """Write the report of a record as one page; the same record gives the same page.

    Parameters
    ----------
    record
        The evaluation and what it came from.
    tick
        Called after each figure.
    other
        A second record, to be compared with it.
    """
    record = with_relative_paths(record)
    evaluation = record.evaluation
    title = escape(heading(record))
    body = "\n".join(
        [
            f"<h1>{title}</h1>",
            f'<p class="result">{_result(evaluation)}</p>',
            *_leaks(evaluation),
            *_figures(evaluation),
            *_comparison(record, other),
            *_honesty(evaluation),
            *_left_out(evaluation),
            *_drawings(evaluation, tick),
            *_optional("Folds", folds_table(evaluation)),
            *_optional("People", people_table(evaluation)),
            *_mistakes(evaluation),
            *_method(record),
            *_repeat(),
            *_inputs(record),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE_SHEET}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _result(evaluation: Evaluation) -> str:
    """Return the sentence, its number set bold."""
    sentence = escape(result_sentence(evaluation))
    figure = next(iter(evaluation.figures), None)
    words = "" if figure is None else escape(figure.words())
    return sentence.replace(words, f"<strong>{words}</strong>", 1) if words else sentence


def _figures(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.figures:
        yield "<h2>Figures</h2>"
        yield _table(figures_table(evaluation))


def _comparison(record: Record, other: Record | None) -> Iterator[str]:
    if other is None:
        return
    found = comparison(record, with_relative_paths(other))
    yield f"<h2>{HEADING}</h2>"
    yield from (f"<p>{escape(sentence)}</p>" for sentence in found.sentences)
    yield _table(found.figures)
    yield from _optional("", found.settings)
    yield f'<p class="note">{FIRST_ONLY}</p>'


def _leaks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.leaks:
        yield '<section class="warning"><h2>This split leaks, and that was allowed</h2>'
        yield "<p>What is searched for is known to the split already: the figures are too good.</p>"
        yield from _list(leak.sentence for leak in evaluation.leaks)
        yield "</section>"


def _list(sentences: Iterable[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (f"<li>{escape(sentence)}</li>" for sentence in sentences)
    yield "</ul>"


def _honesty(evaluation: Evaluation) -> Iterator[str]:
    """Yield the controls, and the warnings that they give."""
    found = remarks(evaluation)
    if not found:
        return
    yield "<h2>What to hold beside it</h2>"
    warned = warnings(found)
    if warned:
        yield f'<section class="warning"><strong>{_several(warned)}</strong>'
        yield from _list(warned)
        yield "</section>"
    columns: Columns = (
        *(("control", "text"), ("value", "number")),
        *(("what it is", "text"), ("what it says", "text")),
    )
    rows = tuple(map(in_table, found))
    caption = "Controls in the same folds, with 95 % intervals where they are measured"
    yield _table(Table(caption, columns, rows))
    yield from _optional("", duplicates_table(evaluation))


def _several(warned: list[str]) -> str:
    return "Warning" if len(warned) == 1 else f"{len(warned)} warnings"


def _left_out(evaluation: Evaluation) -> Iterator[str]:
    yield "<h2>Left out</h2>"
    names = ", ".join(f"<bdi>{escape(name)}</bdi>" for name in evaluation.left_out)
    yield f"<p>{left_out_words(evaluation)}{names and ': '}{names}.</p>"
    yield from _optional("", unused_table(evaluation))


def _drawings(evaluation: Evaluation, tick: Tick) -> Iterator[str]:
    some = drawings(evaluation)
    if not some:
        return
    yield '<h2>Curves</h2>\n<div class="figures">'
    for done, drawing in enumerate(some):
        tick(done, len(some))
        yield _figure(drawing)
    yield "</div>"


def _figure(drawing: Drawing) -> str:
    wide = ' class="wide"' if drawing.size[0] > WIDE else ""
    caption = f"<strong>{escape(drawing.title)}</strong> {escape(drawing.caption)}"
    picture = inline(rendered(drawing, "svg"))
    return f"<figure{wide}>\n{picture}\n<figcaption>{caption}</figcaption>\n</figure>"


def _mistakes(evaluation: Evaluation) -> Iterator[str]:
    yield "<h2>Mistakes</h2>"
    table = mistakes_table(evaluation)
    if table is None:
        yield "<p>There are none to list.</p>"
        return
    yield '<p class="note">Photos are named by their files; none is embedded in this page.</p>'
    yield _table(table)


def _method(record: Record) -> Iterator[str]:
    yield "<h2>How it was measured</h2>"
    for title, text in (
        ("Protocol", protocol_sentences(record)),
        ("Intervals", INTERVALS),
        ("Thresholds", THRESHOLDS),
    ):
        yield f"<h3>{title}</h3>\n<p>{escape(text)}</p>"
    yield "<h3>Settings</h3>"
    yield _terms(settings(record))
    yield "<h3>Software</h3>"
    yield f"<p>{escape(', '.join(f'{name} {v}' for name, v in record.versions.items()))}</p>"
    yield "<h3>Terms, as ISO/IEC 19795-1 uses them</h3>"
    yield _terms(GLOSSARY)


def _terms(terms: Iterable[tuple[str, str]]) -> str:
    lines = [f"<dt>{escape(capital(term))}</dt><dd>{escape(said)}</dd>" for term, said in terms]
    return '<dl class="terms">\n' + "\n".join(lines) + "\n</dl>"


def _repeat() -> Iterator[str]:
    yield "<h2>How to repeat it</h2>"
    yield (
        "<p>The JSON file beside this page holds every setting, seed and score. With the same "
        "photos, <code>eigenfaces repeat report.json</code> (under the name the file has) measures "
        "again, and says whether every figure came out the same. The score file beside it has four "
        "columns, as Bob reads them: claimed identity, real identity, probe, score (minus the "
        "distance).</p>"
    )


def _inputs(record: Record) -> Iterator[str]:
    photos = record.evaluation.photos
    lines = [f"{photo.key}  {photo.path.as_posix()}\n" for photo in photos]
    digest = hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    yield "<h2>Inputs</h2>"
    yield (
        f"<p>{counted(len(photos), 'photo', 'photos')}. SHA-256 of the list below, as "
        f"<code>sha256sum</code> writes it: <code>{digest}</code></p>"
    )
    if record.source.kind == "sample":
        yield '<p class="note">The sums are of the sample’s pictures after they were mended.</p>'
    rows = tuple((each.path.as_posix(), each.person or "", each.key) for each in photos)
    columns: Columns = (("photo", "name"), ("person", "name"), ("SHA-256", "code"))
    table = _table(Table("Every photo that took part", columns, rows))
    yield f"<details>\n<summary>Every photo with its SHA-256</summary>\n{table}\n</details>"


def _optional(title: str, table: Table | None) -> Iterator[str]:
    if table is not None:
        if title:
            yield f"<h2>{title}</h2>"
        yield _table(table)


def _table(table: Table) -> str:
    kinds = [kind for _, kind in table.columns]
    heads = "".join(
        f'<th scope="col" class="{kind}">{escape(capital(name))}</th>'
        for name, kind in table.columns
    )
    rows = "\n".join(f"<tr>{_cells(row, kinds)}</tr>" for row in table.rows)
    foot = f"<tfoot>\n<tr>{_cells(table.foot, kinds)}</tr>\n</tfoot>\n" if table.foot else ""
    caption = escape(table.caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{caption}">\n'
        f"<table>\n<caption>{caption}</caption>\n<thead>\n<tr>{heads}</tr>\n</thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n{foot}</table>\n</div>"
    )


def _cells(row: Iterable[str], kinds: Iterable[str]) -> str:
    return "".join(
        f'<td class="{kind}">{_cell(cell, kind)}</td>'
        for cell, kind in zip(row, kinds, strict=True)
    )


def _cell(cell: str, kind: str) -> str:
    if kind == "name":  # whichever way it is written
        return f"<bdi>{_breakable(cell)}</bdi>"
    return f"<code>{escape(cell)}</code>" if kind == "code" else escape(cell)


def _breakable(name: str) -> str:
    """Let a name break after a slash, and a word longer than a column somewhere."""
    pieces = (
        part[start : start + _LONGEST]
        for part in re.split(r"(?<=/)", name)
        for start in range(0, len(part), _LONGEST)
    )
    return "<wbr>".join(map(escape, pieces))
