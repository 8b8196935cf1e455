"""``eigenfaces``, ``python -m eigenfaces``: the command line, which Ctrl-C ends at any moment."""

import os
import signal
import sys

from eigenfaces.errors import INTERRUPTED, STOPPED


def main() -> None:
    """Run the command line."""
    _fill_closed_streams()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, _stop)
    from eigenfaces.cli.running import start

    start()


def _stop(*_: object) -> None:
    """End at once, where nothing is being written: an exception would go astray in an import."""
    try:
        os.write(2, f"{STOPPED}\n".encode())
    finally:  # though nobody can be told
        os._exit(INTERRUPTED)


def _fill_closed_streams() -> None:
    """Let what is closed (“>&-”) be nowhere: else the first file opened would take its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    # Python has none for what was closed when it started.
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    main()
