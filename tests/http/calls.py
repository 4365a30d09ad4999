"""Calls made from the schema: what is tested of every route is tested of a new one the day it is added."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

from fastapi.routing import APIRoute

from nacre import Nacre, Settings
from nacre.domain.access import Permission
from nacre.http.app import FAMILIES, create_app
from nacre.http.doors import NEEDS
from nacre.http.queries import AN_ID

AGENTS, USERS = ("agent", "agent_id", "agentId"), ("user", "user_id", "userId")
# A word that something of everybody has to do with.
WORD = "Zanzibar"
SEARCHED = ("query", "q", "message", "text", "question", "context")
METHODS = ("get", "post", "put", "patch", "delete")
# Rows of tests are families: describing the routes takes two seconds, which only a process that tests them need spend.
FAMILY_ROUTERS = {family.__name__.rpartition(".")[2]: family.router for family in FAMILIES}


@cache
def described() -> dict[str, Any]:
    """The schema of the application."""
    with Nacre(":memory:", settings=Settings(embedder="off", worker="off")) as nacre:
        return dict(create_app(nacre).openapi())


@dataclass(frozen=True)
class Operation:
    """One route with one method, as the schema tells it."""

    method: str
    path: str
    about: Mapping[str, Any]
    schema: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def permission(self) -> Permission | None:
        """What its callers need."""
        return Permission(self.about[NEEDS]) if NEEDS in self.about else None

    @property
    def parameters(self) -> list[Mapping[str, Any]]:
        """What it takes beside a body."""
        return [each for each in self.about.get("parameters", []) if each["in"] in ("path", "query")]

    @property
    def fields(self) -> set[str]:
        """The fields of its body."""
        return set(self._body_schema().get("properties", {}))

    @property
    def level(self) -> str:
        """Whose matter it is: that of a scope, of an agent as a whole, or of the server."""
        named = {each["name"] for each in self.parameters}
        # The agent and the user in the body of a token are whom it will be for.
        fields = self.fields if (named | self.fields) & {"agent_id", "agentId"} or "agent" in named else set()
        if not (named | fields).intersection(AGENTS):
            return "server"
        return "scope" if (named | fields).intersection(USERS) else "agent"

    def places(self) -> list[str]:
        """Where a user may be named: in the address or in the body, or nowhere."""
        in_query = any(each["name"] in USERS for each in self.parameters)
        in_body = self.level == "scope" and bool(self.fields.intersection(USERS))
        return [place for place, has in (("query", in_query), ("body", in_body)) if has] or ["nowhere"]

    def body(self) -> Any:
        """The example of its body; None where it has none."""
        if "requestBody" not in self.about:
            return None
        schema = self._body_schema()
        assert schema.get("examples"), f"{self} has no example of its body."
        return schema["examples"][0]

    def request(
        self, agent: str | None, user: str | None, *, place: str = "", ids: str | None = None, word: str | None = None
    ) -> dict[str, Any]:
        """The call for an agent and a user: what `httpx.Client.request` takes.

        `ids` takes the place of every id in the path, `word` that of every question.
        """
        path, query = self.path, {}
        for each in self.parameters:
            name, value = each["name"], self._value(each, ids, word)
            if name in AGENTS:
                value = agent
            elif name in USERS:
                value = None if place == "body" else user
            if each["in"] == "path":
                path = path.replace("{" + name + "}", quote(str(value)))
            elif value is not None:
                query[name] = value
        call: dict[str, Any] = {"method": self.method.upper(), "url": path, "params": query}
        body = self.body()
        if isinstance(body, dict):
            call["json"] = self._named(body, agent, None if place == "query" else user, word)
        elif body is not None:
            media_type = next(iter(self.about["requestBody"]["content"]))
            content = body if isinstance(body, str) else json.dumps(body)
            call |= {"content": content.encode(), "headers": {"content-type": media_type}}
        return call

    def _named(self, body: Mapping[str, Any], agent: str | None, user: str | None, word: str | None) -> dict[str, Any]:
        if self.level == "server":
            return dict(body)
        held = {name: value for name, value in body.items() if name not in (*AGENTS, *USERS)}
        held |= {name: agent for name in AGENTS if name in self.fields and agent is not None}
        held |= {name: user for name in USERS if name in self.fields and user is not None}
        return held | ({name: word for name in SEARCHED if word and isinstance(body.get(name), str)})

    def _value(self, parameter: Mapping[str, Any], ids: str | None, word: str | None) -> Any:
        name, schema = parameter["name"], self._resolved(parameter["schema"])
        if parameter["in"] == "path" and ids and name not in AGENTS:
            return ids
        if word and name in SEARCHED:
            return word
        if not parameter.get("required"):
            return 1 if name == "seconds" else None
        fallback = AN_ID if schema.get("format") == "uuid" else WORD
        examples = schema.get("examples") or parameter.get("examples") or schema.get("enum")
        return examples[0] if examples else fallback

    def _body_schema(self) -> Mapping[str, Any]:
        if "requestBody" not in self.about:
            return {}
        content = next(iter(self.about["requestBody"]["content"].values()))
        schema = self._resolved(content["schema"])
        if "examples" not in schema and ("oneOf" in schema or "anyOf" in schema):
            schema = self._resolved((schema.get("oneOf") or schema["anyOf"])[0])
        if "example" in content or "examples" in content:
            given = content.get("example") or next(iter(content["examples"].values()))["value"]
            schema = {**schema, "examples": [given]}
        return schema

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            schema = self.schema["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation of the application."""
    schema = described()
    return tuple(
        Operation(method, path, about, schema)
        for path, methods in schema["paths"].items()
        for method, about in methods.items()
        if method in METHODS
    )


def of_family(name: str) -> list[Operation]:
    """The operations of one family, in the order of the schema."""
    routes = [route for route in FAMILY_ROUTERS[name].routes if isinstance(route, APIRoute)]
    labels = {f"{method} {route.path_format}" for route in routes for method in route.methods or ()}
    return [each for each in operations() if str(each) in labels]


@contextmanager
def named(operation: Operation) -> Iterator[None]:
    """What fails inside says which operation it was."""
    try:
        yield
    except BaseException as error:
        error.add_note(str(operation))
        raise
