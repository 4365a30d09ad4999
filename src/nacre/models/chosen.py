"""Chosen models: the ones that settings or a request ask for."""

import logging
from functools import cache

from nacre.domain.errors import Misconfigured
from nacre.models import local_reader
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel, RemoteLanguageModel
from nacre.models.local_reader import LocalReader
from nacre.models.remote_embedder import RemoteEmbedder
from nacre.models.static_embedder import StaticEmbedder
from nacre.settings import Settings

log = logging.getLogger(__name__)


def embedder(settings: Settings) -> Embedder | None:
    """The embedder the settings ask for; None where recall ranks by words alone."""
    if settings.embedding_endpoint:
        if not settings.embedding_model:
            raise Misconfigured("An embedding endpoint needs a model: set NACRE_EMBEDDING_MODEL.")
        key = settings.embedding_api_key
        return RemoteEmbedder(
            settings.embedding_endpoint,
            settings.embedding_model,
            key.get_secret_value() if key else None,
            threshold=settings.embedding_threshold,
            max_chars=settings.embedding_max_chars,
        )
    return _static() if settings.embedder == "local" else None


def talk_reader(settings: Settings) -> LocalReader | None:
    """The reader, where it is wanted and can run; rules work alone without it."""
    if settings.extraction != "reader":
        return None
    if not local_reader.installed():
        log.warning("Talk is read by rules alone: the reader needs onnxruntime, which is not installed.")
        return None
    return local_reader.load()


def language_model(settings: Settings, provider: str | None = None, model: str | None = None) -> LanguageModel | None:
    """The language model that a request names, or else the settings; None where rules do its work."""
    named = model or settings.llm_model
    if not named:
        return None
    if provider:
        named = f"{provider}:{named.rpartition(':')[2]}"
    key = settings.llm_api_key
    # A provider that a request names is reached directly, not through the endpoint of the settings.
    endpoint = None if provider else settings.llm_endpoint
    return RemoteLanguageModel(
        named,
        endpoint=endpoint,
        api_key=key.get_secret_value() if key else None,
        constrained=settings.llm_constrained,
    )


@cache
def _static() -> StaticEmbedder:
    # Read-only and thread-safe, so every brain of a process shares one.
    return StaticEmbedder()
