import pytest

from nacre.text import empty_names


@pytest.mark.parametrize(
    "name", ["42", "3.14", "!!!", "it", "Something", "algo", "and then we left", "Notes:", "x " * 13]
)
def test_words_that_name_nothing(name):
    assert empty_names.why_not(name)


@pytest.mark.parametrize("name", ["C", "R2-D2", "And Then There Were None", "東京", "AI", "IT", "User", "7zip", ".NET"])
def test_words_that_may_name_something(name):
    assert empty_names.why_not(name) is None
