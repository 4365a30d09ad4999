"""Settings: the only reader of the environment."""

from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from nacre.domain.errors import Misconfigured


class Settings(BaseSettings):
    """Every setting, its environment variable (`NACRE_` and the name in capitals) and its default."""

    model_config = SettingsConfigDict(env_prefix="NACRE_", extra="ignore", populate_by_name=True)

    database: str = Field(default="nacre.db", description="A file, `:memory:` or `postgresql://…`.")
    agent: str = Field(default="assistant", description="The agent that commands speak for.")
    user: str | None = Field(default=None, description="The user that commands speak for.")
    chat: str | None = Field(default=None, description="The chat that commands speak for.")
    embedder: Literal["local", "off"] = Field(default="local", description="`off` ranks by words alone.")
    rerank: Literal["auto", "off", "fast", "best"] = Field(
        default="auto",
        description="Whether recall reads its best hits once more; `auto` is `fast` where onnxruntime is installed.",
    )
    rerank_deadline: float = Field(
        default=1.0, ge=0, description="How many seconds that may take before recall goes without."
    )
    embedding_endpoint: str | None = Field(
        default=None,
        validation_alias=AliasChoices("NACRE_EMBEDDING_ENDPOINT", "Embedding__Endpoint"),
        description="An OpenAI-compatible embedding service, used in place of the local embedder.",
    )
    embedding_model: str | None = Field(
        default=None,
        validation_alias=AliasChoices("NACRE_EMBEDDING_MODEL", "Embedding__Model"),
        description="Its model.",
    )
    embedding_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("NACRE_EMBEDDING_API_KEY", "Embedding__ApiKey"),
        description="Its key.",
    )
    embedding_threshold: float = Field(
        default=0.5,
        ge=-1,
        le=1,
        validation_alias=AliasChoices("NACRE_EMBEDDING_THRESHOLD", "Embedding__MinSimilarityThreshold"),
        description="The cosine under which its vectors say that two texts are unrelated.",
    )
    embedding_max_chars: int = Field(
        default=30_000,
        ge=1,
        validation_alias=AliasChoices("NACRE_EMBEDDING_MAX_CHARS", "Embedding__MaxInputChars"),
        description="How much of a text it is sent.",
    )
    auth: Literal["local", "team", "hybrid"] = Field(
        default="local",
        description="Who may call the server: anyone on this machine, holders of a token, or both.",
    )
    rate_limit: int = Field(
        default=600, ge=0, description="How many calls a minute a token may make of one server process; 0 is no limit."
    )
    hosts: list[str] = Field(
        default=[], description="Host names the server answers to beside loopback, as a JSON list."
    )
    redact_secrets: bool = Field(
        default=False,
        description="Whether keys, passwords and card numbers are taken out of texts before they are kept.",
    )
    graph: Literal["on", "off"] = Field(default="on", description="`off` leaves the knowledge graph alone.")
    extraction: Literal["on", "off"] = Field(
        default="on", description="`off` keeps what is said from changing the knowledge graph; reading it still works."
    )
    worker: Literal["thread", "off"] = Field(
        default="thread", description="`off` leaves background jobs to `nacre worker` processes."
    )
    dream_hours: int = Field(
        default=24, ge=0, description="How many hours pass between two dreams of a scope; 0 leaves dreaming to people."
    )
    llm_model: str | None = Field(
        default=None, description="A language model: `provider:model`, or a model of the endpoint below."
    )
    llm_endpoint: str | None = Field(default=None, description="An OpenAI-compatible service for it.")
    llm_api_key: SecretStr | None = Field(default=None, description="Its key.")
    llm_constrained: bool = Field(
        default=False, description="Whether its service can hold replies to a JSON schema; most that run at home can."
    )
    llm_token_cap: int = Field(
        default=200_000, ge=1, description="The most tokens that one text or one pass of dreaming may cost."
    )
    directives: Path | None = Field(default=None, description="A folder whose files replace the built-in prompts.")
    index_memory_mb: int = Field(default=1024, ge=1, description="Memory that recall indexes may hold, in MiB.")


def shown(settings: Settings) -> dict[str, Any]:
    """The settings for people to read: of a secret, only whether there is one; of an address, nothing that opens it."""
    held = settings.model_dump(mode="json", exclude={name for name, value in settings if isinstance(value, SecretStr)})
    secrets = {name: "set" for name, value in settings if isinstance(value, SecretStr)}
    addresses = {name: _address(value) for name, value in held.items() if isinstance(value, str) and "://" in value}
    return {name: {**held, **addresses, **secrets}[name] for name in type(settings).model_fields}


def _address(value: str) -> str:
    """An address without its user, its password and its options."""
    parts = urlsplit(value)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def load() -> Settings:
    """The settings of this process."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise Misconfigured(f"A setting is wrong: {problems}.") from error
