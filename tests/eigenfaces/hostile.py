"""Things in the place of a file that never end, never begin or lead nowhere."""

import os
from pathlib import Path


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path)


def nowhere(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5_000_000_000)  # no room is taken: nothing is written


def folder(path: Path) -> None:
    path.mkdir()


def no_text(path: Path) -> None:
    path.write_bytes(bytes(range(128, 256)))


BAD = (pipe, endless, loop, nowhere, huge, folder, no_text)
