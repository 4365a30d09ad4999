"""The description of the API is whole and true, and the page that shows it needs nobody else."""

import base64
import re
from hashlib import sha256

import pytest

from tests.http.calls import FAMILY_ROUTERS, Operation, named, of_family, operations


@pytest.mark.parametrize("family", FAMILY_ROUTERS)
def test_a_route_is_described_whole(family):
    for operation in of_family(family):
        with named(operation):
            assert_whole(operation)


def assert_whole(operation: Operation) -> None:
    about = operation.about
    assert about["description"]
    assert about["tags"]
    assert {"4XX", "5XX"} <= about["responses"].keys()
    if operation.permission:
        assert about["security"] == [{"HTTPBearer": []}]
        assert "WWW-Authenticate" in about["responses"]["401"]["headers"]
        assert "Retry-After" in about["responses"]["429"]["headers"]
    names = [each["name"] for each in about.get("parameters", [])]
    assert ("Idempotency-Key" in names) == (operation.method != "get")
    if "requestBody" in about:
        assert operation.body() is not None


def test_every_operation_has_a_name_of_its_own():
    names = [each.about["operationId"] for each in operations()]

    assert len(set(names)) == len(names)


def test_lists_are_bounded():
    """Whoever lists says how many at most."""
    for operation in operations():
        for each in operation.parameters:
            if each["name"] in ("limit", "max_results"):
                assert "maximum" in str(each["schema"]), operation


def test_the_page_asks_this_server_alone(client):
    page = client.get("/docs")

    assert page.headers["content-type"].startswith("text/html")
    assert re.findall(r"https?://[^\s\"'<]+", page.text) == []
    assert set(re.findall(r"(?:src|href)=\"([^\"]*)\"", page.text)) == {"/openapi.json"}
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert (policy["default-src"], policy["connect-src"]) == ("'none'", "'self'")
    for tag in ("script", "style"):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL)
        digest = base64.b64encode(sha256(content.encode()).digest()).decode()
        assert policy[f"{tag}-src"] == f"'sha256-{digest}'"
    assert not re.search(r" on\w+=| style=", page.text), "the policy keeps these from working"


def test_the_page_shows_both_by_day_and_by_night(client):
    assert "prefers-color-scheme: dark" in client.get("/docs").text


def test_there_is_no_page_that_loads_scripts_from_elsewhere(client):
    assert client.get("/redoc").status_code == 404
