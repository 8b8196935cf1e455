"""Project files made to do harm, or damaged beyond what a seal notices: a table of them.

Each is a sound project that SQL statements, or a function, have changed; afterwards every row has
its right seal again, as whoever makes such a file would see to it.
"""

import contextlib
import json
import sqlite3
import struct
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hostile_changes import (
    ENDLESS,
    Change,
    as_view,
    blob_with,
    bomb,
    many_photos,
    many_tables,
    part_of,
    record_of,
    remade,
    setting_with,
    text_of,
)
from synthetic import people

from eigenfaces import EigenfacesError, Gallery, Preparation, Project, Recipe, identify
from eigenfaces.evaluation.evaluate import evaluate
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Record, Source
from eigenfaces.evaluation.results import Setting
from eigenfaces.faces.quality import Concern
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.tables import sealed
from eigenfaces.recognition.answers import Answered
from eigenfaces.recognition.probes import Asked, Probe

Case = Sequence[str] | Change

TABLES = ("setting", "person", "photo", "face", "space", "component", "fitted")
TABLES += ("coordinate", "run", "unused", "finding", "calibration", "answer", "probe", "faceless")

NOT_FINITE = {"nan": float("nan"), "infinity": float("inf"), "minus infinity": -float("inf")}


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
    with contextlib.closing(Project.create(path, trained)) as project:
        project.ask(Asked((probe,), frozenset({Path("none.png")})))
        project.add_run("2026-02-03T10:11:12+00:00", "A run", record)


def make(path: Path, sound: bytes, case: Case) -> None:
    """Write a changed copy of a sound project, with the right seals."""
    path.write_bytes(sound)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        if callable(case):
            case(connection)
        else:
            for statement in case:
                connection.execute(statement)
        seal_again(connection)


def seal_again(connection: sqlite3.Connection) -> None:
    """Give every row of every real table the seal of its values."""
    kinds = dict(connection.execute("SELECT name, type FROM sqlite_master"))
    for table in TABLES:
        if kinds.get(table) != "table":
            continue
        connection.execute("BEGIN")
        listed = connection.execute(f"SELECT rowid, * FROM {table}").fetchall()
        for rowid, *values, _ in listed:
            with contextlib.suppress(sqlite3.Error):
                seal = sealed(*values)[-1]
                connection.execute(f"UPDATE {table} SET seal = ? WHERE rowid = ?", (seal, rowid))
        connection.execute("COMMIT")


