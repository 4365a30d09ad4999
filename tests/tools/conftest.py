"""Every tool of a scope by its name, as agents get them."""

import pytest

from nacre.domain.contexts import DATA_NOTICE
from nacre.tools.catalogue import for_agents

OPENED, CLOSED = f"{DATA_NOTICE}\n\n<memory>\n", "\n</memory>"


def inside(reply):
    """What stands between the tags of a reply."""
    assert reply.startswith(OPENED)
    assert reply.endswith(CLOSED)
    return reply.removeprefix(OPENED).removesuffix(CLOSED)


@pytest.fixture
def box(scope):
    """The tools of the user ana."""
    return {tool.__name__: tool for tool in for_agents(scope, every=True, session="desk")}
