"""Project files made to do harm, or damaged: a table of them.

Each is a sound project that SQL statements, or a function, have changed, whatever its tables state
about themselves; afterwards they state it again, as whoever makes such a file would see to it.
"""

import contextlib
import json
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project, identify
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Record, Setting, Source
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.file import STATEMENTS
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES

Change = Callable[[sqlite3.Connection], object]
Case = Sequence[str] | Change

DOCUMENTS = ("settings", "photos", "answers", "unused", "asked")
ENDLESS = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)"


def json_set(document: str, path: str, value: object) -> list[str]:
    """Change what a document says at a path of SQLite's JSON functions."""
    text = json.dumps(value, ensure_ascii=False).replace("'", "''")
    return [
        f"UPDATE document SET value = CAST(json_set(CAST(value AS TEXT), '${path}', "
        f"json('{text}')) AS BLOB) WHERE name = '{document}'"
    ]


def text_of(document: str, text: str) -> Change:
    return lambda connection: connection.execute(
        "UPDATE document SET value = ? WHERE name = ?", (text.encode(), document)
    )


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


def many_photos(connection: sqlite3.Connection) -> None:
    """Promise faces that would fill any memory."""
    query = "SELECT value FROM document WHERE name = 'photos'"
    first = json.loads(connection.execute(query).fetchone()[0])[0]
    photos = [first | {"number": number, "crop": f"{number}"} for number in range(100_000)]
    text_of("photos", json.dumps(photos))(connection)
    for side in ("height", "width"):
        connection.execute(json_set("settings", f".preparation.{side}", 512)[0])


def sound_project(path: Path) -> None:
    """Write a small trained project with a placement and an evaluation in it."""
    faces = people(np.random.default_rng(0), 7, 3)
    eyes = Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand")
    first = faces.index.photos[0]
    placed = faces.with_photos({first.id: replace(first, placement=eyes)})
    recipe, preparation = RECIPES["Fisherfaces"], Preparation(16, 16, already_cropped=True)
    gallery = Gallery(placed, preparation, recipe)
    done = evaluate(placed, Setting(recipe, KFold(3), curves=False))
    record = Record(done, preparation, Source("project"))
    trained = gallery.train().calibrate()
    for sha, answered in (
        ("a", Answer("right", "Person 1", frozenset({"Person 2"}))),
        ("b", Answer("nobody")),
    ):
        trained = trained.with_answer(FaceId(sha), answered)
    concern = Concern("blurred", "It is blurred.")
    photograph = Photograph(Path("probe.png"), "probe", (16, 16))
    photo = FacePhoto(photograph, None, placement=eyes)
    probe = Probe(photo, faces.image(4), concerns=(concern,))
    unused = (Skipped(Path("none.png"), "There is no face.", None, "no face"),)
    DESCRIPTORS.add({faces.index.photos[-1].crop: np.ones(128, np.float32)})
    with contextlib.closing(Project.create(path, trained, unused=unused)) as project:
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
    "plain index": ["CREATE INDEX more ON document (value)"],
    "more columns": ["ALTER TABLE document ADD COLUMN more DEFAULT 'x'"],
    "no tables": [f"DROP TABLE {table}" for table in STATEMENTS],
    # Types and ranges
    **{f"{table}.{column} is {value}": [
        f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})"]
       for table, column, value in wrong_values()},
    "turned five times": json_set("photos", "[0].photograph.turned", 5),
    "one eye is missing": json_set("photos", "[0].placement.eyes", {"left": [1.0, 2.0]}),
    "a path of no bytes": json_set("photos", "[0].photograph.path", "李"),
    "the name of a crop is of none": json_set("photos", "[8].crop", "x"),
    "a crop in the place of another": [
        "UPDATE face SET levels = (SELECT levels FROM face WHERE rowid = 1)"
    ],
    # Documents
    **{f"{name} is {text[:2]}": text_of(name, text) for name in DOCUMENTS
       for text in ("{", "5", "[" * 100_000)},
    **{f"{name} is missing": [f"DELETE FROM document WHERE name = '{name}'"]
       for name in DOCUMENTS},
    "a document is huge": [
        "UPDATE document SET value = zeroblob(70000000) WHERE name = 'answers'"
    ],
    "height is a million": json_set("settings", ".preparation.height", 1_000_000),
    "an unknown setting": json_set("settings", ".recipe.run_this", "rm"),
    # Shapes
    "faces of another size": json_set("settings", ".preparation.height", 17),
    "a hundred thousand faces that are not there": many_photos,
    "crop is short": ["UPDATE face SET levels = x'00' WHERE rowid = 9"],
    "crop is huge": ["UPDATE face SET levels = zeroblob(50000000) WHERE rowid = 9"],
    "faces are missing": ["DELETE FROM face WHERE rowid > 3"],
    "a face is too many": ["INSERT INTO face VALUES ('x', zeroblob(256))"],
    "a photo is missing": [
        "UPDATE document SET value = CAST(json_remove(CAST(value AS TEXT), '$[0]') AS BLOB) "
        "WHERE name = 'photos'"
    ],
    "a face twice": [
        *json_set("photos", "[0].photograph.sha", "x"),
        *json_set("photos", "[1].photograph.sha", "x"),
    ],
    "a photo of no size": json_set("photos", "[0].photograph.size", [0, 9]),
    "an array has less than its shape": ["UPDATE array SET value = x'00'"],
    **{f"an array of shape {shape[:4]}": [f"UPDATE array SET shape = '{shape}'"]
       for shape in ("[-1]", "{", "[" * 100_000, f"[{'9' * 10_000}]")},
    "a part of an array is twice there": [
        "INSERT INTO array SELECT name, 1, shape, value, 0 FROM array WHERE name = 'space.mean'"
    ],
    **{f"{name} is missing": [f"DELETE FROM array WHERE name = '{name}'"]
       for name in ("space.components", "coordinates", "calibration.face_residual",
                    "matching_space.axes", "matching_coordinates")},
    **{f"{name} is {shape}": [
        f"UPDATE array SET shape = '{shape}', value = x'' WHERE name = '{name}'"]
       for name, shape in (
           ("matching_space.axes", "[0, 0]"), ("matching_coordinates", "[0, 7]"))},
    "share is more than all": json_set("settings", ".share", 2),
    "an answer that nobody can give": json_set("answers", "[0][1].said", "perhaps"),
    "right, but nobody": json_set("answers", "[0][1].person", None),
    "a probe without a crop": json_set("asked", ".probes[0][0].crop", "x"),
    "face nought of a probe": json_set("asked", ".probes[0][1]", 0),
    "not used for no reason": json_set("unused", "[0].kind", "magic"),
    # Bombs and other records of evaluations
    "a record of four gigabytes": record_of(bomb(4000)),
    "a record cut short": record_of(zlib.compress(b"{}" * 1000)[:-5]),
    "a record that is nothing": record_of(b""),
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
