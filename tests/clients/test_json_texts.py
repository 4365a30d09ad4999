"""JSON files of other programs keep their bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.clients import json_texts

TEXTS = [
    "{}",
    "{}\n",
    '{"a": 1}',
    '{\n\t"a": [1, 2],\n\t"hooks": {}\n}\n',
    '{\r\n  "a": "x"\r\n}\r\n',
    '{\n  // mine\n  "a": 1, /* and\n  this */\n  "hooks": {"Stop": [{"x": "}"}],},\n}\n',
    "{ a: 'it\\'s', \"b\": null }",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_put_and_taken_out_again_leaves_the_rest_as_it_was(text):
    before = json_texts.parse(text, "it").value

    put = json_texts.put(text, ("servers", "nacre"), {"command": "x", "args": ["y"]}, "it")
    put = json_texts.append(put, ("hooks", "Stop"), {"ours": True}, "it")

    held = json_texts.parse(put, "it").value
    assert held["servers"]["nacre"] == {"command": "x", "args": ["y"]}
    assert held["hooks"]["Stop"][-1] == {"ours": True}
    assert [line for line in text.splitlines() if "mine" in line or "this" in line] == [
        line for line in put.splitlines() if "mine" in line or "this" in line
    ]
    taken = json_texts.remove(
        json_texts.remove(put, ("servers",), "it"), ("hooks", "Stop"), "it", -1 + len(held["hooks"]["Stop"])
    )
    left = json_texts.parse(taken, "it").value
    hooks = left.pop("hooks")
    assert hooks.get("Stop", []) == before.get("hooks", {}).get("Stop", [])
    assert left == {name: value for name, value in before.items() if name != "hooks"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=4), st.sampled_from([None, 2, "\t"]), values)
def test_any_object_takes_one_more_member_and_gives_it_back(held, indent, value):
    text = json.dumps(held, indent=indent)

    put = json_texts.put(text, ("nacre!",), value, "it")

    assert json.loads(put) == {**held, "nacre!": value}
    assert json.loads(json_texts.remove(put, ("nacre!",), "it")) == held


@pytest.mark.parametrize("text", ["", "[1]", '{"a": 1', '{"a" 1}', '{"a": 1} {}', "{'a: 1}", '{"a": tru}', "nonsense"])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(Invalid, match="left as it is"):
        json_texts.put(text, ("a",), 1, "it")
