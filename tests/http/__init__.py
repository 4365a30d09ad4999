# ruff: noqa: A005 (named for the room it tests; always imported as tests.http)
