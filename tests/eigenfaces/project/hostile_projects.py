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
from typing import Any

import numpy as np
from synthetic import people

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Project, identify
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import EvaluationRecord, EvaluationSetting, EvaluationSource
from eigenfaces.evaluation.run import evaluate
from eigenfaces.faces.identity import FaceId, FacePhoto, Photograph
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.faces.quality import Concern
from eigenfaces.faces.read import FaceReading
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import Photo, Skipped
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.content import ForgottenFace
from eigenfaces.project.file import STATEMENTS
from eigenfaces.project.readings import KeptReading
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.pca import as_levels

Change = Callable[[sqlite3.Connection], object]
Case = Sequence[str] | Change

DOCUMENTS = (
    *("settings", "without face", "training", "calibration", "readings"),
    *("folders", "forgotten", "place"),
)
ROWS = ("photo", "file", "probe", "unused", "run", "answer")
ENDLESS = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)"


def json_set(table: str, path: str, value: object, place: int | str = 0) -> list[str]:
    """Change what a row says, or a document (its name), at a path of SQLite's JSON functions."""
    text = json.dumps(value, ensure_ascii=False).replace("'", "''")
    where = f"name = '{place}'" if table == "document" else f"rowid = {place}"
    return [
        f"UPDATE {table} SET value = CAST(json_set(CAST(value AS TEXT), '$.{path}', "
        f"json('{text}')) AS BLOB) WHERE {where}"
    ]


def setting(path: str, value: object) -> list[str]:
    return json_set("document", path, value, "settings")


def reading(path: str, value: object) -> Change:
    """Change what was read of a photograph, under its own SHA-256."""

    def change(connection: sqlite3.Connection) -> None:
        query = "SELECT value FROM document WHERE name = 'readings'"
        (name,) = json.loads(connection.execute(query).fetchone()[0])
        put = "SELECT json_set(CAST(value AS TEXT), ?, json(?)) FROM large WHERE hash = ?"
        changed = (f"$[0].{path}", json.dumps(value), name)
        content = connection.execute(put, changed).fetchone()[0].encode()
        connection.execute("INSERT INTO large VALUES (?, 0, ?)", (content_hash(content), content))
        names = json.dumps([content_hash(content)]).encode()
        connection.execute("UPDATE document SET value = ? WHERE name = 'readings'", (names,))

    return change


def text_of(document: str, text: str) -> Change:
    return lambda connection: connection.execute(
        "UPDATE document SET value = ? WHERE name = ?", (text.encode(), document)
    )


def row_of(table: str, text: str) -> Change:
    return lambda connection: connection.execute(f"UPDATE {table} SET value = ?", (text.encode(),))


def record_of(content: bytes) -> Change:
    """Put another record in the place of that of the evaluation, under its own SHA-256."""

    def change(connection: sqlite3.Connection) -> None:
        name = content_hash(content)
        (text,) = connection.execute("SELECT value FROM run").fetchone()
        run = json.loads(text)
        connection.execute(
            "UPDATE run SET value = ?", (json.dumps(run | {"record": name}).encode(),)
        )
        connection.execute("INSERT OR IGNORE INTO large VALUES (?, 0, ?)", (name, content))

    return change


def array_names(connection: sqlite3.Connection, document: str) -> dict[str, list[Any]]:
    query = "SELECT value FROM document WHERE name = ?"
    read = json.loads(connection.execute(query, (document,)).fetchone()[0])
    return read["arrays"] if document == "training" else read


def without_array(document: str, array: str) -> Change:
    """Delete the numbers of an array."""

    def change(connection: sqlite3.Connection) -> None:
        name, _ = array_names(connection, document)[array]
        connection.execute("DELETE FROM large WHERE hash = ?", (name,))

    return change


def shape_of(document: str, array: str, shape: object, content: bytes | None = None) -> Change:
    """State another shape of an array, perhaps with other numbers."""

    def change(connection: sqlite3.Connection) -> None:
        name, _ = array_names(connection, document)[array]
        if content is not None:
            name = content_hash(content)
            connection.execute("INSERT OR IGNORE INTO large VALUES (?, 0, ?)", (name, content))
        path = f'arrays."{array}"' if document == "training" else f'"{array}"'
        connection.execute(json_set("document", path, [name, shape], document)[0])

    return change


