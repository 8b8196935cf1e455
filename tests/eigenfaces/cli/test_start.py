"""The start: a command is imported when it is called, and with it nothing that it does not need."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest
import typer
from typer.models import ParameterInfo

from cli.command_line import printed
from eigenfaces import cli

HEAVY = {"numpy", "scipy", "skimage", "sklearn", "PIL", "matplotlib", "msgspec", "dlib", "joblib"}
IMPORTED = """
import sys
from eigenfaces.__main__ import main
try:
    main()
except SystemExit as ended:
    assert not ended.code
print(*sys.modules, file=sys.stderr)
"""


def imported_by(*words: object) -> set[str]:
    """Run a command in a process of its own; return every module that is imported by its end."""
    command = [sys.executable, "-c", IMPORTED, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    return {*done.stderr.split()}


def test_one_photograph_is_recognised_without_what_only_others_need(
    project: Path, stranger: Path
) -> None:
    unneeded = {"scipy.cluster", "skimage.transform", "sklearn", "matplotlib", "eigenfaces.lessons"}
    assert not imported_by("recognise", project, stranger) & unneeded


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        ("--version", {"dlib"}),  # which alone knows its own version
        ("recognise --help", {"numpy", "PIL", "msgspec"}),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(words: str, needed: set[str]) -> None:
    imported = imported_by(*words.split())
    assert "eigenfaces.cli.running" in imported
    assert {name.partition(".")[0] for name in imported} & HEAVY <= needed
    assert not {name for name in imported if name.startswith(("eigenfaces.les", "eigenfaces.rep"))}


def is_command(function: object, module: str) -> bool:
    """Return whether a function of a module is made for the command line."""
    if not inspect.isfunction(function) or function.__module__ != module:
        return False
    parts = get_type_hints(function, include_extras=True).values()
    marks = [mark for part in parts for mark in getattr(part, "__metadata__", ())]
    return any(isinstance(mark, ParameterInfo) for mark in marks)


def test_every_command_is_in_the_table_and_nothing_else() -> None:
    folder = Path(str(cli.__file__)).parent
    modules = [f"{cli.__name__}.{path.stem}" for path in folder.glob("[a-z]*.py")]
    made = {
        (module.rpartition(".")[2], name)
        for module in modules
        for name, value in vars(import_module(module)).items()
        if not name.startswith("_") and is_command(value, module)
    }
    listed = [
        (module, name)
        for modules in cli.COMMANDS.values()
        for module, names in modules.items()
        for name in names.split()
    ]
    assert len(listed) == len({*listed})
    assert {*listed} == made


def test_help_shows_every_command_with_its_first_sentence() -> None:
    text = " ".join(printed("--help").replace("│", " ").split())
    program = typer.main.get_command(cli.app)
    for name, command in program.commands.items():  # type: ignore[attr-defined]
        assert command.name == name
        assert f"{name} {' '.join((command.help or '').split()[:3])}" in text
