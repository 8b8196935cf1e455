"""Threads: what is imported before they begin."""

import ast
import subprocess
import sys
from pathlib import Path

import eigenfaces
from eigenfaces.threads import IMPORTED_LATER

_PARALLEL = ("faces", "importing", "recognition", "space", "evaluation", "photographs", "project")

_TWO_JOBS = """
import sys
from PySide6.QtCore import QCoreApplication
from gui.state.jobs import JobKind, Jobs

app, jobs, seen = QCoreApplication([]), Jobs(), []

def done(modules):
    seen.append({*sys.argv[1:]} <= modules)
    if len(seen) == 2:
        app.quit()

assert not {*sys.argv[1:]} & {*sys.modules}
for kind in (JobKind.LOOK_ALIKES, JobKind.CHECK_PHOTOS):
    jobs.start(kind, kind, lambda tick: {*sys.modules}, done, print)
app.exec()
print(seen)
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


def test_jobs_that_begin_together_find_it_imported():
    """Each imported its own of SciPy's modules: now and then both failed, half imported."""
    command = [sys.executable, "-c", _TWO_JOBS, *IMPORTED_LATER]
    assert subprocess.check_output(command, text=True, timeout=60).split() == ["[True,", "True]"]
