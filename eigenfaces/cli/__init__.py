"""The command line: its commands in the order in which they are wanted, under their headings."""

from typer.completion import (  # type: ignore[attr-defined]  # it does not list them
    completion_init,
    get_completion_script,
)

from eigenfaces.cli.building import build, faces, info, train
from eigenfaces.cli.evaluating import compare, evaluate, published, repeat, sweep
from eigenfaces.cli.learning import components, lesson, map, reconstruct, synthesise
from eigenfaces.cli.options import argument, reader
from eigenfaces.cli.recognising import calibrate, recognise, verify
from eigenfaces.cli.running import DONE, app, register, say
from eigenfaces.text import one_of

__all__ = ["app"]


def completion(
    shell: str = argument(
        "SHELL",
        "bash, zsh or fish.",
        parser=reader(lambda text: one_of(("bash", "zsh", "fish"), text, "shell")),
    ),
) -> int:
    """Print the script by which a shell completes commands and options.

    ```
    eigenfaces completion bash > ~/.local/share/bash-completion/completions/eigenfaces
    eigenfaces completion zsh > ~/.zfunc/_eigenfaces
    eigenfaces completion fish > ~/.config/fish/completions/eigenfaces.fish
    ```
    """
    variable = "_EIGENFACES_COMPLETE"
    say(get_completion_script(prog_name="eigenfaces", complete_var=variable, shell=shell))
    return DONE


completion_init()
register("A project", build, info, train, faces)
register("Who is on a photograph", recognise, calibrate, verify)
register("How often that is right", evaluate, repeat, compare, sweep, published)
register("The face space", components, reconstruct, synthesise, map, lesson)
register("This program", completion)
