import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from nacre.models import static_embedder
from nacre.models.static_embedder import DATA, StaticEmbedder, WordPieces

SENTENCES = [
    "Caroline: I went to a support group yesterday and it was so powerful.",
    "Who painted the sunrise over the lake?",
    "The cat sat on the mat.",
    "My sister's café in Zürich opens at 7:30 — naïve, isn't it?",
    "東京で寿司を食べました",
    "🎉🎉 party time!! 🎂",
    "",
    "e-mail: ana@example.org, price: $12.50 (incl. 8% tax)",
]


@pytest.fixture(scope="module")
def embedder():
    return StaticEmbedder()


@pytest.fixture(scope="module")
def tokens():
    return WordPieces(DATA / "vocab.txt")


@pytest.fixture(scope="module")
def plain_tokenizer():
    """The tokenizer as its library runs it, without our split and our cache."""
    tokenizer = Tokenizer(models.WordPiece.from_file(str(DATA / "vocab.txt"), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def test_vectors_have_norm_one(embedder):
    vectors = embedder.matrix([text for text in SENTENCES if text])

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(SENTENCES) - 1, embedder.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x01\x02", "\u200b\ufeff", "\ud800", "\ue000\U0010ffff"])
def test_text_without_a_known_token_is_the_zero_vector(embedder, text):
    assert not embedder.matrix([text]).any()


def test_no_text_gives_no_row(embedder):
    assert embedder.matrix([]).shape == (0, embedder.dimensions)


def test_a_text_has_the_same_bits_alone_and_in_a_batch(embedder):
    texts = [f"{text} {number}" for number in range(200) for text in SENTENCES]

    together = embedder.matrix(texts)

    assert np.array_equal(together, np.concatenate([embedder.matrix([text]) for text in texts]))
    assert np.array_equal(together, StaticEmbedder().matrix(texts[::-1])[::-1])


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("How do I reset my password?", "I forgot my login and need a new password.", "The soup needs more salt."),
        ("Where does Alice live?", "Alice moved to an apartment in Paris.", "The meeting was moved to Thursday."),
        ("What pets does she have?", "She adopted two kittens and a dog.", "Quarterly revenue grew by ten percent."),
    ],
)
def test_a_related_text_is_nearer_than_another(embedder, text, near, far):
    vector, related, unrelated = embedder.matrix([text, near, far])

    assert vector @ related > embedder.threshold > vector @ unrelated


def test_case_and_accents_make_no_difference(embedder):
    one, other = embedder.matrix(["Café in ZÜRICH", "cafe in zurich"])

    assert np.array_equal(one, other)


def test_huge_text_counts_up_to_the_cap(embedder):
    huge = "word " * 200_000
    cut, whole = embedder.matrix([huge[: static_embedder.MAX_CHARACTERS], huge])

    assert np.array_equal(cut, whole)
    assert np.isfinite(embedder.matrix(["x" * 1_000_000, "猫" * 1_000_000, "?" * 1_000_000])).all()


@given(st.text(st.characters()))
def test_any_text_has_a_vector_of_norm_one_or_zero(embedder, text):
    norm = float(np.linalg.norm(embedder.matrix([text])))

    assert norm == pytest.approx(1, abs=1e-5) or norm == 0


# White space that BERT deletes instead of splitting at is where the two are allowed to differ.
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_tokens_are_those_of_the_plain_tokenizer(tokens, plain_tokenizer, text):
    assert tokens.ids([text]) == [plain_tokenizer.encode(text).ids]


def test_a_full_cache_starts_over(monkeypatch, embedder):
    monkeypatch.setattr(static_embedder, "MAX_CACHED_WORDS", 10)
    fresh = StaticEmbedder()

    first = fresh.matrix(SENTENCES)

    assert np.array_equal(first, np.concatenate([fresh.matrix([text]) for text in SENTENCES]))
    assert np.array_equal(first, embedder.matrix(SENTENCES))


def test_threads_get_the_same_vectors(monkeypatch, embedder):
    monkeypatch.setattr(static_embedder, "MAX_CACHED_WORDS", 50)
    batches = [[f"{text} and {start + number}" for text in SENTENCES] for start in range(8) for number in range(20)]
    expected = [embedder.matrix(batch) for batch in batches]
    shared = StaticEmbedder()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(shared.matrix, batches))

    assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))


def test_identity_names_the_digest_of_the_data(embedder):
    digest = hashlib.sha256()
    for name in ("table.npy", "scales.npy", "vocab.txt"):
        digest.update((DATA / name).read_bytes())

    assert embedder.identity == f"nacre-static-256-v1-{digest.hexdigest()[:12]}"


def test_the_data_stays_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 8.5e6
    assert json.loads((DATA / "model.json").read_text())["dimensions"] == np.load(DATA / "table.npy").shape[1]


def test_it_loads_without_torch_and_without_a_network():
    script = """
import socket, sys
def refuse(*_): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
from nacre.models.static_embedder import StaticEmbedder
assert StaticEmbedder().matrix(["hello"]).any()
assert not {"torch", "transformers", "onnxruntime", "safetensors"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_vectors_carry_the_identity_of_their_space(embedder):
    made = embedder.embed(["hello"])

    assert made.space == embedder.identity
    assert np.array_equal(made.matrix, embedder.matrix(["hello"]))
