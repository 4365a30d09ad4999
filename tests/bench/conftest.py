import json

import pytest


@pytest.fixture
def written(tmp_path):
    """Writes a data file and gives the folder it is in."""

    def write(name, entries):
        (tmp_path / name).write_text(json.dumps(entries), encoding="utf-8")
        return tmp_path

    return write
