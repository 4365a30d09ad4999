"""`python -m bench`."""

if __name__ == "__main__":
    # Imported here: a measuring process starts by importing this file, and must not carry the terminal along.
    from bench.app import app

    app()
