"""Command-line options made from the fields of a value."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args

import typer
from typer.models import OptionInfo

from eigenfaces.errors import EigenfacesError
from eigenfaces.text import Field, OneOf, Whole, YesOrNo, typed

Group = TypeVar("Group")
Said = TypeVar("Said")


def option(field: Field, **declared: Any) -> OptionInfo:
    """Return the option of a field; ``declared`` is what it is to have of another kind."""
    about = declared.pop("about", field.about)
    how = f": {field.how}" if field.how and not flag_of(field) else ""
    declared.setdefault("help", f"{about}{how}.")
    name = flag_of(field) or field.option or field.name
    if not flag_of(field):
        declared.setdefault("metavar", field.metavar)
        if isinstance(field, Whole):
            declared |= {"min": field.least, "max": field.most}
        else:
            declared.setdefault("parser", reader(field.read))
    short = ("-k",) if field.name == "components" else ()
    return typer.Option(*short, f"--{name.replace('_', '-')}", **declared)


def flag_of(field: Field) -> str:
    """Return the name of an option that takes no value; else nothing."""
    if isinstance(field, YesOrNo):
        return field.name
    return field.flag if isinstance(field, OneOf) else ""


def reader(read: Callable[[str], Said]) -> Callable[[object], Said]:
    """Return a parser of what is typed, whose errors are those of the command line."""

    def parsed(text: object) -> Said:
        try:
            return read(str(text))
        except EigenfacesError as error:
            raise typer.BadParameter(str(error)) from None

    return parsed


def declared(fields: Iterable[Field], usual: Mapping[str, object]) -> dict[str, Any]:
    """Return the annotation of an option for each field; ``usual`` are the values that help shows.

    What is not said is None, or False for what takes no value.
    """
    return {
        each.name: Annotated[bool, option(each)]
        if flag_of(each)
        else Annotated[
            (int if isinstance(each, Whole) else str) | None,
            option(each, show_default=shown(usual[each.name])),
        ]
        for each in fields
    }


def with_options(annotations: Mapping[str, Any]) -> Callable[[type[Group]], type[Group]]:
    """Make a class a group of options; its docstring is their heading."""

    def made(group: type[Group]) -> type[Group]:
        group.__annotations__ = dict(annotations)
        for name, annotation in annotations.items():
            setattr(group, name, False if get_args(annotation)[0] is bool else None)
        return dataclass(frozen=True)(group)

    return made


def shown(value: object) -> str:
    """Return a value as it is typed."""
    return typed(value) if isinstance(value, str) else f"{value:g}"
