"""On Python 3.11 an exception that C code raises in an override of Qt's ends the process.

Until Python 3.12 what C code raises (``int(float("nan"))``) is a class and a text, and becomes an
object only when some frame handles it. PySide takes the text for the object and reads beyond it:
no crash dialog, no log. So whatever overrides a method of Qt's handles what passes through, and
raises it again; the rest is as on later versions of Python.
"""

from collections.abc import Callable
from functools import wraps
from inspect import CO_VARARGS
from types import FunctionType, MethodDescriptorType

from shiboken6 import Shiboken


def guard_overrides() -> None:
    """Guard the overrides of every class that is made from one of Qt's from now on."""
    # As if it stood in the class that all of Qt's have in common: Python calls it for each new one.
    setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard))  # noqa: B010


def _guard(cls: type[Shiboken.Object], /, **options: object) -> None:
    super(Shiboken.Object, cls).__init_subclass__(**options)
    for name, member in list(vars(cls).items()):
        inherited = (vars(base).get(name) for base in cls.__mro__)
        if isinstance(member, FunctionType) and any(
            isinstance(method, MethodDescriptorType) for method in inherited
        ):
            setattr(cls, name, _guarded(member))


def _guarded(method: FunctionType) -> Callable[..., object]:
    # Of a slot Qt counts the parameters: this one it would give all that the signal carries.
    code = method.__code__
    taken = None if code.co_flags & CO_VARARGS else code.co_argcount

    @wraps(method)
    def guarded(*given: object, **named: object) -> object:
        try:
            return method(*given[:taken], **named)
        except BaseException:
            raise  # an object by now

    return guarded
