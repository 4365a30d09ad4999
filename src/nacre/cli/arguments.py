"""Arguments of a command line, as far as they are read before any command is loaded."""

from collections.abc import Sequence

# Options that stand before a command and take a value.
CHOICES = ("--database", "--agent", "--user", "--chat", "--config")


def command_of(arguments: Sequence[str]) -> str | None:
    """The name of the command, behind the options that may stand before it."""
    left = iter(arguments)
    for each in left:
        if not each.startswith("-"):
            return each
        if each in CHOICES:
            next(left, None)
    return None


def without_options(arguments: Sequence[str], *names: str) -> tuple[list[str], dict[str, str]]:
    """Arguments without some options, and what those were given; of several, the last counts."""
    others: list[str] = []
    chosen: dict[str, str] = {}
    left = iter(arguments)
    for each in left:
        name, equals, value = each.partition("=")
        if each == "--":
            others += [each, *left]
        elif name in names:
            chosen[name] = value if equals else next(left, "")
        else:
            others.append(each)
    return others, chosen
