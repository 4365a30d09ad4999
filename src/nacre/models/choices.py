"""Chosen models: the ones that settings or a request ask for."""

import logging

from nacre.domain.errors import Invalid, Misconfigured
from nacre.models import local_ranker, local_reader, static_embedder
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel, RemoteLanguageModel
from nacre.models.local_ranker import LocalRanker
from nacre.models.local_reader import LocalReader
from nacre.settings import Settings

log = logging.getLogger(__name__)


def embedder(settings: Settings) -> Embedder | None:
    """The embedder the settings ask for; None where recall ranks by words alone."""
    if settings.embedding_endpoint:
        if not settings.embedding_model:
            raise Misconfigured("An embedding endpoint needs a model: set NACRE_EMBEDDING_MODEL.")
        from nacre.models.remote_embedder import RemoteEmbedder  # noqa: PLC0415 - httpx, for those who ask elsewhere

        key = settings.embedding_api_key
        return RemoteEmbedder(
            settings.embedding_endpoint,
            settings.embedding_model,
            key.get_secret_value() if key else None,
            threshold=settings.embedding_threshold,
            max_chars=settings.embedding_max_chars,
        )
    return static_embedder.load() if settings.embedder == "local" else None


def talk_reader(settings: Settings) -> LocalReader | None:
    """The reader, where it is wanted and can run; rules work alone without it."""
    if settings.extraction not in ("reader", "model"):
        return None
    if not local_reader.installed():
        log.warning("Talk is read by rules alone: the reader needs onnxruntime, which is not installed.")
        return None
    return local_reader.load()


def ranker(settings: Settings) -> LocalRanker | None:
    """The ranker, where talk is read behind the write anyway and hits are compared quickly."""
    wanted = settings.extraction in ("reader", "model") and settings.rerank in ("auto", "fast")
    return local_ranker.load() if wanted and local_reader.installed() else None


def language_model(settings: Settings, provider: str | None = None, model: str | None = None) -> LanguageModel | None:
    """The language model of the settings, or one of their choices that a request names; None where rules do its work.

    The key goes only to the service it was set for. Others are asked with the key that their own variable holds.
    """
    named = _model_name(settings, provider, model)
    if named is None:
        return None
    direct = bool(provider) or settings.llm_endpoint is None
    key = settings.llm_api_key
    ours = not direct or (settings.llm_endpoint is None and _provider(named) == _provider(settings.llm_model or ""))
    return RemoteLanguageModel(
        named,
        endpoint=None if direct else settings.llm_endpoint,
        api_key=key.get_secret_value() if key and ours else None,
        constrained=settings.llm_constrained,
    )


def turn_model(settings: Settings) -> LanguageModel | None:
    """The language model that reads turns, where the settings want that."""
    if settings.extraction != "model":
        return None
    if not settings.llm_model:
        raise Misconfigured("NACRE_EXTRACTION is `model`, which needs a language model: set NACRE_LLM_MODEL.")
    return language_model(settings)


def _model_name(settings: Settings, provider: str | None, model: str | None) -> str | None:
    """The model that is asked, with its provider where one is named; what the settings do not list is refused."""
    if not (provider or model):
        return settings.llm_model or None
    named = model or settings.llm_model or ""
    if provider:
        named = f"{provider}:{named.rpartition(':')[2]}"
    offered = tuple(filter(None, (settings.llm_model, *settings.llm_choices)))
    if named not in offered:
        wanted = f"must be {' or '.join(f'`{each}`' for each in offered)}" if offered else "cannot be chosen"
        raise Invalid("model", f"{wanted}; the operator lists others in NACRE_LLM_CHOICES")
    return named


def _provider(model: str) -> str:
    return model.partition(":")[0]
