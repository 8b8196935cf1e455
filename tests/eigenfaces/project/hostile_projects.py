"""Project files made to do harm, or damaged: a table of them.

Each is a sound project that SQL statements, or a function, have changed, whatever its tables state
about themselves; afterwards they state it again, as whoever makes such a file would see to it.
"""

import contextlib
import json
import math
import sqlite3
import struct
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project, Recipe, identify
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.network import DESCRIPTIONS
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.photos import Eyes, Placement, Skipped
from eigenfaces.project.file import STATEMENTS
from eigenfaces.recognition.gallery import Answered
from eigenfaces.recognition.probes import Probe, ProbeList

Change = Callable[[sqlite3.Connection], object]
Case = Sequence[str] | Change

DOCUMENTS = ("settings", "photos", "answers", "unused", "asked")

NOT_FINITE = {"nan": float("nan"), "infinity": float("inf"), "minus infinity": -float("inf")}


ENDLESS = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)"


def array_with(name: str, kind: str, value: float) -> Change:
    """Put a number at the beginning of an array."""

    def change(connection: sqlite3.Connection) -> None:
        ask = "SELECT value FROM array WHERE name = ?"
        content = connection.execute(ask, (name,)).fetchone()[0]
        number = np.array([value], kind).tobytes()
        whole = (number + content[len(number) :], name)
        connection.execute("UPDATE array SET value = ? WHERE name = ?", whole)

    return change


def document_with(name: str, change: Callable[[Any], object]) -> Change:
    """Change what a document says, in its place, or by what is returned.

    What is no JSON is written as Python writes it.
    """

    def changed(connection: sqlite3.Connection) -> None:
        ask = "SELECT value FROM document WHERE name = ?"
        said = json.loads(connection.execute(ask, (name,)).fetchone()[0])
        text = json.dumps(change(said) or said).encode()
        connection.execute("UPDATE document SET value = ? WHERE name = ?", (text, name))

    return changed


def setting_with(name: str, **values: object) -> Change:
    return document_with("settings", lambda said: said[name].update(values))


def photos_with(photo: int = 0, **values: object) -> Change:
    return document_with("photos", lambda said: said[photo].update(values))


def placed(**values: object) -> Change:
    return document_with("photos", lambda said: said[0]["placement"].update(values))


def probe_with(place: int, value: object) -> Change:
    def change(said: Any) -> None:
        said["probes"][0][place] = value

    return document_with("asked", change)


def answer_with(key: str, **values: object) -> Change:
    return document_with("answers", lambda said: said[key].update(values))


def text_of(name: str, text: str) -> Change:
    return lambda connection: connection.execute(
        "UPDATE document SET value = ? WHERE name = ?", (text.encode(), name)
    )


def array_of(name: str, numbers: object, kind: str = "<f8") -> Change:
    """Replace an array by another one."""
    part = np.array(numbers, kind)
    values = (json.dumps(part.shape), part.tobytes(), name)
    told = "UPDATE array SET shape = ?, value = ? WHERE name = ?"
    return lambda connection: connection.execute(told, values)


def record_of(content: bytes) -> Change:
    return lambda connection: connection.execute("UPDATE run SET record = ?", (content,))


