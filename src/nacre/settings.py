"""Settings: the only reader of the environment, and of the file that settings may stand in."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, SettingsConfigDict, SettingsError
from pydantic_settings import PydanticBaseSettingsSource as Source

from nacre.domain.errors import Misconfigured

PREFIX = "NACRE_"
# Where the file of the settings is, and where it is looked for when nothing says so.
CONFIG, FILE = "NACRE_CONFIG", Path("nacre.toml")
# Variables of ours that are no settings.
OTHERS = (CONFIG, "NACRE_TEST_")

_chosen: ContextVar[Path | None] = ContextVar("config", default=None)


class Settings(BaseSettings):
    """Every setting, its environment variable (`NACRE_` and the name in capitals) and its default.

    In the file a setting goes by its name.
    """

    model_config = SettingsConfigDict(env_prefix="NACRE_", extra="ignore", populate_by_name=True)

    database: str = Field(default="nacre.db", description="A file, `:memory:` or `postgresql://…`.")
    replica: str | None = Field(default=None, description="A copy of PostgreSQL that recall and reports may read.")
    pool_size: int = Field(default=8, ge=1, le=1_000, description="How many connections a process keeps open.")
    pool_overflow: int = Field(default=24, ge=0, le=1_000, description="How many more it may open when all are in use.")
    pool_seconds: int = Field(default=30, ge=1, description="How long a call waits for a connection.")
    statement_seconds: int = Field(
        default=60, ge=0, description="How long PostgreSQL may take for one statement; 0 is no limit."
    )
    lock_seconds: int = Field(default=30, ge=0, description="How long it may wait for a lock; 0 is no limit.")
    idle_seconds: int = Field(
        default=600, ge=0, description="How long a transaction may stay idle before PostgreSQL ends it; 0 is no limit."
    )
    pooler: bool = Field(
        default=False, description="Whether PgBouncer or another pool in transaction mode stands before PostgreSQL."
    )
    agent: str = Field(default="assistant", description="The agent that commands speak for.")
    user: str | None = Field(default=None, description="The user that commands speak for.")
    chat: str | None = Field(default=None, description="The chat that commands speak for.")
    embedder: Literal["local", "off"] = Field(default="local", description="`off` ranks by words alone.")
    rerank: Literal["auto", "off", "fast", "best"] = Field(
        default="auto",
        description="Whether recall compares its best hits once more; `auto` is `fast` where onnxruntime is installed.",
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
        default=600, ge=0, description="How many calls a minute a token may make of one server; 0 is no limit."
    )
    hosts: list[str] = Field(
        default=[], description="Host names the server answers to beside loopback, as a JSON list."
    )
    public_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/?#\s]+$",
        description="Where assistants reach this server, such as `https://memory.example.org`: they can then sign in.",
    )
    oauth_secret: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="What their sign-ins are signed with: 32 random characters or more; a new one ends all of them.",
    )
    redact_secrets: bool = Field(
        default=False,
        description="Whether keys, passwords and card numbers are taken out of texts before they are kept.",
    )
    graph: Literal["on", "off"] = Field(default="on", description="`off` leaves the knowledge graph alone.")
    extraction: Literal["model", "reader", "rules", "off"] = Field(
        default="reader",
        description="Who reads what is said for the knowledge graph: `reader` is a small model beside the rules, and "
        "`model` has the language model read it as well. `off` leaves the graph as it is; it can be read.",
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
    llm_choices: list[str] = Field(
        default=[],
        description="Models that a request may name instead, as a JSON list of `provider:model`; the key above is "
        "not sent to other providers, which take theirs from their own variable.",
    )
    llm_constrained: bool = Field(
        default=False, description="Whether its service can hold replies to a JSON schema; most that run at home can."
    )
    llm_token_cap: int = Field(
        default=200_000, ge=1, description="The most tokens that one text or one pass of dreaming may cost."
    )
    llm_daily_tokens: int = Field(
        default=100_000,
        ge=0,
        description="The most tokens a day that reading turns (extraction by `model`) may cost a scope; 0 is no limit.",
    )
    directives: Path | None = Field(default=None, description="A folder whose files replace the built-in prompts.")
    index_memory_mb: int = Field(default=1024, ge=1, description="Memory that recall indexes may hold, in MiB.")
    index_passages: int = Field(
        default=1_000_000,
        ge=1,
        description="Of a scope with more passages, recall asks the database for candidates and holds no index.",
    )
    cache: str | None = Field(default=None, description="A Redis or Valkey server that keeps nodes of the graph.")
    host: str = Field(default="127.0.0.1", description="The address that the server listens on.")
    port: int = Field(default=8765, ge=0, le=65_535, description="Its port; 0 picks a free one.")
    workers: int = Field(default=1, ge=1, le=256, description="How many processes answer requests.")
    background_minutes: int = Field(
        default=60, ge=0, description="When the server of `nacre up` ends because nobody calls it; 0 is never."
    )
    shutdown_seconds: int = Field(
        default=10, ge=1, le=600, description="How long a server that is told to stop waits for requests in flight."
    )
    metrics: Literal["off", "on"] = Field(default="off", description="`on` counts what is done, for `/metrics`.")
    metrics_dir: Path | None = Field(
        default=None, description="A folder in which servers and workers of one machine add up what they count."
    )
    traces: Literal["off", "on"] = Field(
        default="off", description="`on` sends traces to where the `OTEL_…` variables say."
    )
    log: Literal["text", "json"] = Field(default="text", description="How servers and workers write their log.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="What is worth a line; `info` has one for each request."
    )

    world_url: str | None = Field(
        default=None, description="Where prices are read: an address with `{symbol}` or `{symbols}`, answered in JSON."
    )
    world_value: str = Field(default="price", description="Where its reply holds the price, such as `{symbol}.usd`.")
    world_change: str | None = Field(default=None, description="Where it holds the day's change in per cent.")
    world_time: str | None = Field(default=None, description="Where it holds when that was; without it, it is now.")
    world_unit: str = Field(default="USD", description="The currency or unit of what it says.")
    world_seconds: float = Field(
        default=10.0, gt=0, le=60, description="How many seconds a call of it, or of the webhook, may take."
    )
    world_minutes: int = Field(
        default=15, ge=0, description="How many minutes pass between two looks of a scope; 0 leaves looking to people."
    )
    world_threshold: float = Field(default=4.0, gt=0, description="From how many per cent on a move is worth an alert.")
    world_step: float = Field(
        default=0.5, ge=0, description="From how many per cent on a look by the clock tells the graph; 0 is always."
    )
    world_daily_cap: int = Field(default=3, ge=0, le=50, description="How many alerts a day a scope is told of.")
    world_quiet: str = Field(default="23:00-08:00", description="When alerts are held back; empty is never.")
    world_timezone: str = Field(default="UTC", description="Whose clock that is, and whose days.")
    world_webhook: str | None = Field(default=None, description="An address that alerts are posted to.")
    world_webhook_secret: SecretStr | None = Field(default=None, description="What these posts are signed with.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: Source,
        env_settings: Source,
        dotenv_settings: Source,  # noqa: ARG003 - not read
        file_secret_settings: Source,  # noqa: ARG003 - not read
    ) -> tuple[Source, ...]:
        """What is given in Python wins over the environment, and the environment over the file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, _in_file())


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting for people to read, and what decided it."""

    name: str
    value: Any
    origin: str


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


def placed(database: str) -> str:
    """Where a database is, for people who are elsewhere: a file by its whole path, an address as it is shown."""
    if "://" in database:
        return _address(database)
    return database if database == ":memory:" else str(Path(database).absolute())


def load() -> Settings:
    """The settings of this process."""
    try:
        return Settings()
    except ValidationError as error:
        known = origins()
        problems = [(_name(str(each["loc"][0])) if each["loc"] else "", each["msg"]) for each in error.errors()]
        told = "; ".join(f"{name} (from {known.get(name, 'default')}): {said}" for name, said in problems)
        raise Misconfigured(f"A setting is wrong: {told}.") from error
    except SettingsError as error:
        raise Misconfigured(f"A setting is wrong: {error}. Lists are written as JSON.") from error


def explained(settings: Settings, given: Mapping[str, object] | None = None) -> list[Setting]:
    """Every setting and where it comes from; `given` are those of the command line."""
    known = origins() | dict.fromkeys(given or {}, "command line")
    return [Setting(name=name, value=value, origin=known[name]) for name, value in shown(settings).items()]


def origins() -> dict[str, str]:
    """What decides each setting: a variable, a file, or its default."""
    held, named = _in_file(), file()
    written = {name.upper(): name for name in os.environ}
    found = {}
    for name in Settings.model_fields:
        variable = next((written[each.upper()] for each in _variables(name) if each.upper() in written), None)
        found[name] = variable or (str(named) if name in held else "default")
    return found


def strangers() -> list[str]:
    """Variables that look like settings and are none, by name."""
    known = {each.upper() for name in Settings.model_fields for each in _variables(name)}
    ours = (name for name in os.environ if name.upper().startswith(PREFIX) and not name.upper().startswith(OTHERS))
    return sorted(name for name in ours if name.upper() not in known)


@contextmanager
def reading(file: Path | None) -> Iterator[None]:
    """Take settings from a file for as long as this lasts, in place of the one that the environment names."""
    token = _chosen.set(file)
    try:
        yield
    finally:
        _chosen.reset(token)


def hand_down(variable: str, value: str) -> None:
    """Tell a library that can be told in no other way than through the environment."""
    os.environ[variable] = value


def _variables(name: str) -> list[str]:
    alias = Settings.model_fields[name].validation_alias
    return [str(each) for each in alias.choices] if isinstance(alias, AliasChoices) else [PREFIX + name.upper()]


def _name(place: str) -> str:
    """The setting that a variable is about."""
    return next((name for name in Settings.model_fields if place in (name, *_variables(name))), place)


def file() -> Path | None:
    """The file that settings stand in: the one that was chosen, else the one in the working directory, if any."""
    named = _chosen.get() or os.environ.get(CONFIG)
    if named:
        return Path(named)
    return FILE if FILE.is_file() else None


def _in_file() -> dict[str, Any]:
    """The settings of the file; a key that is none is a mistake, not a remark."""
    named = file()
    if named is None:
        return {}
    try:
        held = tomllib.loads(named.read_text(encoding="utf-8"))
    except OSError as error:
        raise Misconfigured(f"The settings in `{named}` cannot be read: {os.strerror(error.errno or 0)}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"`{named}` is not TOML: {error}.") from error
    for key in held.keys() - Settings.model_fields.keys():
        near = get_close_matches(key, Settings.model_fields, 1)
        hint = f" Is `{near[0]}` meant?" if near else ""
        raise Misconfigured(f"`{key}` in `{named}` is not a setting.{hint}")
    return held
