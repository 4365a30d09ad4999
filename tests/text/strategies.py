"""Texts that property tests draw from."""

from hypothesis import strategies as st

# Any string a Python program can hold, halves of surrogate pairs included.
any_text = st.text(st.characters())
# Characters at which words, sentences and pieces begin and end; that is where the bugs are.
edges = st.text("aZé ß\n\t.!?…,'’\"()-_+#&1٣²東かกิлйї🙂\u200d\ufe0f\u0301\ud800", max_size=60)
texts = any_text | edges
