"""The manual: its headings, links, glossary, and the figures of the sample in it."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from eigenfaces import FaceSet, Gallery
from eigenfaces.manual.sections import FILES, glossary, read, sections
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.report.page import TERMS
from eigenfaces.sample import PREPARATION

FOLDER = Path(str(files("assets") / "manual"))


def headings(name: str) -> list[str]:
    return [section.key for section in sections() if read(name).startswith(f"# {section.part}\n")]


def test_every_file_has_its_place_and_one_title() -> None:
    assert {path.name for path in FOLDER.glob("*.*")} == {f"{name}.md" for name in FILES}
    for name in FILES:
        outside_code = re.sub(r"^```.*?^```", "", read(name), flags=re.MULTILINE | re.DOTALL)
        assert len(re.findall(r"^# ", outside_code, re.MULTILINE)) == 1
        assert read(name).startswith("# ")
        assert headings(name)


def test_nothing_between_the_headings_is_lost_and_each_has_its_key() -> None:
    keys = [section.key for section in sections()]
    assert len(keys) == len(set(keys))
    for name in FILES:
        title, _, below = read(name).partition("\n")
        theirs = [section for section in sections() if f"# {section.part}" == title]
        words = " ".join(f"{section.title} {section.text}" for section in theirs)
        assert sorted(words.split()) == sorted(below.replace("\n## ", "\n").split())


@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(name: str) -> None:
    """To a heading of the manual: Help opens nothing outside of it. Pictures lie beside it."""
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)]*)\)", read(name))
    for link in links:
        file, _, key = link.partition("#")
        assert key in headings(file.removesuffix(".md")), link


def test_every_picture_is_there_and_has_its_words() -> None:
    found = [re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", read(name)) for name in FILES]
    shown = {path: words for each in found for words, path in each}
    pictures = (path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("pictures/*"))
    assert set(shown) == set(pictures)
    assert all(len(words) > 20 for words in shown.values())


def test_a_word_is_explained_once() -> None:
    words = [word for term in glossary() for word in term.split(", ")]
    assert len(words) == len(set(words))
    assert len(glossary()) == len(re.findall(r"^\| (?!word \|)", read("glossary"), re.MULTILINE))
    assert glossary()["distance in face space"].startswith("between the coordinates")
    assert not any(re.search(r"[*`|]", f"{term}{said}") for term, said in glossary().items())


def test_the_figures_of_the_sample_are_its_own(att: FaceSet) -> None:
    gallery = Gallery(att, PREPARATION, Recipe()).train()
    assert gallery.training is not None
    space, k = gallery.training.space, gallery.shown_k
    (height, width), n = space.shape, space.count
    d = height * width
    figures = (n, width, height, d, len(space), k, n**2, d**2)
    said = [f"{each:,}".replace(",", "\u00a0") for each in figures]
    told = read("mathematics")
    assert all(re.search(rf"\b{figure}\b", told) for figure in said)
    assert f"{100 * space.variance_ratio[:k].sum():.1f}\u00a0%" in told


def test_every_word_of_an_evaluation_is_explained() -> None:
    words = (
        "mated, non-mated comparison, FMR, FNMR, FAR, TAR, EER, HTER, ROC, DET, CMC, rank-1, leak, "
        "FPIR, FNIR, DIR, closed set, open set, protocol, fold, leave-one-out, near-duplicate, "
        "95 % interval, paired permutation test, balanced accuracy, chance, face-covered control"
    )
    assert set(words.split(", ")) <= {word for term in glossary() for word in term.split(", ")}
    explained = {word for term in TERMS for word in term.split(", ")}
    figures = {"rank-1", "rank-5", "balanced accuracy", "EER", "TAR", "FAR", "HTER", "DIR"}
    assert figures | {"FMR", "FNMR", "CMC", "ROC", "DET", "95 % interval"} <= explained
