"""Lessons as Jupyter notebooks, with the text, the program as a function, and the steps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from textwrap import indent
from typing import Any

from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons.lesson import Lesson, Settings
from eigenfaces.lessons.subjects import SUBJECTS, Subject

_LIBRARIES = ("sklearn", "skimage", "scipy", "eigenfaces")
_INSTALLED_AS = {"sklearn": "scikit-learn", "skimage": "scikit-image"}

_POINTS = """\
mean = x.mean(axis=0)
variances, directions = np.linalg.eigh(np.cov(x.T, bias=True))
plt.plot(x[:, 0], x[:, 1], ".")
for variance, direction in zip(variances[::-1], directions.T[::-1]):
    end = mean + 2 * np.sqrt(max(variance, 0)) * direction  # two standard deviations long
    plt.annotate("", end[:2], mean[:2], arrowprops={{"arrowstyle": "->"}})
plt.xlabel({across!r})
plt.ylabel({up!r})
plt.axis("equal")
plt.show()"""

_PICTURES = """\
mean = x.mean(axis=0)
components = np.linalg.svd(x - mean, full_matrices=False)[2][:7]
figure, axes = plt.subplots(1, 8, figsize=(12, 2))
for number, (axis, picture) in enumerate(zip(axes, [mean, *components])):
    axis.imshow(picture.reshape{shape}, cmap="gray")
    axis.set_title(f"component {{number}}" if number else "mean", fontsize=9)
    axis.axis("off")
plt.show()"""


def notebook(lesson: Lesson[Any]) -> str:
    """Return a lesson on its first subject as a Jupyter notebook (nbformat 4.5, JSON).

    The notebook needs NumPy, matplotlib and the packages named in its first cell. The program is a
    function of the settings that it reads. A step that changes one of these settings becomes a call
    to the function. Any other step remains a sentence about the picture or other data.
    """
    subject = SUBJECTS[lesson.subjects[0]].make(0)
    words = lesson.show(subject).words
    cells = [_text(_opening(lesson, words)), _code(_first_cell(lesson))]
    cells += [_code(subject.code), _code(_figure(subject))]
    see = "\n".join(f"- {text.format_map(words)}" for text in lesson.see)
    proof = f"**{lesson.formula.format_map(words)}**\n\n{lesson.why.format_map(words)}"
    cells += [_text(f"## What it shows\n\n{see}\n\n{proof}")]
    cells += [_code(_function(lesson, subject)), _code("lesson()")]
    for number, step in enumerate(lesson.steps, start=1):
        heading = "## What to try\n\n" if number == 1 else ""
        cells.append(_text(f"{heading}{number}. {step.words.format_map(words)}"))
        if (call := _call(lesson, step.settings)) and not step.subject:
            cells.append(_code(call))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": [{"id": f"cell-{at}", **cell} for at, cell in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _opening(lesson: Lesson[Any], words: Mapping[str, str]) -> str:
    """Return the title and the question, with the answer hidden until the reader opens it."""
    text = f"# {lesson.title}\n\n{lesson.line}."
    if (question := lesson.question) is not None:
        answers = "\n".join(f"- {answer.format_map(words)}" for answer in question.answers)
        right = question.answers[question.right].format_map(words)
        fold = f"<details><summary>The answer</summary>{right}</details>"
        text += f"\n\n**{question.words.format_map(words)}**\n\n{answers}\n\n{fold}"
    return text


def _first_cell(lesson: Lesson[Any]) -> str:
    """Return the imports, below a comment that lists the packages to install."""
    program = SUBJECTS[lesson.subjects[0]].code + lesson.listing
    used = [name for name in _LIBRARIES if re.search(rf"^(from|import) {name}\b", program, re.M)]
    needed = ["numpy", "matplotlib", *(_INSTALLED_AS.get(name, name) for name in used)]
    imports = "import matplotlib.pyplot as plt\nimport numpy as np"
    return f"# needs: pip install {' '.join(needed)}\n{imports}"


def _figure(subject: Subject) -> str:
    """Return code that draws the subject of the lesson: points with axes, or pictures."""
    if isinstance(subject, ImageSet):
        return _PICTURES.format(shape=tuple(map(int, subject.shape)))
    across, up = subject.columns[:2]
    return _POINTS.format(across=across, up=up)


def _function(lesson: Lesson[Any], subject: Subject) -> str:
    """Return the program as a function whose parameters are the data and the settings."""
    given = ["x"] if subject.labels is None else ["x", "labels"]
    usual = [f"{name}={name}" for name in given]
    settings = lesson.read_by_program(lesson.default_settings)
    usual += [f"{name}={value!r}" for name, value in settings.items()]
    return f"def lesson({', '.join(usual)}):\n{indent(lesson.listing.rstrip(), '    ')}"


def _call(lesson: Lesson[Any], settings: Settings) -> str:
    """Return a call to the function with new settings, or "" if the program reads none of them."""
    changed = lesson.read_by_program(settings)
    values = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"lesson({values})" if changed else ""


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"execution_count": None, "outputs": []}
    return {"cell_type": "code", "metadata": {}, "source": source.rstrip(), **empty}