CASES: dict[str, Case] = {
    # What would be run by reading it
    **{f"endless view {table}": as_view(table) for table in TABLES},
    "view beside the tables": [f"CREATE VIEW more AS {ENDLESS} SELECT x FROM endless"],
    "trigger on saving": [
        "CREATE TRIGGER spy AFTER UPDATE ON photo BEGIN DELETE FROM face; END",
    ],
    "trigger on enrolling": [
        "CREATE TRIGGER spy AFTER INSERT ON person BEGIN UPDATE person SET name = 'x'; END",
    ],
    "temporary-looking table": ["CREATE TABLE more (a)"],
    "index with an expression": ["CREATE INDEX more ON photo (abs(position))"],
    "plain index": ["CREATE INDEX more ON photo (path)"],
    "a check that is run": remade(
        "person",
        "id INTEGER PRIMARY KEY, name TEXT, seal INTEGER CHECK (seal < random() % 9 + 9e9)",
    ),
    "other columns": remade("fitted", "block INTEGER PRIMARY KEY, faces TEXT, seal INTEGER"),
    "more columns": ["ALTER TABLE setting ADD COLUMN more DEFAULT 'x'"],
    "full-text table": ["CREATE VIRTUAL TABLE more USING fts5(x)"],
    "a hundred thousand tables": many_tables,
    "statistics": ["ANALYZE"],
    "no tables": [f"DROP TABLE {table}" for table in TABLES],
    # Types
    "total variance is text": ["UPDATE space SET total_variance = 'much'"],
    "total variance is a blob": ["UPDATE space SET total_variance = x'00'"],
    "count is text": ["UPDATE space SET count = 'nine'"],
    "count is a fraction": ["UPDATE space SET count = 9.5"],
    "recipe of the space is a blob": ["UPDATE space SET recipe = x'7b7d'"],
    "mean is text": ["UPDATE space SET mean = printf('%1024s', 'x')"],
    "photo size is text": ["UPDATE photo SET height = 'tall'"],
    "photo size is a fraction": ["UPDATE photo SET width = 1.5"],
    "position is text": ["UPDATE photo SET position = 'first' WHERE position = 0"],
    "excluded is text": ["UPDATE photo SET excluded = 'no'"],
    "excluded is seven": ["UPDATE photo SET excluded = 7"],
    "key is a blob": ["UPDATE photo SET key = x'00ff' WHERE position = 8"],
    "path is a number": ["UPDATE photo SET path = 5 WHERE position = 1"],
    "person is a blob": ["UPDATE photo SET person = x'01' WHERE position = 1"],
    "name is a blob": ["UPDATE person SET name = x'41' WHERE id = 1"],
    "eyes are text": ["UPDATE photo SET eyes = 'left'"],
    "eyes are text as long as numbers": ["UPDATE photo SET eyes = printf('%32s', 'left')"],
    "one eye is missing": ["UPDATE photo SET eyes = substr(eyes, 1, 16)"],
    **{f"{name} as a place of the eyes": blob_with("photo", "eyes", "<f8", n)
       for name, n in NOT_FINITE.items()},
    "turned by text": ["UPDATE photo SET turned = 'round'"],
    "turned five times": ["UPDATE photo SET turned = 5"],
    "placed by nobody": ["UPDATE photo SET source = 'by magic'"],
    "crop is text": ["UPDATE face SET levels = printf('%256s', 'x')"],
    "the name of a crop is a blob": ["UPDATE photo SET crop = x'00' WHERE position = 8"],
    "the name of a crop is of none": ["UPDATE photo SET crop = 'x' WHERE position = 8"],
    "a crop in the place of another": [
        "UPDATE face SET levels = (SELECT levels FROM face WHERE rowid = 1)"
    ],
    "component number is past the end": ["UPDATE component SET number = 99 WHERE number = 0"],
    "what was fitted to is a blob": ["UPDATE fitted SET faces = x'00'"],
    "what was fitted to is no JSON": ["UPDATE fitted SET faces = '['"],
    "what was fitted to is nested for ever": [f"UPDATE fitted SET faces = '{'[' * 100_000}'"],
    "fitted to numbers": ["UPDATE fitted SET faces = '[[1, 2], [3, 4]]'"],
    "a run was made by a blob": ["UPDATE run SET made = x'00'"],
    "a run is called by a number": ["UPDATE run SET name = 5.5, record = 'text'"],
    # Settings
    "setting is no JSON": text_of("recipe", "{"),
    "setting is nested for ever": text_of("recipe", "[" * 100_000),
    "setting is a list": text_of("preparation", "[112, 92]"),
    "setting has a number without end": text_of("recipe", '{"components": ' + "9" * 10_000 + "}"),
    "setting is missing": ["DELETE FROM setting WHERE name = 'recipe'"],
    "height is text": setting_with("preparation", height="tall"),
    "height is a million": setting_with("preparation", height=1_000_000),
    "height is not a number": setting_with("preparation", height=float("nan")),
    "neighbours are a fraction": setting_with("recipe", neighbours=1.5),
    "neighbours are text": setting_with("recipe", neighbours="one"),
    "smoothing is not a number": setting_with("recipe", smoothing=float("nan")),
    "smoothing is infinite": setting_with("recipe", whitening="pca", smoothing=1e300),
    "components are a list": setting_with("recipe", components=[1]),
    "an unknown distance": setting_with("recipe", distance="../../etc"),
    "an unknown setting": setting_with("recipe", run_this="rm"),
    # Shapes
    "faces of another size": setting_with("preparation", height=17),
    "a hundred thousand faces that are not there": many_photos,
    "crop is short": ["UPDATE face SET levels = x'00' WHERE rowid = 9"],
    "crop is huge": ["UPDATE face SET levels = zeroblob(50000000) WHERE rowid = 9"],
    "faces are missing": ["DELETE FROM face WHERE rowid > 3"],
    "photos are missing": ["PRAGMA foreign_keys = OFF", "DELETE FROM photo WHERE position < 3"],
    "fewer photos than were kept": text_of("photos", "8"),
    "the number of photos is missing": ["DELETE FROM setting WHERE name = 'photos'"],
    "positions twice": ["UPDATE photo SET position = 1"],
    "a position before the first": ["UPDATE photo SET position = -1 WHERE position = 0"],
    "a position beyond all blocks": ["UPDATE photo SET position = 1 << 62 WHERE position = 8"],
    "a position in another block": ["UPDATE photo SET position = 1000 WHERE position = 8"],
    "mean is short": ["UPDATE space SET mean = x'0000803f'"],
    "scale is short": ["UPDATE space SET scale = x'0000803f'"],
    "space of another size": ["UPDATE space SET height = 8, width = 32"],
    "space of a negative size": ["UPDATE space SET height = -16, width = -16"],
    "as many components as fit into the file": [
        "UPDATE space SET singular_values = zeroblob(20000000)"
    ],
    "no components": ["UPDATE space SET singular_values = x''", "DELETE FROM component"],
    "a component is missing": ["DELETE FROM component WHERE number = 1"],
    "coordinates are missing": ["DELETE FROM coordinate"],
    "coordinates are short": ["UPDATE coordinate SET value = x'0000803f'"],
    "fitted to one face": ["UPDATE space SET count = 1"],
    "fitted to others": ["DELETE FROM fitted"],
    # Numbers
    **{f"{name} in the mean": blob_with("space", "mean", "<f4", n)
       for name, n in NOT_FINITE.items()},
    **{f"{name} in a component": blob_with("component", "value", "<f4", n)
       for name, n in NOT_FINITE.items()},
    **{f"{name} in a coordinate": blob_with("coordinate", "value", "<f4", n)
       for name, n in NOT_FINITE.items()},
    **{f"{name} as a singular value": blob_with("space", "singular_values", "<f8", n)
       for name, n in NOT_FINITE.items()},
    "a singular value of nothing": blob_with("space", "singular_values", "<f8", 0.0),
    "a negative singular value": blob_with("space", "singular_values", "<f8", -1.0),
    "scale of nothing": ["UPDATE space SET scale = zeroblob(1024)"],
    "no variance": ["UPDATE space SET total_variance = 0"],
    "negative variance": ["UPDATE space SET total_variance = -1"],
    "infinite variance": ["UPDATE space SET total_variance = 9e999"],
    # Verdicts
    "share is text": text_of("share", '"much"'),
    "share is more than all": text_of("share", "2"),
    "share is not a number": text_of("share", "NaN"),
    "share is missing": ["DELETE FROM setting WHERE name = 'share'"],
    "calibration of other people": part_of("held.people", [5] * 9, "<i8"),
    "calibration of a million people": part_of("held.people", [1 << 40] * 9, "<i8"),
    "calibration of fewer photos": part_of("held.people", [0, 0, 1], "<i8"),
    "calibration with people who are not there": part_of("held.member.person", [9] * 9, "<i8"),
    "calibration without distances": part_of("held.stranger.distance", [np.nan] * 9),
    "calibration without the next": part_of("held.member.runner_up", [np.nan] * 9),
    "calibration with too much left over": part_of("left_over", [np.inf] * 9),
    "calibration without a limit": part_of("likeness.limit", np.nan),
    "calibration of other faces": part_of("likeness.mean", [0.0] * 7, "<f4"),
    "a part of the calibration is missing": ["DELETE FROM calibration WHERE name = 'left_over'"],
    "a part of the calibration is short": [
        "UPDATE calibration SET value = x'00' WHERE name = 'left_over'"
    ],
    "calibration of a negative shape": [
        "UPDATE calibration SET shape = '[-1]' WHERE name = 'left_over'"
    ],
    "calibration of no shape": ["UPDATE calibration SET shape = '{' WHERE name = 'left_over'"],
    "calibration of a shape nested for ever": [
        f"UPDATE calibration SET shape = '{'[' * 100_000}' WHERE name = 'left_over'"
    ],
    "an answer that nobody can give": ["UPDATE answer SET said = 'perhaps'"],
    "right, but nobody": ["UPDATE answer SET person = NULL"],
    "it is and it is not": ["UPDATE answer SET never = '[\"Person 1\"]'"],
    "never is a number": ["UPDATE answer SET never = '5'"],
    "never is numbers": ["UPDATE answer SET never = '[5]'"],
    "a stranger of another size": ["UPDATE answer SET crop = x'00' WHERE said = 'nobody'"],
    "an answer's person is a blob": ["UPDATE answer SET person = x'00'"],
    "a probe of another size": ["UPDATE probe SET crop = x'00'"],
    "a probe of a photo without size": ["UPDATE probe SET height = 0"],
    "face nought of a probe": ["UPDATE probe SET number = 0"],
    "a probe that lies nowhere": ["UPDATE probe SET source = 'by magic'"],
    "a probe with infinite eyes": blob_with("probe", "eyes", "<f8", np.inf),
    "a probe with no list of concerns": ["UPDATE probe SET concerns = '['"],
    "a probe with a concern of no kind": [
        "UPDATE probe SET concerns = replace(concerns, 'blurred', 'magic')"
    ],
    "a probe with an unknown concern": ["UPDATE probe SET concerns = '[{\"x\": 1}]'"],
    "a photo without a face is a number": ["UPDATE faceless SET path = 5"],
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
