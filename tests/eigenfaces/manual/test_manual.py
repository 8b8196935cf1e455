"""The manual: its headings, links, glossary, and the figures of the sample and of lessons in it.

Its commands and what they print are run in tests/test_readme.py.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from eigenfaces import FaceSet, Gallery
from eigenfaces.faces.lighting import LIGHTING
from eigenfaces.files import asset
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons.catalogue import LESSONS, lesson
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.manual.sections import FILES, glossary, read, sections
from eigenfaces.recognition.limits import general_limit
from eigenfaces.recognition.network import SamePerson
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.report.page import TERMS
from eigenfaces.sample import PREPARATION

FOLDER = asset("manual")
ROOT = Path(__file__).resolve().parents[3]


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
    links = (re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", read(name)) for name in FILES)
    shown = {path: words for words, path in chain.from_iterable(links)}
    pictures = (path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("pictures/*"))
    assert set(shown) == set(pictures)
    assert all(len(words) > 20 for words in shown.values())


def test_a_word_is_explained_once() -> None:
    words = [word for term in glossary() for word in term.split(", ")]
    assert len(words) == len(set(words))
    assert len(glossary()) == len(re.findall(r"^- ", read("glossary"), re.MULTILINE))
    assert glossary()["distance in face space"].startswith("between the coordinates")
    assert not any(re.search(r"[*`|]", f"{term}{meaning}") for term, meaning in glossary().items())


def literals(path: Path) -> Iterator[str]:
    """Yield the texts in a file; of the command line also what its docstrings tell as help."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    told = path.parent.name == "cli"
    unread = {node.value for node in nodes if isinstance(node, ast.Expr) and not told}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in unread:
            yield node.value


@cache
def said() -> tuple[str, ...]:
    """Return all texts of the window, the reports and the command line."""
    files = [path for name in ("gui", "eigenfaces") for path in (ROOT / name).rglob("*.py")]
    files = [path for path in files if path.parent.name not in ("manual", "project")]  # and its SQL
    pages = (ROOT / "eigenfaces" / "report").rglob("*.html")
    return (
        *(text for path in files for text in literals(path)),
        *(path.read_text("utf-8") for path in pages),
    )


def test_the_glossary_has_no_word_that_the_program_does_not_say() -> None:
    text = " ".join(" ".join(said()).split()).casefold()
    words = [word for term in glossary() for word in term.split(", ")]
    assert [word for word in words if word.casefold() not in text] == []


NO_TERMS = {
    *(
        "CIFAR",
        "CSV",
        "HEIC",
        "IDX",
        "JPEG",
        "JSON",
        "MNIST",
        "PDF",
        "PNG",
        "SVG",
        "TIFF",
        "XMP",
    ),  # files
    *("FACE", "FILE", "LEARN", "NAME", "PHOTO", "SPACE", "VALUE"),  # what stands for a word in help
    *("AND", "DOCTYPE", "IEC", "ISO", "NASA", "QWC", "SHA", "TSNE", "USV", "UTF"),
}


def test_every_abbreviation_that_the_program_says_is_in_the_glossary() -> None:
    sentences = [text for text in said() if " " in text]
    found = {
        word for text in sentences for word in re.findall(r"(?<![\w“])[A-Z]{3,5}\b(?![=…])", text)
    }
    explained = set(re.findall(r"[A-Z]{3,5}", " ".join((*glossary(), *glossary().values()))))
    assert len(found & explained) > 12
    assert found - explained - NO_TERMS == set()


def test_the_manual_says_photograph() -> None:
    """But where it quotes the window, the command line or their files."""
    for name in FILES:
        text = (FOLDER / f"{name}.md").read_text("utf-8")
        for told in LIGHTING.choices.values():
            text = text.replace(told, "")
        quoted = r"^```.*?^```|\*\*.+?\*\*|\*.+?\*|`.+?`|“.+?”"
        prose = re.sub(quoted, "", text, flags=re.MULTILINE | re.DOTALL)
        assert re.findall(r".{20}\bphotos?\b.{9}", prose, re.IGNORECASE) == [], name


def test_the_manual_is_short() -> None:
    """What has a letter or a digit is a word; a bar between the cells of a table is none."""
    texts = [(FOLDER / f"{name}.md").read_text("utf-8") for name in FILES]
    words = [sum(any(map(str.isalnum, word)) for word in text.split()) for text in texts]
    assert max(words) <= 2_000
    assert sum(words) <= 13_500


def test_every_chapter_has_three_pictures_and_all_are_small() -> None:
    for name in FILES:
        assert len(re.findall(r"!\[", read(name))) >= 3, name
    sizes = [path.stat().st_size for path in FOLDER.glob("pictures/*")]
    assert max(sizes) <= 60_000
    assert sum(sizes) <= 650_000


def test_the_figures_of_the_sample_are_its_own(att: FaceSet) -> None:
    gallery = Gallery(att, PREPARATION, Recipe()).train()
    assert gallery.training is not None
    space, k = gallery.training.space, gallery.face_space_k
    (height, width), n = space.shape, space.count
    d = height * width
    text = read("mathematics")
    for figure in (n, width, height, d, len(space), k, n**2, d**2):
        assert re.search(rf"\b{figure:,}\b".replace(",", "\u00a0"), text)
    assert f"{100 * space.variance_ratio[:k].sum():.1f}\u00a0%" in text


