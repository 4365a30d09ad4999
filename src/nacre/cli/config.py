"""`nacre config`: how this process is set up, and what decided it."""

import typer

from nacre import settings as environment
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.domain.errors import Misconfigured
from nacre.settings import Setting

app = group("How Nacre is set up, and where that comes from.", "nacre config show", "nacre config check")


@app.command()
def show(context: typer.Context, *, as_json: options.AsJson = False) -> None:
    """Show every setting, its value and what decided it; of secrets, only whether there are any."""
    given = {name: value for name, value in context.obj.items() if value is not None}
    settings = environment.load().model_copy(update=given)
    output.show(environment.explained(settings, given), as_json=as_json)


@app.command()
def check(*, as_json: options.AsJson = False) -> None:
    """Look whether the settings are right, and whether a variable is misspelt."""
    environment.load()
    unknown = environment.strangers()
    if unknown:
        raise Misconfigured(f"No setting goes by the name of {', '.join(unknown)}.")
    output.show(output.ShortResult("The settings are right.", {"ok": True}), as_json=as_json)


output.table(Setting, name="name", value="value", origin="origin")
