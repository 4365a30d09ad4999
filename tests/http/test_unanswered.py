"""What a driver says of a database that is gone is for its operators, not for whoever calls."""

import pytest

from nacre import Nacre
from nacre.domain.errors import Unavailable
from nacre.http import failures
from nacre.tools.failures import error_text

GONE = "postgresql://nobody@127.0.0.1:1/nothing"


def test_callers_are_told_that_the_database_is_gone_and_the_log_says_where(caplog):
    with pytest.raises(Unavailable) as raised:
        Nacre(GONE)

    shown = [bytes(failures.respond(raised.value).body).decode(), error_text(raised.value)]

    assert all("The database does not answer." in each and "127.0.0.1" not in each for each in shown)
    assert [record.getMessage().count("127.0.0.1") > 0 for record in caplog.records] == [True, True]
