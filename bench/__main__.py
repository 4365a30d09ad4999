"""`python -m bench`."""

import os

if __name__ == "__main__":
    # Times and scores are those of recall alone, whatever is installed; `bench rerank` measures what a reranker adds.
    os.environ.setdefault("NACRE_RERANK", "off")
    # Imported here: a measuring process starts by importing this file, and must not carry the terminal along.
    from bench.app import app

    app()
