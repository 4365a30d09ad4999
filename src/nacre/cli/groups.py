"""Groups of commands: `nacre GROUP COMMAND`."""

import typer


def group(summary: str, *examples: str) -> typer.Typer:
    """A group whose help ends in examples; without a command it shows that help."""
    shown = "\n".join(["\b", "Examples:", *(f"  {each}" for each in examples)]) if examples else None
    return typer.Typer(help=summary, epilog=shown, callback=_or_help, invoke_without_command=True)


def _or_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
