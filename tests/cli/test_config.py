"""Settings from a file, the environment and the command line, and what shows them."""

import json
from pathlib import Path

import pytest

from nacre import Misconfigured, Settings


@pytest.fixture(autouse=True)
def no_file_named(monkeypatch):
    monkeypatch.delenv("NACRE_CONFIG", raising=False)


def shown(ran):
    """What `config show --json` tells, by name."""
    assert ran.code == 0, ran.err
    return {each["name"]: (each["value"], each["origin"]) for each in json.loads(ran.out)}


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(nacre_command, monkeypatch):
    Path("nacre.toml").write_text('agent = "filed"\nuser = "filed"\nchat = "filed"\nhosts = ["a.example"]\n')
    monkeypatch.setenv("NACRE_USER", "ana")
    monkeypatch.setenv("NACRE_AGENT", "environed")

    found = shown(nacre_command("--agent", "given", "config", "show", "--json"))

    assert found["agent"] == ("given", "command line")
    assert found["user"] == ("ana", "NACRE_USER")
    assert found["chat"] == ("filed", "nacre.toml")
    assert found["hosts"] == (["a.example"], "nacre.toml")
    assert found["rate_limit"] == (600, "default")
    assert found.keys() == Settings.model_fields.keys()


def test_a_setting_with_several_variables_is_one_setting(nacre_command, monkeypatch):
    Path("nacre.toml").write_text("embedding_threshold = 0.1\nembedding_max_chars = 7\n")
    monkeypatch.setenv("Embedding__MinSimilarityThreshold", "0.7")

    found = shown(nacre_command("config", "show", "--json"))

    assert found["embedding_threshold"] == (0.7, "Embedding__MinSimilarityThreshold")
    assert found["embedding_max_chars"] == (7, "nacre.toml")


def test_a_named_file_is_read_in_place_of_the_one_at_hand(nacre_command, monkeypatch, tmp_path):
    Path("nacre.toml").write_text('agent = "here"\n')
    Path("one.toml").write_text('agent = "one"\n')
    Path("two.toml").write_text('agent = "two"\n')
    monkeypatch.setenv("NACRE_CONFIG", str(tmp_path / "one.toml"))

    assert shown(nacre_command("config", "show", "--json"))["agent"] == ("one", str(tmp_path / "one.toml"))
    assert shown(nacre_command("--config", "two.toml", "config", "show", "--json"))["agent"] == ("two", "two.toml")
    assert Settings().agent == "one"


def test_a_command_works_with_what_the_file_says(nacre_command):
    Path("nacre.toml").write_text('database = "elsewhere.db"\n')

    assert nacre_command("observe", "tea").code == 0
    assert Path("elsewhere.db").is_file()


def test_secrets_are_not_shown(nacre_command, monkeypatch):
    Path("nacre.toml").write_text('llm_api_key = "sesame"\ndatabase = "postgresql://ana:sesame@db.example/brain"\n')

    ran = nacre_command("config", "show", "--json")

    assert "sesame" not in ran.out
    assert shown(ran)["llm_api_key"] == ("set", "nacre.toml")
    assert shown(ran)["database"] == ("postgresql://db.example/brain", "nacre.toml")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('databse = "x.db"', "`databse` in `nacre.toml` is not a setting. Is `database` meant?"),
        ("zebra = 1", "`zebra` in `nacre.toml` is not a setting."),
        ("[server]\nport = 1", "`server` in `nacre.toml` is not a setting."),
        ('rate_limit = "often"', "rate_limit (from nacre.toml): Input should be a valid integer"),
        ('embedding_threshold = "x"', "embedding_threshold (from nacre.toml): Input should be a valid number"),
        ("database = 5", "database (from nacre.toml): Input should be a valid string"),
        ("rate_limit = -1", "rate_limit (from nacre.toml): Input should be greater than or equal to 0"),
        ("agent = ", "`nacre.toml` is not TOML"),
    ],
)
@pytest.mark.parametrize("command", [("config", "check"), ("config", "show"), ("recall", "tea")])
def test_what_is_wrong_in_the_file_is_one_clear_line(nacre_command, command, content, said):
    Path("nacre.toml").write_text(content)

    ran = nacre_command(*command)

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_a_file_that_is_named_must_be_there(nacre_command):
    ran = nacre_command("--config", "none.toml", "config", "check")

    assert (ran.code, ran.err) == (
        2,
        "error: The settings in `none.toml` cannot be read: No such file or directory.\n",
    )


def test_what_is_wrong_in_the_environment_names_the_variable(nacre_command, monkeypatch):
    monkeypatch.setenv("NACRE_RATE_LIMIT", "often")
    assert "rate_limit (from NACRE_RATE_LIMIT)" in nacre_command("config", "check").err
    monkeypatch.delenv("NACRE_RATE_LIMIT")
    monkeypatch.setenv("NACRE_HOSTS", "a.example")
    assert "hosts" in nacre_command("config", "check").err


def test_a_check_finds_misspelt_variables(nacre_command, monkeypatch):
    assert nacre_command("config", "check").out == "The settings are right.\n"
    monkeypatch.setenv("NACRE_DATABSE", "x.db")

    ran = nacre_command("config", "check")

    assert (ran.code, ran.err) == (2, "error: No setting goes by the name of NACRE_DATABSE.\n")


def test_a_program_reads_the_file_as_commands_do(tmp_path, monkeypatch):
    (tmp_path / "brain.toml").write_text('graph = "off"\nextraction = "off"\n')
    monkeypatch.setenv("NACRE_CONFIG", str(tmp_path / "brain.toml"))

    assert (Settings().graph, Settings(graph="on").graph) == ("off", "on")
    monkeypatch.setenv("NACRE_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(Misconfigured):
        Settings()
