"""The page: whole, self-contained, true to the record, and the same twice."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from markupsafe import escape
from reports import AWKWARD, record_of, similar

from eigenfaces import FaceSet, Recipe
from eigenfaces.cli.evaluating import evaluation_text
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.controls import Control, Leak
from eigenfaces.evaluation.protocols import (
    PROTOCOLS,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    NShot,
    OpenSet,
    Pairs,
    Protocol,
)
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.photographs.photos import Skipped
from eigenfaces.report import page as method
from eigenfaces.report import to_html
from eigenfaces.report.page import left_out_words
from eigenfaces.text import capital

VOID = {"meta", "wbr", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed, in order; keeps what the tests ask for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.cells: list[list[str]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name in ("src", "href", "xlink:href", "action", "data"):
                self.links.append(value or "")
            assert not name.startswith("on")
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data

    def row(self, first: str) -> list[str]:
        """Return the first line of a table that begins so."""
        return next(cells for cells in self.cells if cells[0] == first)

    def person(self, number: int) -> list[str]:
        """Return the line of a person."""
        return next(cells for cells in self.cells if cells[0] == str(number) and len(cells) == 8)


@cache
def html_of(record: Record) -> str:
    """Return the page with its figures, drawn once."""
    return to_html(record)


def page_of(record: Record, other: Record | None = None) -> Page:
    """Read the page without its figures, where only words are asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eigenfaces.report.page.plots_of", lambda evaluation: ())
        return Page(to_html(record, other=other))


@pytest.fixture(scope="module")
def closed() -> Record:
    return record_of(similar(8), KFold(4, seed=3))


@pytest.fixture(scope="module")
def opened() -> Record:
    return record_of(similar(12), OpenSet(enrolled=2, repetitions=3))


@pytest.fixture(scope="module")
def in_pairs() -> Record:
    faces = similar(6, 4)
    sets = tuple(
        tuple((str(4 * i + a + 1), str(4 * j + b + 1)) for i, j, b in ((2 * s, 2 * s, 3),
              (2 * s + 1, 2 * s + 1, 2), (2 * s, 2 * s + 1, 1), (2 * s + 1, 2 * s, 0))
              for a in range(2) if i != j or a != b)
        for s in range(3)
    )  # fmt: skip
    return record_of(faces, Pairs(sets))


@pytest.fixture(params=["closed", "opened", "in_pairs"])
def record(request: pytest.FixtureRequest) -> Record:
    return request.getfixturevalue(request.param)


