"""Desktop window of the program. It imports the core, but the core never imports it.

An exception in a method that overrides a Qt method is reported there and does not propagate. Qt
cannot pass exceptions on, and PySide's own handling fails. If two overrides fail during one Qt call
(for example, two items are painted), the second failure frees memory that the first still uses, and
the process ends without a crash dialog or a log entry. Before Python 3.12, a single exception from
C code (``int(float("nan"))``) is enough to cause this. Every override therefore passes its
exception to `sys.excepthook` and returns None to Qt.
"""

import sys
from collections.abc import Callable
from functools import wraps
from inspect import CO_VARARGS
from types import FunctionType, MethodDescriptorType

from shiboken6 import Shiboken


def _guard(cls: type[Shiboken.Object], /, **options: object) -> None:
    super(Shiboken.Object, cls).__init_subclass__(**options)
    for name, member in list(vars(cls).items()):
        inherited = (vars(base).get(name) for base in cls.__mro__)
        if isinstance(member, FunctionType) and any(
            isinstance(method, MethodDescriptorType) for method in inherited
        ):
            setattr(cls, name, _guarded(member))


def _guarded(method: FunctionType) -> Callable[..., object]:
    # Qt counts a slot's parameters, and would pass all of the signal's arguments to `guarded`.
    code = method.__code__
    taken = None if code.co_flags & CO_VARARGS else code.co_argcount

    @wraps(method)
    def guarded(*given: object, **named: object) -> object:
        try:
            return method(*given[:taken], **named)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
            return None

    return guarded


# Set on the common base of Qt's classes: Python calls it for every subclass defined from now on.
setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010
