"""The command line, ``eigenfaces`` or ``python -m eigenfaces``, which Ctrl-C stops at any time."""

import codecs
import io
import logging
import os
import signal
import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import freeze_support
from typing import Any

from eigenfaces.errors import INTERRUPTED, STOPPED, log_to_file
from eigenfaces.threads import limit_blas_threads


def main() -> None:
    """Run the command-line program."""
    freeze_support()
    _fill_closed_streams()
    limit_blas_threads()
    ignore_picture_warnings()
    write_in_any_encoding()
    survive_closed_pipes()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise it is ignored
        signal.signal(signal.SIGINT, _stop)
    from eigenfaces.cli import app
    from eigenfaces.cli.running import fail, fail_by_system

    try:
        app(prog_name="eigenfaces")
        sys.stdout.flush()
    except OSError as error:  # outside of a command, as in “--help >/dev/full”
        raise SystemExit(fail_by_system(error)) from None
    except Exception:
        path = log_to_file()
        logging.getLogger("eigenfaces").critical("eigenfaces %s", sys.argv[1:], exc_info=True)
        code = fail(f"Something went wrong inside eigenfaces. Details are in the file “{path}”.")
        raise SystemExit(code) from None


def open_window() -> int:
    """Open the window. Its package ``gui`` is called ``eigenfaces_gui`` once installed."""
    installed = find_spec("eigenfaces_gui") is not None
    return import_module("eigenfaces_gui.app" if installed else "gui.app").main()


def _fill_closed_streams() -> None:
    """Open closed streams (“>&-”) as null devices, so that no other file gets their descriptors."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    # Python has no objects for streams that were closed when it started.
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def ignore_picture_warnings() -> None:
    """Keep Pillow's warnings about damaged or large pictures off the terminal."""
    warnings.filterwarnings("ignore", module=r"PIL\.")


def write_in_any_encoding() -> None:
    """Replace output characters that the encoding lacks with plain or escaped ones."""
    codecs.register_error("plainly", _replace_with_plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plainly")


def survive_closed_pipes() -> None:
    """Let a command finish normally when nothing reads its output any more, as after “| head”."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.flush()
            outlasting = io.TextIOWrapper(
                io.BufferedWriter(_Output(stream.fileno(), "w", closefd=False)),
                stream.encoding,
                stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            setattr(sys, name, outlasting)


class _Output(io.FileIO):
    """Output that discards everything written after its reader has closed the pipe."""

    def write(self, content: Any, /) -> int:
        """Write some bytes, and return how many were written or discarded."""
        try:
            return super().write(content)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return memoryview(content).nbytes


_PLAIN = str.maketrans("“”‘’–−—×•·→\N{NO-BREAK SPACE}", "''''---x*-> ")


def _replace_with_plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(_PLAIN).replace("…", "...")
    return text.encode("ascii", "backslashreplace").decode(), error.end


def _stop(*_: object) -> None:
    """Exit at once. No file is being written yet, and an import could swallow an exception."""
    try:
        os.write(2, f"{STOPPED}\n".encode())
    finally:  # even if the message cannot be printed
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
