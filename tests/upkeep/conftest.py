"""Fixtures of dreaming."""

from collections.abc import Iterator

import pytest

from nacre import Nacre, ScopedNacre
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService
from tests.upkeep.desk import Desk


@pytest.fixture
def desk(nacre: Nacre, scope: ScopedNacre) -> Desk:
    """A scope and its passes, with no language model."""
    return Desk(nacre, scope)


@pytest.fixture
def service(desk: Desk) -> Iterator[LanguageModelService]:
    """A language model that says what the test tells it to."""
    with llm_service.running() as running:
        desk.ask(running)
        yield running
