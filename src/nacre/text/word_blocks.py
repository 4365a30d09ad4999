"""Word blocks: lists of words written as text, for tables that people read and extend."""


def words(block: str) -> tuple[str, ...]:
    """The words of a block; `_` stands for a space."""
    return tuple(word.replace("_", " ") for word in block.split())


def word_set(block: str) -> frozenset[str]:
    """As `words`, without order."""
    return frozenset(words(block))


def pairs(block: str) -> dict[str, str]:
    """The pairs of a block: `mamá=mother papá=father`."""
    return dict(pair.split("=") for pair in block.split())
