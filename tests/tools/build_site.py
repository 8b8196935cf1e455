"""Build the site: the manual, the lessons with sliders, and the API.

::

    uv run --group site python tests/tools/build_site.py DIR
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lesson_pages import write_pages
from typer.testing import CliRunner

import eigenfaces
from eigenfaces.cli import app
from eigenfaces.lessons.catalogue import LESSONS
from eigenfaces.manual.sections import FILES, read

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"

GROUPS = {
    "Photographs and faces": "find_photos load_face load_faces load_sample Preparation FaceSet",
    "Face space": "FaceSpace DISTANCES ImageSet read_pictures",
    "Who is it?": (
        "Gallery Recipe Verdict identify identify_all explain Explanation same_person SamePerson "
        "find_duplicates Duplicate Project"
    ),
    "Evaluation": (
        "evaluate EvaluationSetting Evaluation Metric KFold LeaveOneOut NShot FirstPhotos OpenSet "
        "compare_recipes RecipesCompared write_report EvaluationRecord EvaluationSource"
    ),
    "scikit-learn": "Eigenfaces EigenfaceClassifier",
}
"""Public names by their heading on the page about the API. All other names come last."""


def run(*words: str) -> str:
    """Return the output of a command of the program."""
    result = CliRunner().invoke(app, [*words])
    if result.exit_code:
        raise SystemExit(f"“eigenfaces {' '.join(words)}”: {result.output}")
    return result.output


def plain(text: str) -> str:
    """Return text of a lesson as Markdown, without the values that its picture fills in."""
    return re.sub(r" ?\{[^}]*\}", "", text)


def write_lessons(folder: Path) -> list[dict[str, str]]:
    """Write a page, a figure and a program for each lesson, and return the entries for the menu."""
    folder.mkdir()
    write_pages(folder / "try")
    menu = []
    for number, lesson in enumerate(LESSONS, 1):
        run("lesson", lesson.name, "-o", str(folder / f"{lesson.name}.svg"))
        parts = (
            f"# {lesson.title}",
            lesson.line,
            f"**[Move the slider](try/{lesson.name}.html)**",
            f"![{lesson.title}]({lesson.name}.svg)",
            *(plain(words) for words in lesson.see),
            f"> {lesson.formula}",
            plain(lesson.why),
            "## In NumPy",
            f"```python\n{run('lesson', lesson.name, '--code')}```",
        )
        (folder / f"{lesson.name}.md").write_text("\n\n".join(parts), "utf-8")
        menu.append({f"{number} {lesson.title}": f"lessons/{lesson.name}.md"})
    return menu


def api() -> str:
    """Return the page about the public names."""
    groups = {heading: names.split() for heading, names in GROUPS.items()}
    listed = {name for names in groups.values() for name in names}
    groups["More"] = [name for name in eigenfaces.__all__ if name not in listed]
    parts = ["# All public names"]
    for heading, names in groups.items():
        parts += [f"## {heading}", *(f"::: eigenfaces.{name}" for name in names)]
    return "\n\n".join(parts)


def build(target: Path) -> int:
    """Build the site into a folder and return the exit code. Every warning is an error."""
    import yaml  # in the group “site” only

    with tempfile.TemporaryDirectory() as made:
        docs = Path(made) / "docs"
        shutil.copytree(ASSETS / "manual", docs)
        for name in FILES:
            (docs / f"{name}.md").write_text(read(name), "utf-8")
        shutil.copytree(ASSETS / "screenshots", docs / "screenshots")
        index = (ROOT / "README.md").read_text("utf-8")
        index = index.replace("assets/manual/", "").replace("assets/screenshots", "screenshots")
        index = re.sub(r"\[([^\]]*)\]\((?:LICENSE|CONTRIBUTING\.md|assets/[^)]*)\)", r"\1", index)
        (docs / "index.md").write_text(index, "utf-8")
        (docs / "api.md").write_text(api(), "utf-8")
        titles = {name: read(name).partition("\n")[0].removeprefix("# ") for name in FILES}
        menu: list[dict[str, object]] = [{"Eigenfaces": "index.md"}]
        menu += [{title: f"{name}.md"} for name, title in titles.items()]
        menu += [{"Every lesson": write_lessons(docs / "lessons")}, {"All public names": "api.md"}]
        shown = {"show_root_heading": True, "show_root_full_path": False, "show_source": False}
        options = {"docstring_style": "numpy", "heading_level": 3, **shown}
        handler = {"paths": [str(ROOT)], "options": options}
        settings = {
            "site_name": "Eigenfaces",
            "theme": {"font": False},
            "nav": menu,
            "plugins": ["search", {"mkdocstrings": {"handlers": {"python": handler}}}],
            "markdown_extensions": ["attr_list", "tables", "fenced_code", "sane_lists"],
            "validation": {"links": {"anchors": "warn"}},
        }
        file = Path(made) / "mkdocs.yml"
        file.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), "utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", file]
        code = subprocess.run(command, check=False, cwd=made).returncode
        if code == 0:
            shutil.copytree(Path(made) / "site", target, dirs_exist_ok=True)
        return code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the site into a folder.")
    parser.add_argument("folder", type=Path)
    sys.exit(build(parser.parse_args().folder))