def bomb(megabytes: int) -> bytes:
    """Pack blanks: the same flushed block again and again, as packing them all takes its time."""
    packer, blanks = zlib.compressobj(9), b" " * 1_000_000
    first, again = (packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (megabytes - 1) + packer.flush()


def as_view(table: str) -> list[str]:
    """Put an endless view in the place of a table."""
    view = f"CREATE VIEW {table} AS {ENDLESS} SELECT x, x, x, x, x, x FROM endless"
    return [f"DROP TABLE {table}", view]


def many_photos(connection: sqlite3.Connection) -> None:
    """Promise faces that would fill any memory."""
    first = json.loads(connection.execute("SELECT value FROM photo").fetchone()[0])
    photos = [first | {"number": number, "crop": f"{number}"} for number in range(100_000)]
    rows = [(1000 + place, json.dumps(photo).encode()) for place, photo in enumerate(photos)]
    connection.executemany("INSERT INTO photo VALUES (?, ?)", rows)
    for side in ("height", "width"):
        connection.execute(setting(f"preparation.{side}", 512)[0])


def sound_project(path: Path, faces: FaceSet | None = None, name: str = "Fisherfaces") -> None:
    """Write a small project, trained by the recipe of a name, with a row in every table.

    ``faces``: at least three of each of seven people or more; None: such faces of 16 × 16 pixels.
    """
    faces = people(np.random.default_rng(0), 7, 3) if faces is None else faces
    eyes = Placement(Eyes((3.0, 4.0), (9.0, 4.5)), "by hand")
    first = faces.index.photos[0]
    placed = faces.with_photos({first.id: replace(first, placement=eyes)})
    recipe, preparation = RECIPES[name], Preparation(*faces.shape, already_cropped=True)
    gallery = Gallery(placed, preparation, recipe)
    done = evaluate(placed, EvaluationSetting(recipe, KFold(3), curves=False))
    record = EvaluationRecord(done, preparation, EvaluationSource("project"))
    trained = gallery.train().calibrate()
    for sha, answered in (
        ("a", Answer("right", "Person 1", frozenset({"Person 2"}))),
        ("b", Answer("nobody")),
    ):
        trained = trained.with_answer(FaceId(sha), answered)
    concern = Concern("blurred", "It is blurred.")
    photograph = Photograph(Path("probe.png"), "probe", (16, 16))
    asked = FacePhoto(photograph, None, placement=eyes)
    probe = Probe(asked, faces.image(4), concerns=(concern,))
    unused = (Skipped(Path("none.png"), "There is no face.", None, "no face"),)
    DESCRIPTORS.add({faces.index.photos[-1].crop: np.ones(128, np.float32)})
    PORTRAITS.add({faces.index.photos[-1].crop: b"a JPEG"})
    with contextlib.closing(Project.create(path, trained, unused=unused)) as project:
        listed = ProbeList((probe,), frozenset({Path("none.png")}))
        project.save(trained, probe_list=listed)
        file = KnownFile(Path("none.png"), "none", 9, 7, (16, 16), "2024-06-15T16:42:07")
        forgotten = ForgottenFace("gone", (16, 16), eyes.eyes)
        known = replace(project.content, files=(file,), forgotten=(forgotten,))
        project.write(replace(known, folders=(WatchedFolder(Path("Summer"), events=("Sea",)),)))
        project.add_run("2026-02-03T10:11:12+00:00", "A run", record)
        photo, levels = Photo(Path("read.png"), "Ada", eyes), as_levels(1 - faces.image(0))
        read = FaceReading(photo, "read", (16, 16), crops=(levels,), main=0)
        project.keep_readings([KeptReading.of(photo, preparation, [read])])


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
            connection.execute("UPDATE coordinate SET crc = crc(value)")
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
    "turned five times": json_set("photo", "photograph.turned", 5),
    "one eye is missing": json_set("photo", "placement.eyes", {"left": [1.0, 2.0]}),
    "a path of no bytes": json_set("photo", "photograph.path", "李"),
    "the name of a crop is of none": json_set("photo", "crop", "x", 8),
    "a crop in the place of another": [
        "UPDATE face SET levels = (SELECT levels FROM face WHERE rowid = 1)"
    ],
    # Documents and rows
    **{f"{name} is {text[:2]}": text_of(name, text) for name in DOCUMENTS
       for text in ("{", "5", "[" * 100_000)},
    **{f"{name} is {text[:2]}": row_of(name, text) for name in ROWS
       for text in ("{", "5", "[" * 100_000)},
    **{f"{name} is missing": [f"DELETE FROM document WHERE name = '{name}'"]
       for name in ("settings", "without face")},
    "a document is huge": [
        "UPDATE document SET value = zeroblob(70000000) WHERE name = 'settings'"
    ],
    "a row is huge": ["UPDATE answer SET value = zeroblob(70000000)"],
    "height is a million": setting("preparation.height", 1_000_000),
    "an unknown setting": setting("recipe.run_this", "rm"),
    # Shapes
    "faces of another size": setting("preparation.height", 17),
    "a hundred thousand faces that are not there": many_photos,
    "crop is short": ["UPDATE face SET levels = x'00' WHERE rowid = 9"],
    "crop is huge": ["UPDATE face SET levels = zeroblob(50000000) WHERE rowid = 9"],
    "faces are missing": ["DELETE FROM face WHERE rowid > 3"],
    "coordinates are missing": ["DELETE FROM coordinate WHERE rowid > 3"],
    "coordinates are short": ["UPDATE coordinate SET value = x'00' WHERE rowid = 9"],
    "a face twice": [
        *json_set("photo", "photograph.sha", "x", 0), *json_set("photo", "photograph.sha", "x", 1),
    ],
    "a photo of no size": json_set("photo", "photograph.size", [0, 9]),
    "an array has less than its shape": ["UPDATE large SET value = x'00'"],
    **{f"an array of shape {str(shape)[:4]}": shape_of("training", "space.mean", shape)
       for shape in ([-1], {}, "x", [10**18], [1.5])},
    "a part of an array is twice there": ["INSERT INTO large SELECT hash, 1, value FROM large"],
    **{f"{name} is missing": without_array(document, name) for document, name in (
        ("training", "space.components"), ("training", "matching_space.axes"),
        ("calibration", "calibration.face_residual"))},
    "the axes are none": shape_of("training", "matching_space.axes", [0, 0], b""),
    "the components are none": shape_of("training", "space.components", [0, 256], b""),
    "who it was fitted to is missing": json_set("document", "fitted", "x", "training"),
    "share is more than all": setting("share", 2),
    "an answer that nobody can give": json_set("answer", "said", "perhaps", 1),
    "right, but nobody": json_set("answer", "person", None, 1),
    "a probe without a crop": json_set("probe", "photo.crop", "x"),
    "face nought of a probe": json_set("probe", "number", 0),
    "read as no face that there is": reading("readings[0].main", 1),
    "read as a face that lies nowhere": reading("readings[0].photo.placement", None),
    "read with a crop that is missing": reading("crops", [["x"]]),
    "read with more crops than faces": reading("crops", [["x", "y"]]),
    "read as another photograph": reading("photo.path", "other.png"),
    "read in one way only": reading("crops", []),
    "read twice": [
        "UPDATE document SET value = CAST(json_insert(CAST(value AS TEXT), '$[#]', "
        "json_extract(CAST(value AS TEXT), '$[0]')) AS BLOB) WHERE name = 'readings'"
    ],
    "what was read is missing": text_of("readings", json.dumps([content_hash(b"")])),
    "read and cut to another size": reading("preparation.height", 17),
    "read and cut to no size": reading("preparation.height", -1),
    "read of a photo of no size": reading("readings[0].size", [0, 9]),
    "read with its pixels": reading("readings[0].crops", [[1]]),
    "not used for no reason": json_set("unused", "kind", "magic"),
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
        project = Project.open(path, shared=True)  # else closing it deletes what nothing uses
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
        for run in project.runs:
            try:
                project.record(run)
            except EigenfacesError as error:
                sentences.append(str(error))
    return sentences
