"""The page at `/` and what it loads, as HTTP serves them. What the page does is tested in tests/dashboard."""

import re

import pytest

from nacre.http import dashboard


def test_the_page_is_there_with_everything_it_loads(client):
    page = client.get("/")

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    loaded = re.findall(r'(?:src|href)="\./([^"]+)"', page.text)
    assert loaded
    for name in loaded:
        assert client.get(f"/{name}").status_code == 200, name


def test_the_page_may_ask_nobody_but_its_own_server(client):
    policy = client.get("/").headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert not re.search(r"https?:|\*|unsafe", policy)


def test_the_page_is_asked_for_again_and_its_files_are_kept(client):
    page = client.get("/")
    name = re.search(r'src="\./(assets/[^"]+)"', page.text)
    assert name

    assert page.headers["cache-control"] == "no-cache"
    assert "immutable" in client.get(f"/{name[1]}").headers["cache-control"]


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/assets/../index.html", "/assets/%2e%2e/%2e%2e/__init__.py"])
def test_nothing_else_of_the_package_is_served(client, path):
    reply = client.get(path)

    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == "not_found"


def test_a_source_tree_without_the_page_says_how_to_build_it(client, monkeypatch, tmp_path):
    monkeypatch.setattr(dashboard, "WEB", tmp_path)

    reply = client.get("/")

    assert reply.status_code == 404
    assert "pip install --editable" in reply.text


def test_a_page_of_another_origin_gets_nothing(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
