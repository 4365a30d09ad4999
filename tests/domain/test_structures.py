"""What a caller says a memory is about, as far as it can be read."""

from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.domain.structures import to_structure

anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["source", "target", "aspect", "entityName", "attributes", "content"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["entities", "aspects", "hints", "odd"]), anything))
def test_whatever_is_handed_over_is_read_or_refused(given_part):
    try:
        structure = to_structure(given_part)
    except Invalid:
        return
    parts = [given_part.get(name) or [] for name in ("entities", "aspects", "hints")]
    direct = [each for each in structure.refused if "." not in each.item]
    read = [*structure.triples, *structure.sides, *structure.hints]
    assert len(direct) + len(read) <= sum(map(len, parts))