def bomb(megabytes: int) -> bytes:
    """Pack blanks: the same flushed block again and again, as packing them all takes its time."""
    packer, blanks = zlib.compressobj(9), b" " * 1_000_000
    first, again = (packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (megabytes - 1) + packer.flush()


def as_view(table: str) -> list[str]:
    """Put an endless view in the place of a table."""
    view = f"CREATE VIEW {table} AS {ENDLESS} SELECT x, x, x, x, x FROM endless"
    return [f"DROP TABLE {table}", view]


def remade(table: str, columns: str) -> list[str]:
    """Make a table with other columns, and the content that it had."""
    return [
        f"ALTER TABLE {table} RENAME TO old",
        f"CREATE TABLE {table} ({columns})",
        f"INSERT INTO {table} SELECT * FROM old",
        "DROP TABLE old",
    ]


def many_tables(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO sqlite_master VALUES ('table', ?, ?, 2, ?)",
        ((f"t{n}", f"t{n}", f"CREATE TABLE t{n} (a, b, c)") for n in range(100_000)),
    )
    connection.execute("COMMIT")
    connection.execute("PRAGMA writable_schema = OFF")


def many_photos(connection: sqlite3.Connection) -> None:
    """Promise faces that would fill any memory."""
    setting_with("preparation", height=512, width=512)(connection)

    def many(said: Any) -> Any:
        return [said[0] | {"key": f"{number}", "crop": f"{number}"} for number in range(100_000)]

    document_with("photos", many)(connection)


def sound_project(path: Path) -> None:
    """Write a small trained project with a placement and an evaluation in it."""
    faces = people(np.random.default_rng(0), 3, 3)
    eyes = Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand")
    first = faces.index.photos[0]
    changed = {first.key: replace(first, placement=eyes)}
    described = faces.with_photos(changed)
    gallery = Gallery(described, Preparation(16, 16, already_cropped=True), Recipe.of(components=3))
    done = evaluate(gallery.faces, Setting(gallery.recipe, KFold(3), curves=False))
    record = Record(done, gallery.preparation, Source("project"))
    trained = gallery.train().calibrate()
    for key, answered in (
        ("a", Answered("right", "Person 1", frozenset({"Person 2"}))),
        ("b", Answered("nobody", crop=bytes(256))),
    ):
        trained = trained.answered(key, answered)
    concern = Concern("blurred", "It is blurred.")
    photo = type(first)(Path("probe.png"), None, "probe", (16, 16), placement=eyes)
    probe = Probe(photo, faces.image(4), concerns=(concern,))
    unused = (Skipped(Path("none.png"), "There is no face.", None, "no face"),)
    found = {("0" * 64, 0): "[]"}
    DESCRIPTIONS.remember({faces.index.photos[-1].crop: np.ones(128, np.float32)})
    with contextlib.closing(
        Project.create(path, trained, unused=unused, detections=found)
    ) as project:
        project.save_probes(ProbeList((probe,), frozenset({Path("none.png")})))
        project.add_run("2026-02-03T10:11:12+00:00", "A run", record)


def make(path: Path, sound: bytes, case: Case) -> None:
    """Write a changed copy of a sound project."""
    path.write_bytes(sound)
    stated = [(sql, sql.removesuffix(" STRICT")) for sql in STATEMENTS.values()]
    state_of_tables(path, [(loose, strict) for strict, loose in stated])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "ignore_check_constraints = ON"):
            connection.execute(f"PRAGMA {pragma}")
        if callable(case):
            case(connection)
        else:
            for statement in case:
                connection.execute(statement)
        connection.create_function("crc", 1, zlib.crc32)
        with contextlib.suppress(sqlite3.Error):
            connection.execute("UPDATE array SET crc = crc(value)")
    state_of_tables(path, stated)


