"""Language models: the protocol, and its one implementation for any provider that pydantic-ai knows, or any
endpoint.
"""

import asyncio
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from pydantic import BaseModel

from nacre.domain.errors import Misconfigured, Unavailable

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Reply = TypeVar("Reply", bound=BaseModel)

TIMEOUT_SECONDS = 60.0
# A reply that does not fit its type goes back to the model with the reason, this many times.
RETRIES = 2

_PROMPTS = Path(__file__).parent / "prompts"
_LONGEST_REASON = 500
# No key, a wrong key, or no such model: asking again cannot help.
_REFUSED = (401, 403, 404)
# What the client stumbles with over a reply that is no reply, such as one without choices.
_MALFORMED = (LookupError, TypeError, AttributeError, ValueError)


class UnusableReply(Unavailable):
    """The model answered, and not in the shape that was asked for, however often it was told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrompt:
    """What a model is told: the instructions, which we wrote, and the material, which anyone may have written."""

    instructions: str
    material: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion(Generic[Reply]):
    """A reply that fits its type, and what it cost, retries included."""

    output: Reply
    input_tokens: int
    output_tokens: int


class LanguageModel(Protocol):
    """Answers a prompt in a given shape."""

    @property
    def name(self) -> str:
        """The model, as reports name it."""

    def complete(
        self, prompt: ModelPrompt, output: type[Reply], *, temperature: float | None = None
    ) -> Completion[Reply]:
        """A reply of type `output`. Raises `Unavailable` when none comes, `Misconfigured` when none ever can.

        `UnusableReply`, which is an `Unavailable`, says that the model did answer.
        """


class RemoteLanguageModel:
    """A model behind an OpenAI-compatible `endpoint`, or without one a `provider:model` such as `anthropic:…`.

    `constrained` has the service itself hold replies to their schema, where it can; else the model is asked in words.
    """

    def __init__(
        self,
        model: str,
        *,
        endpoint: str | None = None,
        api_key: str | None = None,
        constrained: bool = False,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        if endpoint is None and ":" not in model:
            raise Misconfigured(f"The model `{model}` needs an endpoint, or its provider in front: `openai:{model}`.")
        if find_spec("pydantic_ai") is None:
            raise Misconfigured("A language model needs its client: pip install 'nacre[llm]'.")
        self._model = model
        self._endpoint = endpoint
        self._api_key = api_key
        self._constrained = constrained
        self._timeout = timeout_seconds

    @property
    def name(self) -> str:
        """The model, as reports name it."""
        return self._model

    def complete(
        self, prompt: ModelPrompt, output: type[Reply], *, temperature: float | None = None
    ) -> Completion[Reply]:
        """A reply of type `output`; all attempts together take no longer than the timeout."""
        # The client takes over a second to import, and most processes never ask a model.
        from pydantic_ai.exceptions import AgentRunError, UnexpectedModelBehavior, UserError  # noqa: PLC0415

        try:
            return asyncio.run(self._complete(prompt, output, temperature))
        except TimeoutError as error:
            raise Unavailable(f"The language model did not answer within {self._timeout:g} seconds.") from error
        except UserError as error:
            raise self._unusable(error) from error
        except UnexpectedModelBehavior as error:
            raise UnusableReply(f"The language model gave no usable reply: {_brief(error)}") from error
        except AgentRunError as error:
            if getattr(error, "status_code", None) in _REFUSED:
                raise Misconfigured(f"The language model's service refused: {_brief(error)}") from error
            raise Unavailable(f"The language model gave no usable reply: {_brief(error)}") from error
        except _MALFORMED as error:
            raise UnusableReply(f"The language model's reply has no known form: {_brief(error)}") from error

    async def _complete(self, prompt: ModelPrompt, output: type[Reply], temperature: float | None) -> Completion[Reply]:
        from pydantic_ai import Agent, ModelSettings, NativeOutput, PromptedOutput  # noqa: PLC0415

        # The service is asked once per attempt: whoever runs the job tries again, and later.
        settings = ModelSettings(timeout=self._timeout, max_retries=0)
        if temperature is not None:
            settings["temperature"] = temperature
        agent = Agent(
            self._connected(),
            # Words are the one way that every service understands.
            output_type=NativeOutput(output) if self._constrained else PromptedOutput(output),
            instructions=prompt.instructions,
            model_settings=settings,
            retries=RETRIES,
        )
        async with asyncio.timeout(self._timeout), agent:
            result = await agent.run(prompt.material)
        usage = result.usage
        return Completion(output=result.output, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)

    def _connected(self) -> "Model":
        """A client of its own for each call, because it belongs to the event loop that made it."""
        from pydantic_ai.exceptions import UserError  # noqa: PLC0415

        try:
            return self._named() if self._endpoint is None else self._behind(self._endpoint)
        except (UserError, ImportError, TypeError, ValueError) as error:
            raise self._unusable(error) from error

    def _behind(self, endpoint: str) -> "Model":
        from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
        from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

        # Services at home take any key, but the client insists on one.
        provider = OpenAIProvider(base_url=_base_url(endpoint), api_key=self._api_key or "none")
        return OpenAIChatModel(self._model, provider=provider)

    def _named(self) -> "Model":
        from pydantic_ai.models import infer_model  # noqa: PLC0415
        from pydantic_ai.providers import infer_provider_class  # noqa: PLC0415

        key = self._api_key
        if key is None:
            return infer_model(self._model)
        # Every provider that takes a key takes it by this name, which their common base class does not say.
        return infer_model(self._model, lambda name: cast("Any", infer_provider_class(name))(api_key=key))

    def _unusable(self, error: Exception) -> Misconfigured:
        return Misconfigured(f"The language model `{self._model}` cannot be used: {_brief(error)}")


def prompt_text(name: str, directives: Path | None = None) -> str:
    """The instructions `name`, such as `memory-rules.md`: the caller's own where their folder has them, else ours."""
    if directives is not None and (directives / name).is_file():
        own = (directives / name).read_text(encoding="utf-8")
        if own.strip():
            return own
    return (_PROMPTS / name).read_text(encoding="utf-8")


def _base_url(endpoint: str) -> str:
    base = endpoint.rstrip("/")
    return base if base.endswith("/v1") else f"{base}/v1"


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST_REASON]
