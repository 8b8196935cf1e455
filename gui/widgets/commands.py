"""Keyboard shortcuts from the table in `eigenfaces.manual.keys`; no other module binds keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from eigenfaces.manual.keys import command, with_key
from .controls import Button


def bind(name: str, owner: QWidget, act: Callable[[], object], *parts: QWidget) -> QAction:
    """Return an action for a command; its keys work while the owner is visible and enabled.

    If ``parts`` are given, the keys work only while one of them, or a child of one, has the focus.
    """
    told = command(name)
    return _action(owner, told.menu or told.does, told.sequences, act, parts)


def bind_each(name: str, owner: QWidget, act: Callable[[int], object], *parts: QWidget) -> None:
    """Bind each key of a command to ``act``, which is called with the index of the key."""
    told = command(name)
    for number, key in enumerate(told.sequences):
        _action(owner, told.does, [key], partial(act, number), parts)


def bind_button(name: str, button: Button) -> None:
    """Bind the keys of a command to a button and show them in its tooltip."""
    bind(name, button, button.click)
    button.setToolTip(with_key(name))


def _action(
    owner: QWidget,
    text: str,
    keys: list[str],
    act: Callable[[], object],
    parts: tuple[QWidget, ...],
) -> QAction:
    action, context = QAction(text, owner), Qt.ShortcutContext
    action.setShortcuts([QKeySequence(key) for key in keys])
    in_part, in_window = context.WidgetWithChildrenShortcut, context.WindowShortcut
    action.setShortcutContext(in_part if parts else in_window)
    action.triggered.connect(lambda: act())
    for widget in parts or (owner,):
        widget.addAction(action)
    return action