def test_the_figures_of_the_law_are_its_own() -> None:
    people, five, one = (
        re.findall(r"[\d.]+", row)
        for row in re.findall(
            r"^\| (?:people|five photographs|one photograph) \|(.*)",
            read("mathematics"),
            re.MULTILINE,
        )
    )
    for photos, limits in ((5, five), (1, one)):
        law = [f"{general_limit(0.01, [photos] * int(many)):.3f}" for many in people]
        assert limits == law
    stated = dict(zip(people, five, strict=True))
    text = " ".join(read("the_verdict").split())
    words = f"it is {stated['5']} with five people, {stated['20']} with 20, {stated['50']} with 50"
    assert words in text
    assert f"up to a plain distance of {SamePerson(0).limit:.3f}, the law" in text


def test_every_word_of_an_evaluation_is_explained() -> None:
    words = (
        "mated, non-mated comparison, FMR, FNMR, FAR, TAR, EER, HTER, ROC, DET, CMC, rank-1, leak, "
        "FPIR, FNIR, DIR, closed set, open set, protocol, fold, leave-one-out, near-duplicate, "
        "95 % interval, paired permutation test, balanced accuracy, chance, face covered"
    )
    assert set(words.split(", ")) <= {word for term in glossary() for word in term.split(", ")}
    explained = {word for term in TERMS for word in term.split(", ")}
    figures = {"rank-1", "rank-5", "balanced accuracy", "EER", "TAR", "FAR", "HTER", "DIR"}
    assert figures | {"FMR", "FNMR", "CMC", "ROC", "DET", "95 % interval"} <= explained


def test_the_figures_of_the_lesson_of_twenty_minutes_are_its_own(att: FaceSet) -> None:
    """What two components cannot see by a neighbour search of scikit-learn."""
    (section,) = (part for part in sections() if part.key == "a-lesson-of-twenty-minutes")
    cloud, digits = SUBJECTS["cloud"].make(0), cast(ImageSet, SUBJECTS["digits"].make(0))
    gallery, rotation = ImageSet.of_gallery(Gallery(att, PREPARATION, Recipe())), lesson("rotation")

    def share(subject: Any, **settings: object) -> float:
        numbers = lesson("rotation" if "k" in settings else "variance").show(subject, **settings)
        kept, error = (float(numbers.numbers[name]) for name in ("kept", "error"))
        return 100 * kept / (kept + error)

    best, least = (lesson("variance").show(cloud, angle=a).numbers for a in (39, 129))
    np.testing.assert_allclose([least["kept"], least["error"]], [best["error"], best["kept"]])
    enough = rotation.after_button(
        "Keep 90 %", rotation.prepared(digits, rotation.default_settings), rotation.default_settings
    )
    x, faces = digits.values, gallery.values
    black, rank = (x.max(axis=0) == 0).sum(), np.linalg.matrix_rank(x - x.mean(axis=0))
    assert (black, share(gallery, k=110) < 90 <= share(gallery, k=111)) == (3, True)
    white = lesson("whitening").show(digits, epsilon=0).numbers
    np.testing.assert_allclose(white["whitened"], 1)
    alike = []
    for points in (PCA(2).fit_transform(x), x):
        nearest = NearestNeighbors(n_neighbors=2).fit(points).kneighbors(points)[1][:, 1]
        alike.append(100 * np.equal(*np.array(digits.labels)[[nearest, range(len(x))]]).mean())
    sentences = (
        f"where the lesson begins: {best['kept']:.3f} of {best['total']:.3f}, "
        f"which is {share(cloud):.0f} %",
        f"At 12° it is {share(cloud, angle=12):.0f} %",
        f"at 129°: {least['kept']:.3f} is kept and {least['error']:.3f} is lost",
        f"Ten keep {share(digits, k=10):.0f} % of the variance",
        f"**Keep 90 %** takes {enough['k']:.0f}",
        "three pixels are black in every digit",
        f"There are {rank} components",
        f"Ten keep {share(gallery, k=10):.0f} % of the variance",
        f"one number for {faces.shape[1] / 111:.0f} pixels",
        f"It keeps {share(gallery, k=1):.1f} % alone",
        f"Why are there {len(faces) - 1} components, not {faces.shape[1]:,}?",
        f"the first variance, {white['lam'].max():.2f}",
        f"the last, {white['lam'].min():.7f}",
        f"each of the {len(white['lam'])} counts alike",
        f"for {alike[0]:.0f} % of them",
        f"64 pixels for {alike[1]:.0f} %",
    )
    text = " ".join(section.text.split())
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_each_lesson_is_listed_in_its_group() -> None:
    (section,) = (part for part in sections() if part.key == "the-lessons")
    groups = dict(re.findall(r"^\*\*(.+?)\*\*\n\n((?:- .+\n)+)", section.text, re.MULTILINE))
    for member in LESSONS:
        assert f"- *{member.title}*: " in groups[member.group]
