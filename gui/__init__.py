"""The window. It imports the core; the core never imports it.

An exception in an override of Qt's is reported where it happens, and goes no further. Qt cannot
pass it on, and PySide's way fails: when two overrides fail within one call of Qt (two items are
painted, two parts are shown), the second frees what the first still uses, and the process ends
without a crash dialog or a log. Until Python 3.12 a single one that C code raises
(``int(float("nan"))``) is enough. So whatever overrides a method of Qt's hands its exception to
`sys.excepthook`, and Qt goes on with nothing.
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
    # Qt counts the parameters of a slot: `guarded` would receive all that the signal carries.
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


# On the common base of Qt's classes: Python calls it for each subclass that is defined from now on.
setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010
