"""`python -m bench`."""

import os
import sys

# What finding, learning and contexts are worth is measured as Nacre ships. Times elsewhere are those of recall alone;
# `rerank` measures what a reranker adds.
AS_SHIPPED = {"quality", "context", "updates", "hours", "facts", "statements", "life"}

if __name__ == "__main__":
    if AS_SHIPPED.isdisjoint(sys.argv[1:2]):
        os.environ.setdefault("NACRE_RERANK", "off")
    # Imported here: a measuring process starts by importing this file, and must not carry the terminal along.
    from bench.app import app

    app()
