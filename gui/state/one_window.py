"""One window per project: a second process asks the first window to come forward, then exits.

Each process listens under the name of its project, and the first process also under a general
name. A server left behind by a killed process does not answer, and is replaced. If the program is
started twice in a row, the second process waits until the first window can answer.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QDir, QLockFile, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE = 2000  # milliseconds to wait for an existing window to answer
_STARTING = 20_000  # milliseconds to wait at most for an earlier start
_ANSWER = b"here\n"


def _name(project: Path | None) -> str:
    """Return the name under which a project's window listens, or the general name if None."""
    place = "" if project is None else str(project.resolve())
    key = sha256(f"{getpass.getuser()}\0{Path.home()}\0{place}".encode(errors="surrogateescape"))
    return f"eigenfaces-{key.hexdigest()[:24]}"


def hold_other_starts() -> QLockFile:
    """Return a lock that makes later processes wait until it is released or this process ends.

    Release it once the window can answer; see `Doorbell`.
    """
    lock = QLockFile(QDir.temp().filePath(f"{_name(None)}.lock"))
    lock.tryLock(_STARTING)
    return lock


def ask_to_come_forward(project: Path | None) -> bool:
    """Ask a project's window (the first window if None) to come forward; return whether it does."""
    socket = QLocalSocket()
    socket.connectToServer(_name(project))
    if not socket.waitForConnected(_PATIENCE):
        return False
    there = socket.waitForReadyRead(_PATIENCE) and bytes(socket.readAll().data()) == _ANSWER
    socket.disconnectFromServer()
    return there


class Doorbell(QObject):
    """Server that calls ``come_forward`` whenever the program is started again."""

    def __init__(
        self, come_forward: Callable[[], object], parent: QObject, project: Path | None = None
    ) -> None:
        """Listen under the general name and under that of any project about to be opened."""
        super().__init__(parent)
        self._come_forward = come_forward
        self._project: Path | None = None
        self._of_any = self._listen(_name(None))
        self._of_project: QLocalServer | None = None
        self.show_project(project)

    def show_project(self, project: Path | None) -> None:
        """Listen under the name of this project instead of the previous one."""
        if project == self._project:
            return
        self._project = project
        if self._of_project is not None:
            self._of_project.close()
            self._of_project.deleteLater()
        self._of_project = None if project is None else self._listen(_name(project))

    def _listen(self, name: str) -> QLocalServer | None:
        """Return a server with this name, or None if another window already uses the name."""
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(lambda: self._answer(server))
        if server.listen(name):
            return server
        socket = QLocalSocket()
        socket.connectToServer(name)
        if not socket.waitForConnected(_PATIENCE):  # left by a killed process
            QLocalServer.removeServer(name)
            if server.listen(name):
                return server
        server.deleteLater()
        return None

    def _answer(self, server: QLocalServer) -> None:
        while (socket := server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.write(_ANSWER)
            socket.flush()
            self._come_forward()
