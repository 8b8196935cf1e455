"""Faces to recognise, and what was answered about them, as rows of a project file, and back.

The crop of a probe is stored with it: it is shown even where its photograph is gone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.faces.quality import Concern, Kind
from eigenfaces.project.stored_arrays import array, expect, of_this_program
from eigenfaces.project.stored_places import packed, storable, unpacked
from eigenfaces.project.tables import Value, insert, rows
from eigenfaces.recognition.answers import Answered, Answers, Said, among
from eigenfaces.recognition.probes import Asked, Probe
from eigenfaces.space.arrays.crops import as_grey, as_levels, crop_hash


def write_asked(connection: sqlite3.Connection, old: Asked, new: Asked) -> None:
    """Change the tables from some probes to others, in the transaction of the caller."""
    if old == new:
        return
    held = {probe.photo.key: probe for probe in old.probes}
    kept = {probe.photo.key for probe in new.probes}
    _delete(connection, "probe", "key", held.keys() - kept)
    places: dict[str, int] = dict(connection.execute("SELECT key, position FROM probe"))
    last = max(places.values(), default=-1)
    for probe in new.probes:
        key = probe.photo.key
        if key not in places:
            places[key] = last = last + 1
        if held.get(key) is not probe:
            insert(connection, "probe", [(key, places[key], *_columns(probe))], instead=True)
    _delete(connection, "faceless", "path", map(storable, old.faceless - new.faceless))
    came = ((storable(path),) for path in sorted(new.faceless - old.faceless))
    insert(connection, "faceless", came)


def _delete(
    connection: sqlite3.Connection, table: str, column: str, gone: Iterable[str | bytes]
) -> None:
    connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(each,) for each in gone])


def _columns(probe: Probe) -> tuple[Value, ...]:
    photo = probe.photo
    concerns = json.dumps([asdict(each) for each in probe.concerns])
    return (
        *(storable(photo.path), photo.person, *photo.size, *packed(photo.placement)),
        *(as_levels(probe.image).tobytes(), probe.number, probe.faces, concerns, probe.cut),
    )


def load_asked(connection: sqlite3.Connection, shape: tuple[int, int]) -> Asked:
    """Read the probes, cut to crops (h, w); raise `ValueError` where there can be none such."""
    with of_this_program():
        probes = tuple(_probe(shape, row) for row in rows(connection, "probe", "position"))
        paths = (Path(os.fsdecode(path)) for (path,) in rows(connection, "faceless"))
        return Asked(probes, frozenset(paths))


def _probe(shape: tuple[int, int], row: tuple[Any, ...]) -> Probe:
    key, _, path, person, height, width, *place, crop, number, faces, concerns, cut = row
    expect(min(height, width) > 0 and 1 <= number <= faces, "a face to recognise is none")
    image = as_grey(array(crop, "u1", shape[0] * shape[1])).reshape(shape)
    photo = FacePhoto(
        Path(os.fsdecode(path)),
        person,
        key,
        (height, width),
        placement=unpacked(*place),
        crop=crop_hash(image),
    )
    image.setflags(write=False)
    return Probe(photo, image, number, faces, _concerns(concerns), cut)


def _concerns(text: str) -> tuple[Concern, ...]:
    listed = tuple(Concern(**each) for each in json.loads(text))
    for each in listed:
        expect(each.kind in get_args(Kind), "a face to recognise is of no kind")
        expect(isinstance(each.reason, str) and isinstance(each.remedy, str), "a text is missing")
    return listed


def write_answers(connection: sqlite3.Connection, old: Answers, new: Answers) -> None:
    """Change the answers from some to others, in the transaction of the caller."""
    _delete(connection, "answer", "probe", old.keys() - new.keys())
    changed = (
        (
            *(key, each.said, each.person, json.dumps(sorted(each.never)), each.crop),
            *(int(each.held), each.before),
        )
        for key, each in new.items()
        if old.get(key) != each
    )
    insert(connection, "answer", changed, instead=True)


def load_answers(connection: sqlite3.Connection, people: Collection[str]) -> Answers:
    """Read the answers, as far as they are about people who are there."""
    answers = {}
    for key, said, person, text, crop, held, before in rows(connection, "answer"):
        never = json.loads(text)
        expect(said in get_args(Said), "an answer says nothing")
        expect(isinstance(never, list) and all(isinstance(n, str) for n in never), "no name")
        expect(held in (0, 1), "it is not known whether a photo was there")
        answers[key] = Answered(said, person, frozenset(never), crop, bool(held), before)
    return among(answers, people)
