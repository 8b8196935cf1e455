"""Groups of options that several commands share: dataclasses whose fields are the options.

A command takes such a value as one argument. On the command line its fields are separate options,
under their own heading in the help.
"""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, get_args, get_type_hints

from typer.models import OptionInfo, ParameterInfo

Command = Callable[..., int]


def expand_groups(function: Command) -> inspect.Signature:
    """Return the signature of a command with each group replaced by the options in it."""
    signature = inspect.signature(function)
    hints = get_type_hints(function, include_extras=True)
    expanded: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        kind = hints[name]
        if is_dataclass(kind) and isinstance(kind, type):
            expanded.extend(_options(kind))
        else:
            expanded.append(parameter.replace(annotation=kind))
    for each in expanded:
        for extra in get_args(each.annotation)[1:]:
            if isinstance(extra, ParameterInfo):
                extra.readable = False  # whether a file can be read is said by who reads it
    return signature.replace(parameters=expanded)


def collect_groups(function: Command, said: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of a command, its separate options collected into their groups."""
    given, arguments = dict(said), {}
    for name, kind in get_type_hints(function).items():
        if is_dataclass(kind) and isinstance(kind, type):
            own = {each.name: given.pop(each.name) for each in fields(kind)}
            arguments[name] = kind(**own)
    return given | arguments


def _options(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    heading = (group.__doc__ or "").split(":", 1)[0]
    options = []
    for each in fields(group):
        kind, *extras = get_args(hints[each.name])
        shown = [copy(extra) for extra in extras]
        for extra in shown:
            if isinstance(extra, OptionInfo):
                extra.rich_help_panel = heading
        options.append(
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if each.default is MISSING else each.default,
                annotation=Annotated[kind, *shown],
            )
        )
    return options
