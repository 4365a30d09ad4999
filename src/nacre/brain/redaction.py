"""Redaction: what callers hand to a façade, without its secrets, before anything is done with it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from inspect import Signature, signature
from typing import Any

from nacre.domain.errors import Invalid
from nacre.text import secrets

# Names that things are found by again. Another would be another thing, so one that holds a secret is refused.
IDENTIFIERS = frozenset({"session", "path", "namespace", "ref"})
_UUID = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Long numbers are what many systems name sessions by.
_IN_NAMES = "card number"


def redacting(function: Callable[..., Any]) -> Callable[..., tuple[tuple[Any, ...], dict[str, Any]]]:
    """What gives the arguments of a façade's method as they may be kept."""
    known: Signature = signature(function)

    def redacted(facade: object, *given: Any, **keywords: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        try:
            bound = known.bind(facade, *given, **keywords)
        except TypeError:
            # The method says better what is wrong with the call.
            return given, keywords
        for name, value in list(bound.arguments.items())[1:]:
            bound.arguments[name] = _clean_named(name, value)
        return bound.args[1:], bound.kwargs

    return redacted


def _clean_named(name: str, value: Any) -> Any:
    if name not in IDENTIFIERS or not isinstance(value, str):
        return clean(value)
    if set(secrets.redact(value)[1]) - {_IN_NAMES}:
        raise Invalid(name, "holds what looks like a secret, and secrets are not kept")
    return value


def clean(value: Any) -> Any:
    """A value with every text in it as it may be kept."""
    match value:
        case str():
            left, found = secrets.redact(value)
            return left if found and not _UUID.fullmatch(value) else value
        case Mapping():
            return {clean(key): _clean_entry(key, each) for key, each in value.items()}
        case list() | tuple() | set() | frozenset() if not hasattr(value, "_fields"):
            return type(value)(map(clean, value))
        case Iterator():
            return map(clean, value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _clean_fields(value)
        case _:
            return value


def _clean_entry(key: Any, value: Any) -> Any:
    """The value under a key; under `password`, it is one."""
    if not (isinstance(key, str) and isinstance(value, str)):
        return clean(value)
    named = secrets.redact(f"{key}: {value}")[0]
    return named.removeprefix(f"{key}: ") if named.startswith(f"{key}: ") else clean(value)


def _clean_fields(value: Any) -> Any:
    given = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
    changed = {name: new for name, old in given.items() if (new := _clean_named(name, old)) != old}
    return replace(value, **changed) if changed else value
