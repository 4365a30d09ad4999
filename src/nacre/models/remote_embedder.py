"""An embedder behind an OpenAI-compatible endpoint."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

import httpx
import numpy as np
import numpy.typing as npt

from nacre.domain.errors import Unavailable
from nacre.models.embedders import Vectors

# A question waits this long for its vector before it is answered without; a background batch waits longer.
QUESTION_SECONDS = 2.0
BATCH_SECONDS = 60.0
# After a failure, questions do not wait again until this much time has passed.
REST_SECONDS = 30.0


class RemoteEmbedder:
    """Asks `POST {endpoint}/v1/embeddings`. Writes never wait for it: it runs in the background."""

    local = False

    def __init__(
        self, endpoint: str, model: str, api_key: str | None = None, *, threshold: float = 0.5, max_chars: int = 30_000
    ) -> None:
        self.threshold = threshold
        self._url = _embeddings_url(endpoint)
        self._model = model
        self._max_chars = max_chars
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(headers=headers)
        self._resting_until = 0.0
        # How many calls of the service went wrong.
        self.failures = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""
        return self._ask(texts, BATCH_SECONDS)

    def embed_question(self, text: str) -> Vectors:
        """One row, or `Unavailable` within two seconds, and at once while the service rests after a failure."""
        if monotonic() < self._resting_until:
            raise Unavailable("The embedding service failed a moment ago and is not asked again yet.")
        try:
            return self._ask([text], QUESTION_SECONDS)
        except Unavailable:
            self._resting_until = monotonic() + REST_SECONDS
            raise

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()

    def _ask(self, texts: Sequence[str], seconds: float) -> Vectors:
        body = {"model": self._model, "input": [text[: self._max_chars] for text in texts], "encoding_format": "float"}
        try:
            reply = self._client.post(self._url, json=body, timeout=seconds)
            reply.raise_for_status()
            matrix = _read(reply.json(), len(texts))
        except httpx.HTTPError as error:
            self.failures += 1
            raise Unavailable(f"The embedding service failed: {error}") from error
        except (ValueError, KeyError, TypeError) as error:
            self.failures += 1
            raise Unavailable(f"The embedding service sent a reply that cannot be read: {error}") from error
        return Vectors(f"{self._model}/{matrix.shape[1]}", matrix)


def _embeddings_url(endpoint: str) -> str:
    base = endpoint.rstrip("/")
    return f"{base}/embeddings" if base.endswith("/v1") else f"{base}/v1/embeddings"


def _read(reply: Any, count: int) -> npt.NDArray[np.float32]:
    items = sorted(reply["data"], key=lambda item: item["index"])
    matrix = np.array([item["embedding"] for item in items], dtype=np.float32)
    if matrix.ndim != 2 or len(matrix) != count or not np.isfinite(matrix).all():
        raise ValueError(f"expected {count} vectors of one length")
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(norms > 0, norms, 1)).astype(np.float32)
