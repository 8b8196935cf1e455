"""Where answers go: any encoding, a closed or full output, a full disk, a name that is a link."""

import codecs
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command_line import CROPPED, eigenfaces, failure, opened, printed
from eigenfaces.cli import running
from eigenfaces.project.project import Project

NO_TEXT = os.fsdecode(b"caf\xe9.png")
"""The name of a file that is no valid text."""


def ran(
    *words: object, env: dict[str, str] | None = None, shell: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a person does; ``shell``: where its output goes."""
    command = [sys.executable, "-m", "eigenfaces", *map(str, words)]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    buffered = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(command, capture_output=True, env=buffered | (env or {}))
    assert b"Traceback" not in ended.stderr
    return ended


@pytest.fixture
def strange(people: Path, tmp_path: Path) -> Path:
    """A photograph whose name is no valid text, of somebody whose name few encodings have."""
    (people / "Person 1").rename(people / "李 Łukasz Zoë 😀")
    eigenfaces("build", people, "-o", tmp_path / "strange.eigenfaces", *CROPPED)
    try:
        (people / "李 Łukasz Zoë 😀" / "1.png").rename(people / NO_TEXT)
    except OSError:
        pytest.skip("this file system takes valid text only")
    return people / NO_TEXT


def test_a_reason_may_hold_a_name_that_is_no_text(strange: Path, tmp_path: Path) -> None:
    (strange.parent / "Person 2" / "again.png").write_bytes(strange.read_bytes())
    file = tmp_path / "p.eigenfaces"
    built = printed("build", strange.parent, "-o", file, *CROPPED, code=3)
    assert "It is the same file as “caf�.png”" in built
    with contextlib.closing(Project.open(file)) as project:
        (unused,) = project.unused
        assert r"as “caf\udce9.png”, which" in unused.reason


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_json_is_valid_in_every_encoding(strange: Path, tmp_path: Path, encoding: str) -> None:
    file, env = tmp_path / "strange.eigenfaces", {"PYTHONIOENCODING": encoding}
    recognised, summary = (
        json.loads(ran(*words, "--json", env=env).stdout.decode(encoding, "strict"))
        for words in (("recognise", file, strange), ("info", file))
    )
    (face,) = recognised["answers"]
    assert (face["closest"], face["photo"]) == ("李 Łukasz Zoë 😀", str(strange))
    assert face["ranking"][0]["nearest_photo"] == str(strange.parent / "李 Łukasz Zoë 😀/1.png")
    assert summary["people"][-1]["name"] == "李 Łukasz Zoë 😀"


def test_what_joins_letters_or_keeps_them_apart_is_printed() -> None:
    name = "نام\u200cخانوادگی 👩\u200d🔬 A\u00a0B\u202fC"
    assert running.printable(name) == name
    assert running.printable("a\u202eb\x1b") == "a�b�", "what turns or hides text is not"


@pytest.mark.parametrize("line", ["recognise FILE PHOTO", "recognise FILE PHOTO --csv", "--help"])
def test_an_output_that_is_closed_or_full(project: Path, stranger: Path, line: str) -> None:
    words = [{"FILE": project, "PHOTO": stranger}.get(word, word) for word in line.split()]
    closed = ran(*words, shell=">&-")
    assert (closed.returncode, closed.stderr) == (0, b"")
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    full = ran(*words, shell=">/dev/full")
    sentence = b"The output cannot be written: No space left on device.\n"
    assert (full.returncode, full.stderr) == (1, sentence)


def unread(*words: object, both: bool = False) -> tuple[int, bytes]:
    """Run a command whose output nobody reads; return its exit code, and its errors if read."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "eigenfaces", *map(str, words)]
    ended = subprocess.run(command, stdout=writer, stderr=writer if both else subprocess.PIPE)
    os.close(writer)
    return ended.returncode, ended.stderr or b""


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("words", ["--help", "build -h", "--version", "lesson", "lesson --code pi"])
def test_a_reader_that_wants_no_more_is_told_nothing(words: str, both: bool) -> None:
    """As in “eigenfaces --help | true”, like every other program."""
    code = 2 if "pi" in words.split() else 0  # there is no such lesson: that stays a failure
    assert unread(*words.split(), both=both)[0] == code
    if not code:
        assert unread(*words.split())[1] == b""


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_a_command_whose_reader_has_gone_does_all_it_was_asked_for(
    project: Path, people: Path, tmp_path: Path
) -> None:
    photo, gone = people / "Person 2" / "3.png", tmp_path / "gone.png"
    code, errors = unread("recognise", project, gone, photo, "--xmp")
    assert (code, b"1 sidecar file written." in errors) == (3, True)
    assert photo.with_name("3.png.xmp").exists()
    assert unread("recognise", project, gone, photo, "--json", both=True)[0] == 3


def test_a_log_has_no_progress_bars_whatever_is_said_of_colours(
    people: Path, tmp_path: Path
) -> None:
    colours = {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1", "TTY_INTERACTIVE": "1"}
    made = ran("build", people, "-o", tmp_path / "p.eigenfaces", *CROPPED, env=colours)
    assert (made.returncode, made.stderr) == (0, b"")


def test_what_is_made_is_made_though_all_streams_are_closed(people: Path, tmp_path: Path) -> None:
    """The first file that is opened must not become the output."""
    file = tmp_path / "made.eigenfaces"
    assert ran("build", people, "-o", file, *CROPPED, shell=">&- 2>&- <&-").returncode == 0
    assert len(opened(file).people) == 4


FULL = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, 1_500))
runpy.run_module("eigenfaces", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="its disks cannot be made full for a test")
def test_a_disk_that_is_full_in_the_middle(project: Path, tmp_path: Path) -> None:
    """No file grows beyond so many bytes: pictures or the table come to an end."""
    before, out = set(tmp_path.rglob("*")), tmp_path / "out"
    program = [sys.executable, "-c", FULL, "components", str(project), "-o", str(out)]
    ended = subprocess.run(program, capture_output=True)
    assert ended.stderr.decode().startswith(f"“{out}” cannot be written: ")
    assert (ended.returncode, ended.stdout, ended.stderr.count(b"\n")) == (1, b"", 1)
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (".eigenfaces", ("build", "{people}", *CROPPED)),
        (".png", ("reconstruct", "{project}", "{stranger}", "-k", 3)),
    ],
)
def test_what_a_link_leads_to_is_replaced(
    people: Path, project: Path, stranger: Path, kind: str, line: tuple[object, ...]
) -> None:
    link = people.with_name(f"link{kind}")
    target = people.parent / "real" / f"target{kind}"
    target.parent.mkdir()
    link.symlink_to(target)
    words = [str(w).format(people=people, project=project, stranger=stranger) for w in line]
    assert "already exists" in failure(*words, "-o", link)
    for _ in range(2):  # a link to nowhere, then to a file
        assert str(link) in printed(*words, "-o", link, "--overwrite")
        assert (link.is_symlink(), target.is_file(), target.is_symlink()) == (True, True, False)
    link.unlink()
    link.symlink_to(link)
    assert "link to itself" in failure(*words, "-o", link, "--overwrite")
    assert link.is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there")
