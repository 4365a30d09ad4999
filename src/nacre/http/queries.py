"""Query parameters of routes that read. The schema tells the limits; the domain enforces them."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Path, Query
from pydantic import AfterValidator

from nacre.domain import checks, memories, working
from nacre.domain.navigation import MAX_OFFSET, check_offset
from nacre.http.bodies import LINE, WORDS, Category, Instant, Name

_ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
MEMORY_ID = f"^({_ID}|[0-9a-f]{{12}})$"
AN_ID = "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e"

# Segments of paths in working memory: not blank, not `.` or `..`, and nothing that ends a line.
_UNSEEN = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
SEEN = rf"^[^{_UNSEEN}]*[^\s{_UNSEEN}][^{_UNSEEN}]*$"
_SEGMENT = rf"(?!\.{{1,2}}(?:/|$))[^/{_UNSEEN}]*[^/\s{_UNSEEN}][^/{_UNSEEN}]*"
NAMESPACE = {"maxLength": working.MAX_NAMESPACE, "pattern": f"^{_SEGMENT}/{_SEGMENT}$"}
KEY = {"maxLength": working.MAX_KEY, "pattern": f"^{_SEGMENT}(?:/{_SEGMENT})*$"}
SKILL = {"minLength": 1, "maxLength": checks.MAX_NAME, "pattern": "^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$"}

# What servers take as an address has 64 kB, and a character may be twelve of them; longer questions are asked by POST.
MAX_WORDS = 4_000
# A caller who would wait longer asks again.
MAX_WAIT = 30
Limit = Annotated[
    int, Query(description="At most so many.", json_schema_extra={"minimum": 1, "maximum": checks.MAX_LIMIT})
]
Offset = Annotated[
    int,
    # Where a list is cut here, nothing else would look at it.
    AfterValidator(check_offset),
    Query(description="Leave out so many first.", json_schema_extra={"minimum": 0, "maximum": MAX_OFFSET}),
]
Words = Annotated[
    str | None,
    AfterValidator(lambda value: None if value is None else checks.text("query", value, limit=MAX_WORDS)),
    Query(description="What it has to do with.", json_schema_extra={"maxLength": MAX_WORDS, **WORDS}),
]
InCategory = Annotated[Category | None, Query(description="Only this category and those below it.")]
Tagged = Annotated[
    Sequence[Name],
    Query(description="Only what has all of these tags.", json_schema_extra={"maxItems": memories.MAX_TAGS}),
]
Since = Annotated[Instant | None, Query(description="Only from this time on.")]
Until = Annotated[Instant | None, Query(description="Only up to this time.")]
AsOf = Annotated[Instant | None, Query(description="As it was at this time.")]
BeforeId = Annotated[UUID | None, Query(description="Go on from the one with this id.")]
ObservationId = Annotated[UUID | None, Query(description="Count only what was said up to this observation.")]
AlsoModel = Annotated[bool, Query(description="Wait for the language model that reads turns, too.")]
WaitSeconds = Annotated[
    float,
    Query(description="Work or wait for so long, at most.", json_schema_extra={"minimum": 0, "maximum": MAX_WAIT}),
]
BeforeTime = Annotated[Instant | None, Query(description="Only from before this time.")]
MemoryPath = Annotated[
    str,
    Path(
        description="Its id, or the last twelve characters of it.",
        examples=[AN_ID],
        json_schema_extra={"pattern": MEMORY_ID},
    ),
]
SkillPath = Annotated[str, Path(description="Its name.", examples=["email/reply"], json_schema_extra=SKILL)]
JobPath = Annotated[UUID, Path(description="Its id.", examples=[AN_ID])]
OperationPath = Annotated[UUID, Path(description="The id of an operation or of a batch.", examples=[AN_ID])]
SessionPath = Annotated[str, Path(description="A conversation.", examples=["s1"], json_schema_extra=LINE)]
Namespace = Annotated[
    str, Query(description="Who asks, such as `session/s1`.", examples=["session/s1"], json_schema_extra=NAMESPACE)
]
Key = Annotated[
    str, Query(description="A key of that namespace, or a full path.", examples=["draft"], json_schema_extra=KEY)
]
Below = Annotated[
    str | None,
    Query(description="Look here instead: a prefix such as `patrol` or `subagent/t1`.", json_schema_extra=KEY),
]