def state_of_tables(path: Path, statements: list[tuple[str, str]]) -> None:
    """Put one statement that makes a table in the place of another, its content as it is."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.executemany("UPDATE sqlite_master SET sql = ? WHERE sql = ?", statements)


def wrong_values() -> Iterator[tuple[str, str, str]]:
    """Yield, for every column of every table, what it must not hold, as SQL."""
    values = {"TEXT": "x'00ff'", "INTEGER": "'text'", "REAL": "'text'", "BLOB": "'text'"}
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for table, statement in STATEMENTS.items():
            connection.execute(statement)
            for _, column, kind, _, _, is_key in connection.execute(f"PRAGMA table_info({table})"):
                if column != "crc" and not (is_key and kind == "INTEGER"):  # SQLite refuses it
                    yield table, column, values.get(kind, "5.5")


CASES: dict[str, Case] = {
    # What would be run by reading it
    **{f"endless view {table}": as_view(table) for table in STATEMENTS},
    "view beside the tables": [f"CREATE VIEW more AS {ENDLESS} SELECT x FROM endless"],
    "trigger on saving": [
        "CREATE TRIGGER spy AFTER UPDATE ON document BEGIN DELETE FROM face; END",
    ],
    "trigger on enrolling": [
        "CREATE TRIGGER spy AFTER INSERT ON face BEGIN UPDATE face SET crop = 'x'; END",
    ],
    "temporary-looking table": ["CREATE TABLE more (a)"],
    "index with an expression": ["CREATE INDEX more ON document (length(value))"],
    "plain index": ["CREATE INDEX more ON document (value)"],
    "a check that is run": remade(
        "face", "crop TEXT PRIMARY KEY, levels BLOB CHECK (length(levels) < random() % 9 + 9e9)"
    ),
    "other columns": remade("face", "crop TEXT, levels BLOB"),
    "more columns": ["ALTER TABLE document ADD COLUMN more DEFAULT 'x'"],
    "full-text table": ["CREATE VIRTUAL TABLE more USING fts5(x)"],
    "a hundred thousand tables": many_tables,
    "statistics": ["ANALYZE"],
    "no tables": [f"DROP TABLE {table}" for table in STATEMENTS],
    # Types and ranges
    **{f"{table}.{column} is {value}": [
        f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})"]
       for table, column, value in wrong_values()},
    "total variance is two numbers": array_of("space.total_variance", [1.0, 2.0]),
    "count is a fraction": array_of("space.count", 9.5),
    "a photo without size": photos_with(size=[16, 0]),
    "a photo of three sizes": photos_with(size=[16, 16, 16]),
    "excluded is seven": photos_with(excluded=7),
    "one eye is missing": placed(eyes={"left": [1.0, 2.0]}),
    "eyes beyond all numbers": placed(eyes={"left": [1.0, math.inf], "right": [5.0, 1.0]}),
    "turned five times": placed(turned=5),
    "placed by nobody": placed(source="by magic"),
    "a path of no bytes": photos_with(path="李"),
    "the name of a crop is of none": photos_with(8, crop="x"),
    "a crop in the place of another": [
        "UPDATE face SET levels = (SELECT levels FROM face WHERE rowid = 1)"
    ],
    # Documents
    **{f"{name} is no JSON": text_of(name, "{") for name in DOCUMENTS},
    **{f"{name} is nested for ever": text_of(name, "[" * 100_000) for name in DOCUMENTS},
    **{f"{name} is a number": text_of(name, "5") for name in DOCUMENTS},
    **{f"{name} is missing": [f"DELETE FROM document WHERE name = '{name}'"]
       for name in DOCUMENTS},
    "a document is huge": [
        "UPDATE document SET value = zeroblob(70000000) WHERE name = 'answers'"
    ],
    "setting has a number without end": text_of("settings", '{"share": ' + "9" * 10_000 + "}"),
    "height is a million": setting_with("preparation", height=1_000_000),
    "neighbours are a fraction": setting_with("recipe", neighbours=1.5),
    "smoothing is not a number": setting_with("recipe", smoothing=float("nan")),
    "an unknown distance": setting_with("recipe", distance="../../etc"),
    "all that is compared is dropped": setting_with("recipe", components=0.01, dropped=9),
    "an unknown setting": setting_with("recipe", run_this="rm"),
    # Shapes
    "faces of another size": setting_with("preparation", height=17),
    "a hundred thousand faces that are not there": many_photos,
    "crop is short": ["UPDATE face SET levels = x'00' WHERE rowid = 9"],
    "crop is huge": ["UPDATE face SET levels = zeroblob(50000000) WHERE rowid = 9"],
    "faces are missing": ["DELETE FROM face WHERE rowid > 3"],
    "a face is too many": ["INSERT INTO face VALUES ('x', zeroblob(256))"],
    "photos are missing": document_with("photos", lambda said: said[3:]),
    "photos twice": document_with("photos", lambda said: [*said, said[0]]),
    "mean is short": array_of("space.mean", [1.0], "<f4"),
    "an array has less than its shape": ["UPDATE array SET value = x'00'"],
    "an array of a negative shape": ["UPDATE array SET shape = '[-1]'"],
    "an array of no shape": ["UPDATE array SET shape = '{'"],
    "an array of a shape nested for ever": [f"UPDATE array SET shape = '{'[' * 100_000}'"],
    "an array of a shape without end": [f"UPDATE array SET shape = '[{'9' * 10_000}]'"],
    "a part of an array is twice there": [
        "INSERT INTO array SELECT name, 1, shape, value, 0 FROM array WHERE name = 'space.mean'"
    ],
    "space of another size": array_of("space.shape", [8, 32], "<i8"),
    "space of a negative size": array_of("space.shape", [-16, -16], "<i8"),
    "as many components as fit into the file": array_of("space.singular_values", [1.0] * 2500000),
    "no components": array_of("space.components", np.empty((0, 256)), "<f4"),
    "a component is missing": array_of("space.components", np.ones((2, 256)), "<f4"),
    "components are missing": ["DELETE FROM array WHERE name = 'space.components'"],
    "coordinates are missing": ["DELETE FROM array WHERE name = 'coordinates'"],
    "coordinates are short": array_of("coordinates", np.ones((9, 1)), "<f4"),
    "coordinates of fewer": array_of("coordinates", np.ones((8, 8)), "<f4"),
    "fitted to one face": array_of("space.count", 1, "<i8"),
    "fitted to others": document_with("settings", lambda said: said.update(fitted=[])),
    "trained by no recipe": document_with("settings", lambda said: said.pop("trained") and None),
    "trained by nothing": document_with("settings", lambda said: said.update(trained=None)),
    # Numbers
    **{f"{name} in the mean": array_with("space.mean", "<f4", n) for name, n in NOT_FINITE.items()},
    **{f"{name} in a component": array_with("space.components", "<f4", n)
       for name, n in NOT_FINITE.items()},
    **{f"{name} in a coordinate": array_with("coordinates", "<f4", n)
       for name, n in NOT_FINITE.items()},
    **{f"{name} as a singular value": array_with("space.singular_values", "<f8", n)
       for name, n in (NOT_FINITE | {"nothing": 0.0, "minus one": -1.0}).items()},
    **{f"{name} as the variance": array_with("space.total_variance", "<f8", n)
       for name, n in (NOT_FINITE | {"nothing": 0.0, "minus one": -1.0}).items()},
    "scale of nothing": [
        "INSERT INTO array SELECT 'space.scale', 0, shape, zeroblob(1024), 0 FROM array "
        "WHERE name = 'space.mean'"
    ],
    # Verdicts
    "chosen but not measured": document_with(
        "settings", lambda said: said.update(automatic={"recipe": "Texture", "shares": {"L2": 1}})
    ),
    "share is text": document_with("settings", lambda said: said.update(share="much")),
    "share is more than all": document_with("settings", lambda said: said.update(share=2)),
    "calibration of other people": array_of("calibration.held.people", [5] * 9, "<i8"),
    "calibration of a million people": array_of("calibration.held.people", [1 << 40] * 9, "<i8"),
    "calibration of fewer photos": array_of("calibration.held.people", [0, 0, 1], "<i8"),
    "calibration with people who are not there": array_of(
        "calibration.held.member.person", [9] * 9, "<i8"
    ),
    "calibration without distances": array_of("calibration.held.stranger.distance", [np.nan] * 9),
    "calibration without the next": array_of("calibration.held.member.runner_up", [np.nan] * 9),
    "calibration with too much left over": array_of("calibration.left_over", [np.inf] * 9),
    "calibration without a limit": array_of("calibration.likeness.limit", np.nan),
    "calibration of other faces": array_of("calibration.likeness.mean", [0.0] * 7, "<f4"),
    "a part of the calibration is missing": [
        "DELETE FROM array WHERE name = 'calibration.left_over'"
    ],
    "an answer that nobody can give": answer_with("a", said="perhaps"),
    "right, but nobody": answer_with("a", person=None),
    "it is and it is not": answer_with("a", never=["Person 1"]),
    "never is a number": answer_with("a", never=5),
    "never is numbers": answer_with("a", never=[5]),
    "a stranger of another size": answer_with("b", crop="AA=="),
    "a stranger of no bytes": answer_with("b", crop="?"),
    "a probe without a crop": document_with("asked", lambda s: s["probes"][0][0].update(crop="x")),
    "face nought of a probe": probe_with(1, 0),
    "a probe with no list of concerns": probe_with(3, "["),
    "a probe with a concern of no kind": probe_with(3, [{"kind": "magic", "reason": "None."}]),
    "a probe with an unknown concern": probe_with(3, [{"x": 1}]),
    "a photo without a face is none": document_with("asked", lambda s: s.update(faceless=[5])),
    "turned by five and not used": document_with("unused", lambda said: said[0].update(turned=5)),
    "not used for no reason": document_with("unused", lambda said: said[0].update(kind="magic")),
    # Bombs and other records of evaluations
    "a record of four gigabytes": record_of(bomb(4000)),
    "a record of spaces": record_of(bomb(100)),
    "a record cut short": record_of(zlib.compress(b"{}" * 1000)[:-5]),
    "a record that is nothing": record_of(b""),
    "a record nested for ever": record_of(zlib.compress(b"[" * 200_000)),
    "a record with text for numbers": record_of(
        zlib.compress(b'{"format": "eigenfaces evaluation", "version": "one"}')
    ),
}  # fmt: skip
"""What was done to the project."""


def in_the_header(sound: bytes, offset: int, content: bytes) -> bytes:
    return sound[:offset] + content + sound[offset + len(content) :]


HEADERS: dict[str, tuple[int, bytes]] = {
    "an unknown format": (18, b"\7\7"),
    "pages of one byte": (16, b"\0\0"),
    "more pages than there are": (28, struct.pack(">I", 0x7FFFFFFF)),
    "a free list that begins in itself": (32, struct.pack(">II", 2, 1000)),
    "version nought": (60, struct.pack(">I", 0)),
    "a later version": (60, struct.pack(">I", 0x01FF)),
    "another program's": (68, b"abcd"),
    "sixteen-bit letters": (56, struct.pack(">I", 2)),
}
"""Bytes put at an offset of the file."""


def said_of(path: Path) -> list[str]:
    """Open a project and ask for all that is in it; return the sentences that came of that."""
    sentences = []
    try:
        project = Project.open(path)
    except EigenfacesError as error:
        return [str(error)]
    with contextlib.closing(project):
        gallery = project.gallery
        try:
            if gallery.training is not None:
                verdict = identify(gallery, gallery.faces.pixels[-1])
                assert np.isfinite(verdict.closest.distance)
        except EigenfacesError as error:
            sentences.append(str(error))
        for number, _, _ in project.runs():
            try:
                project.run(number)
            except EigenfacesError as error:
                sentences.append(str(error))
    return sentences


if __name__ == "__main__":  # prints the sentences, the seconds and the megabytes it took
    import re
    import time

    start = time.perf_counter()
    said = said_of(Path(sys.argv[1]))
    seconds = time.perf_counter() - start
    # Of this program alone: what `resource` says begins with what its parent held.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    print(json.dumps([said, seconds, int(peak[1]) / 1000 if peak else np.nan]))
