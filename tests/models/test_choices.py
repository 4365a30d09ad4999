"""A request may name a model of the settings' choices, and a key goes only to the service it was set for."""

import pytest
from pydantic import BaseModel, SecretStr

from nacre import Invalid
from nacre.models import choices
from nacre.models.language_models import ModelPrompt
from nacre.settings import Settings
from tests.models import llm_service

PROMPT = ModelPrompt(instructions="Say nothing.", material="-")


class Nothing(BaseModel):
    """A reply without fields."""


def ask(settings: Settings, provider: str | None, model: str | None) -> None:
    named = choices.language_model(settings, provider, model)
    assert named
    named.complete(PROMPT, Nothing)


@pytest.mark.parametrize(
    ("model", "provider", "named", "sent"),
    [
        ("tiny", None, None, "home"),
        ("tiny", None, "large", "home"),
        ("tiny", "openai-chat", "dear", "away"),
        ("openai-chat:dear", None, "openai-chat:dear", "home"),
    ],
)
def test_a_key_goes_only_to_the_service_it_was_set_for(monkeypatch, model, provider, named, sent):
    with llm_service.running() as home, llm_service.running() as away:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{away.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-away")
        settings = Settings(
            llm_model=model,
            llm_endpoint=home.url,
            llm_api_key=SecretStr("key-of-home"),
            llm_choices=["large", "openai-chat:dear"],
        )

        ask(settings, provider, named)

        expected = {"home": (["Bearer key-of-home"], []), "away": ([], ["Bearer key-of-away"])}
        assert (home.headers, away.headers) == expected[sent]


@pytest.mark.parametrize(("model", "key"), [("openai-chat:dear", "key-of-home"), ("deepseek:chat", "key-of-away")])
def test_without_an_endpoint_a_key_is_its_provider_s_own(monkeypatch, model, key):
    with llm_service.running() as away:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{away.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-away")
        settings = Settings(llm_model=model, llm_api_key=SecretStr("key-of-home"), llm_choices=["openai-chat:dear"])

        ask(settings, "openai-chat", "dear")

        assert away.headers == [f"Bearer {key}"]


@pytest.mark.parametrize(
    ("model", "provider", "named"),
    [(None, None, "x"), (None, "openai", "x"), ("tiny", "openai", None), ("tiny", None, "dear")],
)
def test_what_the_settings_do_not_offer_cannot_be_named(model, provider, named):
    settings = Settings(llm_model=model, llm_endpoint="http://127.0.0.1:9", llm_choices=["large"])

    with pytest.raises(Invalid, match="NACRE_LLM_CHOICES"):
        choices.language_model(settings, provider, named)