def drawn(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def test_the_page_is_well_formed_and_fetches_nothing(record: Record) -> None:
    text = html_of(record)
    page = Page(text)
    assert page.tags["title"] == 1 + page.tags["svg"]
    assert not page.tags["script"] + page.tags["img"] + page.tags["link"] + page.tags["iframe"]
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert max(page.ids.values()) == 1
    assert "@import" not in text
    assert all(link.startswith("#") for link in re.findall(r"url\(['\"]?([^)]*)\)", text))
    # Names of XML vocabularies are no addresses that anything is fetched from.
    rest = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "http" not in rest
    assert page.tags["table"] == page.tags["caption"]


def test_every_figure_says_what_it_is(record: Record) -> None:
    text = html_of(record)
    figures = drawn(text)
    assert len(figures) >= 3
    name = "{http://www.w3.org/2000/svg}"
    for figure in figures:
        assert figure.get("role") == "img"
        assert figure.get("aria-label") == figure.findtext(f"{name}title")
        assert len(figure.findtext(f"{name}desc") or "") > 40
        assert figure.get("width") is None
    assert len({figure.get("aria-label") for figure in figures}) == len(figures)
    assert text.count("<figcaption>") == len(figures)


def test_the_figures_are_those_of_the_record(record: Record) -> None:
    page = page_of(record)
    for figure in record.evaluation.figures:
        name = figure.kind[0].upper() + figure.kind[1:]
        _, value, interval, note = page.row(name)
        assert value == f"{100 * figure.value:.2f} %"
        assert interval == f"{100 * figure.low:.2f} to {100 * figure.high:.2f}"
        assert note == figure.note
    first = record.evaluation.figures[0]
    sentence = page.text[: page.text.index("Figures")]
    assert first.words() in sentence
    assert record.evaluation.setting.protocol.words() in sentence
    assert "seed" in sentence


def test_another_run_stands_beside_it(closed: Record) -> None:
    ours, recipe = closed.evaluation, Recipe.of(components=3, distance="cosine")
    other = record_of(similar(8), KFold(4, seed=3), recipe)
    found = difference(ours, other.evaluation)
    assert found.limits is not None
    page = page_of(closed, other)
    assert found.sentence in page.text
    for name in ("rank-1", "EER"):
        first, second = ours.figure(name), other.evaluation.figure(name)
        assert first is not None
        assert second is not None
        (row,) = (row for row in page.cells if row[0] == capital(name) and len(row) == 6)
        assert row[1] == f"{100 * first.value:.2f} %"
        assert row[2] == f"{100 * first.low:.2f} to {100 * first.high:.2f}"
        assert row[3] == f"{100 * second.value:.2f} %"
        points = float(row[5].replace("−", "-"))
        assert points == pytest.approx(100 * (first.value - second.value), abs=0.006)
    assert ["Distance", "L2", "cosine"] in page.cells
    assert not any(row[0] == "Protocol" and len(row) == 3 for row in page.cells)
    assert "Compared with another run" not in page_of(closed).text


def test_the_seeds_of_protocol_and_resampling_are_both_said(closed: Record) -> None:
    sentence = page_of(closed).text.split("Figures")[0]
    assert "seed 3 of the protocol, 0 of resampling" in sentence


def test_names_are_shown_as_they_are(closed: Record) -> None:
    text = html_of(closed)
    page = Page(text)
    assert not page.tags["b"]
    for number, name in enumerate(AWKWARD, start=1):
        assert page.person(number)[1] == name
        assert str(escape(name)) in text


def test_people_add_up(closed: Record) -> None:
    page, evaluation = page_of(closed), closed.evaluation
    rows = [page.person(number + 1) for number in range(len(evaluation.people))]
    rank_1 = evaluation.figure("rank-1")
    assert rank_1 is not None
    asked, right = (sum(int(row[place]) for row in rows) for place in (3, 4))
    assert asked == len(evaluation.photos)
    assert right == round(rank_1.value * asked)
    for row in rows:
        taken_for = row[6]
        assert (taken_for == "–") == (row[3] == row[4])
        assert taken_for != row[1]


def test_mistakes_are_listed_one_by_one(closed: Record) -> None:
    page, searches = page_of(closed), closed.evaluation.searches
    assert searches is not None
    wrong = searches.some(~searches.right)
    assert len(wrong) > 3
    heads = next(cells for cells in page.cells if cells[0] == "Probe")
    start = page.cells.index(heads) + 1
    listed = page.cells[start : start + len(wrong)]
    files = [photo.path.as_posix() for photo in closed.evaluation.photos]
    people = closed.evaluation.people
    order = np.argsort(wrong.probes)
    for row, place in zip(listed, order.tolist(), strict=True):
        assert row[0] == files[wrong.probes[place]]
        assert row[1] == people[wrong.people[place]]
        assert row[2] == people[wrong.answers[place]]
        assert row[3] == files[wrong.taken[place]]
        assert float(row[4]) <= float(row[5])
        assert int(row[6]) == wrong.ranks[place] > 1


def test_folds_give_mean_and_standard_deviation(opened: Record) -> None:
    page, searches = page_of(opened), opened.evaluation.searches
    assert searches is not None
    shares = []
    for fold in range(3):
        of = searches.some((searches.fold == fold) & searches.mated)
        shares.append(100 * of.right.mean())
    assert page.row("mean ± s.d.")[3] == f"{np.mean(shares):.2f} ± {np.std(shares, ddof=1):.2f} %"
    assert "repetition" in page.text


def test_folds_are_listed_only_where_that_is_readable() -> None:
    many = record_of(similar(6), LeaveOneOut())
    assert "mean ± s.d." not in page_of(many).text


def test_pairs_have_no_searches_to_draw(in_pairs: Record) -> None:
    page = Page(html_of(in_pairs))
    assert "Whether two photos show one person" in page.text
    assert "Cumulative match" not in page.text
    assert "Verification (ROC)" in page.text
    assert page.row("Chance")[1] == "50.00 %"


def test_strangers_are_drawn_where_there_are_some(opened: Record, closed: Record) -> None:
    assert "Open set (DIR against FPIR)" in html_of(opened)
    assert "Open set (DIR against FPIR)" not in html_of(closed)


def test_a_tiny_gallery_has_a_report() -> None:
    tiny = record_of(similar(2, 2), LeaveOneOut(), Recipe.of(components=1))
    page = Page(html_of(tiny))
    assert "4 searches of 2 people" in page.text
    assert page.row("Rank-1")


def test_of_many_people_the_pairs_confused_are_drawn() -> None:
    many = html_of(record_of(similar(64, 2), NShot(1, 1)))
    assert "Most often confused" in many
    assert "Who was taken for whom" not in many
    Page(many)


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (OpenSet(2, repetitions=1), "had too few photos to be members, and were searched for as"),
        (LeaveOneOut(), "had too few photos to be searched for, and were only enrolled"),
        (KFold(2), "had too few photos to be searched for, and were only enrolled"),
        (NShot(2, 2), "had too few photos for this protocol, and took no part"),
        (FirstPhotos(2), "had too few photos for this protocol, and took no part"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_terminal_and_report_say_alike_who_was_left_out_and_that_is_so(
    protocol: Protocol, words: str
) -> None:
    few = similar(6).select([0, 4, 8, 9, 10, *range(11, 24)])
    record = record_of(few, protocol)
    result = record.evaluation
    assert result.left_out == AWKWARD[:2]
    sentence = left_out_words(result)
    assert sentence.startswith(f"2 people {words}")
    assert f"{sentence}:\n  {AWKWARD[0]}\n" in evaluation_text(record, "")
    assert f"{sentence}: {AWKWARD[0]}, " in page_of(record).text
    searched = {result.people[number] for number in result.searches.people}
    enrolled = np.isfinite(result.searches.distances).any(axis=0)
    assert ("searched for as" in words) == (AWKWARD[0] in searched)
    assert ("took no part" in words) == (not enrolled[0] and AWKWARD[0] not in searched)


def test_one_photo_each_but_one_leaves_people_out() -> None:
    faces = similar(5)
    fewer = faces.select([0, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    page = page_of(record_of(fewer, NShot(2, 2)))
    left_out = page.text.split("Left out")[1].split("Result of each")[0]
    assert "2 people had too few photos" in left_out
    assert AWKWARD[0] in left_out
    assert AWKWARD[2] not in left_out


def test_leaks_that_were_allowed_stand_above_the_figures(closed: Record) -> None:
    leak = Leak("near-duplicate", "“<i>.pgm” and “2.pgm” are nearly the same picture.")
    leaking = replace(closed, evaluation=replace(closed.evaluation, leaks=(leak,)))
    page = page_of(leaking)
    assert "leaks" in page.text.split("Figures")[0]
    assert leak.sentence in page.text.split("Figures")[0]
    assert not page.tags["i"]


def test_photos_that_could_not_be_used_are_listed(closed: Record) -> None:
    unused = (Skipped(Path("p1/<dark>.png"), "No face was found in it."),)
    with_it = replace(closed, evaluation=replace(closed.evaluation, unused=unused))
    page = page_of(with_it)
    assert "p1/<dark>.png" in page.text
    assert "No face was found in it." in page.text
    assert from_json(to_json(with_it)).evaluation.unused == unused


def test_every_protocol_is_explained() -> None:
    assert method.PROTOCOLS.keys() == PROTOCOLS.keys()


def with_control(record: Record, name: str, value: float, low: float, high: float) -> Record:
    others = [each for each in record.evaluation.controls if each.kind != name]
    control = Control(name, value, low, high, "a note")
    return replace(record, evaluation=replace(record.evaluation, controls=(*others, control)))


def test_a_warning_stands_in_a_box_and_not_in_the_table(closed: Record) -> None:
    page = page_of(with_control(closed, "face covered", 0.9, 0.8, 0.95))
    box, table = page.text.split("What to hold beside it")[1].split("Controls in the same folds")
    assert "Far above guessing" in box
    assert "See the warning above." in table
    assert "Far above guessing" not in table


def test_the_same_record_gives_the_same_page(record: Record) -> None:
    assert html_of(record) == to_html(from_json(to_json(record)))


def test_folders_of_this_machine_are_not_on_the_page(tmp_path: Path) -> None:
    faces = similar(4)
    photos = tuple(
        replace(photo, path=tmp_path / "mine" / f"p{row // 4}" / f"{row}.png")
        for row, photo in enumerate(faces.index.photos)
    )
    moved = FaceSet(faces.pixels, faces.shape, PhotoIndex(photos))
    place = str(tmp_path / "mine")
    text = html_of(record_of(moved, KFold(2), source=Source("folder", place)))
    assert str(tmp_path) not in text
    assert "the photos in “mine”" in text
    assert "p0/<wbr>0.png" in text


def test_every_photo_is_listed_with_its_sum(closed: Record) -> None:
    import hashlib

    page = page_of(closed)
    photos = closed.evaluation.photos
    for photo in photos:
        assert [photo.path.as_posix(), photo.person, photo.key] in page.cells
    listed = "".join(f"{photo.key}  {photo.path.as_posix()}\n" for photo in photos)
    assert hashlib.sha256(listed.encode()).hexdigest() in page.text
