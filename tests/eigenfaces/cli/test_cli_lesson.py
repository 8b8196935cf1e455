"""``lesson``: its words, its picture and its program, and what is said of what cannot be shown."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cli.command_line import eigenfaces, failure, opened
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.catalogue import LESSONS, lesson
from eigenfaces.laboratory.lessons.lesson import filled, plain
from eigenfaces.laboratory.lessons.subjects import SUBJECTS
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.text import typed

ROOT = Path(__file__).resolve().parents[3]
CLOUD = SUBJECTS["cloud"]


def flat(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def refusal(*said: object) -> str:
    """Return what is said of a command that was not written correctly."""
    refused = eigenfaces(*said)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    return flat(refused.stderr)


def test_all_lessons_are_listed_by_group() -> None:
    said = eigenfaces("lesson").stdout
    for each in LESSONS:
        (line,) = (line for line in said.splitlines() if line.startswith(f"  {each.name} "))
        assert flat(line) == f"{each.name} {each.title} {each.line}"
        assert said.index(each.group) < said.index(line)


def test_the_words_of_a_lesson_and_its_numbers() -> None:
    said = flat(eigenfaces("lesson", "variance", "--set", "angle=39", "--seed", 3).stdout)
    chosen = lesson("variance")
    picture = chosen.show(CLOUD.make(3), chosen.settings.__class__(angle=39))
    for text in (chosen.title, *chosen.see, chosen.formula, chosen.why, *chosen.tries):
        assert flat(plain(filled(text, picture.words))) in said
    assert f"kept {picture.numbers['kept']:.4g} error {picture.numbers['error']:.4g}" in said
    assert "angle=39 the angle" in said
    assert "centred=yes the mean is subtracted from every point yes, no" in said


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_picture_is_that_of_the_settings(suffix: str, tmp_path: Path) -> None:
    first, second, other = (tmp_path / f"{name}.{suffix}" for name in "abc")
    for path, angle in ((first, 39), (second, "39.0"), (other, 40)):
        made = eigenfaces("lesson", "variance", "--set", f"angle={angle}", "-o", path)
        assert made.exit_code == 0
        assert made.stdout.startswith(f"{path}: Most variance, least error.\n")
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()


def test_a_picture_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    path.write_text("mine")
    assert "--overwrite" in failure("lesson", "variance", "-o", path)
    assert path.read_text() == "mine"
    assert eigenfaces("lesson", "variance", "-o", path, "--overwrite").exit_code == 0
    assert b"<svg" in path.read_bytes()
    assert ".svg, .png or .pdf" in failure("lesson", "variance", "-o", tmp_path / "figure.bmp")


def test_the_program_runs_by_itself_and_prints_the_numbers(tmp_path: Path) -> None:
    settings = ("--set", "angle=39", "--set", "centred=no", "--set", "offset=1.5")
    made = eigenfaces("lesson", "variance", *settings, "--seed", 4, "--code")
    program = tmp_path / "variance.py"
    program.write_text(made.stdout, "utf-8")
    run = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    chosen = lesson("variance")
    setting = chosen.settings.__class__(angle=39, centred=False, offset=1.5)
    numbers = chosen.show(CLOUD.make(4), setting).numbers
    assert f"{numbers['kept']:.3f} + {numbers['error']:.3f}" in run.stdout
    assert f"total variance {numbers['total']:.3f}" in run.stdout


def test_another_seed_makes_other_points() -> None:
    first, second = (eigenfaces("lesson", "variance", "--seed", n).stdout for n in (1, 2))
    kept = (re.findall(r"(?m)^kept +(\S+)$", said) for said in (first, second))
    assert next(kept) != next(kept)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("angle=200", "Direction θ is a number from 0 to 180°."),
        ("angle=nan", "Direction θ is a number from 0 to 180°."),
        ("angle=", "Direction θ is a number from 0 to 180°."),
        ("centred=perhaps", "“mean is zero” is yes or no."),
        ("angle", "“angle” is no setting: write its name, =, and its value, like angle=12."),
        ("angle=39°", "Direction θ is a number from 0 to 180°."),
        ("slope=2", "There is no setting “slope”. Choose one of: angle, offset"),
    ],
)
def test_what_cannot_be_set_is_a_sentence(said: str, sentence: str) -> None:
    assert sentence in refusal("lesson", "variance", "--set", said)


@pytest.mark.parametrize(
    "said", [("--code",), ("-o", "a.svg"), ("--set", "k=1"), ("--on", "digits"), ("--seed", 0)]
)
def test_options_without_a_lesson_are_refused(said: tuple[object, ...]) -> None:
    assert "State the NAME of a lesson" in refusal("lesson", *said)


def test_what_is_counted_is_a_whole_number_up_to_what_there_is() -> None:
    asked = ("lesson", "rotation", "--on", "space", "--set")
    assert "Components k is a whole number from 0 to" in refusal(*asked, "k=2.5")
    assert "Components k is a whole number from 0 to 3." in failure(*asked, "k=4")
    said = flat(eigenfaces(*asked, "k=3").stdout)
    assert "k=3 how many" in said
    assert "0 to 3 turned" in said


def test_a_group_is_typed_as_it_is_shown() -> None:
    """In small letters, as all that is typed."""
    asked = ("lesson", "who-is-in-the-data")
    said = flat(eigenfaces(*asked).stdout)
    assert "group=c which" in said
    assert "by its label a, b, c" in said
    small, capital, other = (
        eigenfaces(*asked, "--set", f"group={each}").stdout for each in ("c", "C", "a")
    )
    assert small == capital == eigenfaces(*asked).stdout != other
    assert "Choose one of: A, B, C." in failure(*asked, "--set", "group=d")


def test_settings_are_stated_as_this_subject_takes_them(people: Path) -> None:
    """Of its people the first, as there is no group C; and no more components than it has."""
    first = min(each.name for each in people.iterdir() if each.is_dir())
    said = flat(eigenfaces("lesson", "who-is-in-the-data", "--on", people).stdout)
    assert f"group={typed(first)} which" in said
    most = len(read_pictures(people.resolve()).space().components)
    assert f"k={most} how" in flat(
        eigenfaces("lesson", "rotation", "--on", people, "--set", f"k={most}").stdout
    )


def test_what_is_not_there_is_a_sentence() -> None:
    assert "There is no lesson “varianz”. Choose one of: variance" in refusal("lesson", "varianz")
    assert "There is no “moon” to show this on. Choose one of: cloud." in failure(
        "lesson", "variance", "--on", "moon"
    )
    assert "This lesson is not shown on “digits”. Choose one of: cloud." in failure(
        "lesson", "variance", "--on", "digits"
    )
    assert "Nothing is drawn in “Digits" in failure(
        "lesson", "rotation", "--on", "digits", "--seed", 1
    )


def test_a_gallery_is_shown_by_its_file(project: Path, tmp_path: Path) -> None:
    """And its program opens that file: it prints the share of the variance of the picture."""
    asked = ("lesson", "rotation", "--on", project, "--set", "k=3")
    code = eigenfaces(*asked, "--code").stdout
    (tmp_path / "elsewhere").mkdir()
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path / "elsewhere",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    chosen = lesson("rotation")
    subject = ImageSet.of_gallery(opened(project))
    numbers = chosen.show(subject, replace(chosen.settings, k=3)).numbers
    assert f"{numbers['kept']:.3f} kept" in run.stdout
    assert re.findall(r"(?m)^kept +(\S+)$", eigenfaces(*asked).stdout) == [f"{numbers['kept']:.4g}"]
    assert "not shown on" in failure("lesson", "variance", "--on", project)
    assert "--seed" in failure(*asked, "--seed", 1)


def test_pictures_are_shown_by_their_folder(people: Path) -> None:
    said = eigenfaces("lesson", "rotation", "--on", people).stdout
    chosen = lesson("rotation")
    numbers = chosen.show(read_pictures(people.resolve())).numbers
    assert re.findall(r"(?m)^kept +(\S+)$", said) == [f"{numbers['kept']:.4g}"]
