"""Threads: what is imported before they begin."""

import ast
import subprocess
import sys
from pathlib import Path

import eigenfaces
from eigenfaces.threads import IMPORTED_LATER

_PARALLEL = ("faces", "importing", "recognition", "space", "evaluation", "photographs", "project")

_JOB = """
import sys
from gui.state.jobs import Job, JobKind

later = {*sys.argv[1:]}
assert not later & {*sys.modules}
Job(JobKind.CHECK_PHOTOS, "", lambda tick: print(later <= {*sys.modules}), print, print).run(print)
"""


def imported_in_functions(path: Path) -> set[str]:
    """Return the modules of SciPy and scikit-image that functions of a file import."""
    functions = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
    ]
    inside = [node for function in functions for node in ast.walk(function)]
    modules = {node.module for node in inside if isinstance(node, ast.ImportFrom)}
    return {name for name in modules if name and name.startswith(("scipy", "skimage"))}


def test_what_several_threads_may_import_is_imported_before():
    package = Path(eigenfaces.__file__).parent
    files = [path for folder in _PARALLEL for path in (package / folder).glob("*.py")]
    later = set[str]().union(*map(imported_in_functions, files))
    assert later == {*IMPORTED_LATER}


def test_a_job_finds_it_imported():
    """Two imported each its own of SciPy's modules: now and then both failed, half imported."""
    command = [sys.executable, "-c", _JOB, *IMPORTED_LATER]
    assert subprocess.check_output(command, text=True, timeout=60) == "True\n"
