"""The manual: its headings, links, glossary, and the figures of the sample and of lessons in it.

Its commands and what they print are run in tests/test_readme.py.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from eigenfaces import FaceSet, Gallery
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.manual.sections import FILES, glossary, read, sections
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.report.page import TERMS
from eigenfaces.sample import PREPARATION, load_sample

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


@pytest.fixture(scope="module")
def told() -> str:
    (section,) = (each for each in sections() if each.key == "a-lesson-of-twenty-minutes")
    return " ".join(section.text.split())


@cache
def subject(key: str) -> Any:
    if key == "gallery":
        return ImageSet.of_gallery(Gallery(load_sample(), PREPARATION, Recipe()))
    return SUBJECTS[key].make(0)


@cache
def ready(name: str, key: str) -> Any:
    return lesson(name).prepare(subject(key), lambda done, total: None)


def numbers(name: str, key: str, **settings: object) -> dict[str, Any]:
    chosen = lesson(name)
    picture = chosen.picture(ready(name, key), **{**chosen.settings, **settings})
    return dict(picture.numbers)


def share(name: str, key: str, **settings: object) -> float:
    found = numbers(name, key, **settings)
    return float(100 * found["kept"] / (found["kept"] + found["error"]))


def test_one_direction(told: str) -> None:
    best = numbers("variance", "cloud", angle=39)
    kept, total = best["kept"], best["total"]
    assert f"At 39°: {kept:.2f} of {total:.2f}, which is {100 * kept / total:.0f} %" in told
    begun = share("variance", "cloud")
    assert f"At 12°, where the lesson begins, it is {begun:.0f} %" in told
    least = numbers("variance", "cloud", angle=129)
    assert f"at 129°: {least['kept']:.2f} are kept and {least['error']:.2f} lost" in told
    np.testing.assert_allclose([least["kept"], least["error"]], [best["error"], best["kept"]])


def test_digits(told: str) -> None:
    assert f"Ten keep {share('rotation', 'digits', k=10):.0f} % of the variance" in told
    of = lesson("rotation")
    enough = of.pressed("Keep 90 %", ready("rotation", "digits"), of.settings)
    assert f"**Keep 90 %** takes {enough['k']:.0f}" in told
    x = subject("digits").values
    black = int((x.max(axis=0) == 0).sum())
    assert black == 3
    assert "three pixels are black in every digit" in told
    assert f"There are {np.linalg.matrix_rank(x - x.mean(axis=0))} components" in told


def test_faces(told: str) -> None:
    assert f"Ten keep {share('rotation', 'gallery', k=10):.0f} % of the variance" in told
    assert share("rotation", "gallery", k=110) < 90 <= share("rotation", "gallery", k=111)
    x = subject("gallery").values
    assert f"one number for {x.shape[1] / 111:.0f} pixels" in told
    assert f"It keeps {share('rotation', 'gallery', k=1):.1f} % alone" in told
    assert f"Why are there {len(x) - 1} components, not {x.shape[1]:,}?" in told


def test_all_directions_alike(told: str) -> None:
    found = numbers("whitening", "digits", epsilon=0)
    variances = found["lam"]
    assert f"the first variance, {variances.max():.2f}" in told
    assert f"the last, {variances.min():.7f}" in told
    np.testing.assert_allclose(found["whitened"], 1)
    assert f"each of the {len(variances)} counts alike" in told


def test_every_lesson_is_in_the_table_in_its_group() -> None:
    (section,) = (each for each in sections() if each.key == "the-lessons")
    rows = re.findall(r"^\| (.+?) \|", section.text, re.MULTILINE)
    for each in LESSONS:
        assert rows.index(f"**{each.group}**") < rows.index(each.title)


SAID = {
    "digits": "digits",
    "patches": "patches",
    "gallery": "your gallery",
    "opened": "any pictures",
}
"""What a subject is called in the table; points of a lesson's own have no word for all."""


def test_the_table_says_on_what_each_lesson_is_shown() -> None:
    (section,) = (each for each in sections() if each.key == "the-lessons")
    for each in LESSONS:
        (about,) = re.findall(rf"^\| {each.title} \| (.+) \|$", section.text, re.MULTILINE)
        on = about.rpartition(". On ")[2]
        for key, words in SAID.items():
            assert (words in on) == (key in each.subjects), (each.title, key)


def test_what_it_cannot_see(told: str) -> None:
    """By a neighbour search of scikit-learn; that of t-SNE is a figure of the lesson itself."""
    digits = subject("digits")
    labels, x = np.array(digits.labels), digits.values
    for points, said in ((PCA(2).fit_transform(x), "for {} of them"), (x, "64 pixels for {}")):
        nearest = NearestNeighbors(n_neighbors=2).fit(points).kneighbors(points)[1][:, 1]
        same = float((labels[nearest] == labels).mean())
        assert said.format(f"{100 * same:.0f} %") in told
