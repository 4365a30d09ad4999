"""Items: JSON values under keys of namespaces, as stores of other libraries keep them, each held by one memory."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from nacre.domain.errors import Invalid
from nacre.domain.memories import ITEMS

Namespace = tuple[str, ...]

MAX_CATEGORY = 150
# Names in the metadata of an item.
PLACE, DIGEST, CREATED, UNINDEXED = "item", "item_digest", "item_created_at", "item_unindexed"


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Where an item stands, and what its memory is labelled with so that it is found there."""

    namespace: Namespace
    key: str

    @property
    def category(self) -> str:
        """The namespace for people to read, as far as it can stand in a category."""
        parts = [re.sub(r"[^A-Za-z0-9_-]+", "-", label).strip("-") for label in self.namespace]
        return "/".join([ITEMS, *filter(None, parts)])[:MAX_CATEGORY].rstrip("/")

    @property
    def tags(self) -> list[str]:
        """Names the item, and every namespace that it is below."""
        above = [tag("under", self.namespace[: depth + 1]) for depth in range(len(self.namespace))]
        return [tag("item", self.namespace, self.key), *above]

    def metadata(self, text: str) -> dict[str, str]:
        """Says where the item stands, and what its value was word for word."""
        return {PLACE: json.dumps([self.namespace, self.key]), DIGEST: digest(text)}


def written(value: object) -> str:
    """A value as a memory holds it."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid("value", f"must be JSON: {error}") from error


def tag(kind: str, *place: object) -> str:
    """A label for a place of any length."""
    return f"{kind}-{digest(json.dumps(place))}"


def under(prefix: Sequence[str]) -> list[str]:
    """The labels of what is below a namespace."""
    return [tag("under", tuple(prefix))] if prefix else []


def digest(text: str) -> str:
    """Names a text."""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