def test_a_pipe_is_never_replaced(project: Path, tmp_path: Path) -> None:
    """Nor is a device, such as /dev/null, where a link leads there."""
    pipe, link = tmp_path / "pipe.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    sweep = ("sweep", project, "--grid", "k=2", "--protocol", "first-3")
    for command in (("build", tmp_path), sweep):
        for output in (pipe, link):
            assert "is a device or a pipe" in failure(*command, "-o", output, "--overwrite")
    assert pipe.is_fifo()


def test_tables_say_that_they_are_utf_8_and_what_is_printed_begins_with_its_heading(
    people: Path, project: Path, stranger: Path, tmp_path: Path
) -> None:
    """A spreadsheet opens a file, as the window writes it, too; a script reads an output."""
    unused, sweep, places = (tmp_path / f"{name}.csv" for name in ("unused", "sweep", "places"))
    cut, components, other = tmp_path / "cut", tmp_path / "components", tmp_path / "o.eigenfaces"
    printed("build", people, "-o", other, "--unused", unused, *CROPPED)
    printed("faces", people, "-o", cut, "--already-cropped")
    printed("sweep", project, "-o", sweep, "--grid", "k=2", "--protocol", "first-3")
    printed("map", project, "-o", places)
    printed("components", project, "-o", components)
    tables = [*tmp_path.rglob("*.csv")]
    assert len(tables) == 6
    for table in tables:
        assert table.read_bytes().startswith(codecs.BOM_UTF8), table.name
        assert "�" not in table.read_text("utf-8")
    assert printed("recognise", project, stranger, "--csv").startswith("photo,")


def test_no_name_becomes_a_formula(people: Path, stranger: Path, tmp_path: Path) -> None:
    (people / "Person 1").rename(people / "=HYPERLINK(1)")
    (people / "Person 2").rename(people / "@SUM(A1)")
    file, folder = tmp_path / "p.eigenfaces", tmp_path / "cut"
    eigenfaces("build", people, "-o", file, *CROPPED)
    answers = printed("recognise", file, stranger, people, "--csv", "--top", 4)
    eigenfaces("faces", people, "-o", folder, "--already-cropped")
    for text in (answers, (folder / "faces.csv").read_text("utf-8")):
        for cell, safe in ((",=", False), (",@", False), (",'=HYPERLINK(1)", True)):
            assert (cell in text) == safe


@pytest.mark.parametrize(
    ("words", "completed"),
    [("bu", b"build\n"), ("build --al", b"--already-cropped\n"), ("sweep --ov", b"--overwrite\n")],
)
def test_a_shell_completes_commands_and_options(words: str, completed: bytes) -> None:
    variable = "_EIGENFACES_COMPLETE"
    line = {"COMP_WORDS": f"eigenfaces {words}", "COMP_CWORD": str(len(words.split()))}
    assert ran(env=line | {variable: "complete_bash"}).stdout == completed
