"""Every row of the specification is proven by a marked test, or says that it is not built yet."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/spec.md").read_text()


def rows() -> set[str]:
    """The ids of the table."""
    return set(re.findall(r"^\| ([A-Z]\d+) \|", PAGE, re.MULTILINE))


def not_built() -> set[str]:
    """The ids listed as not built yet."""
    section = PAGE.partition("## Not built yet")[2]
    return set(re.findall(r"\b[A-Z]\d+\b", section))


@cache
def marked() -> set[str]:
    """The ids that tests carry as `@pytest.mark.spec("…")`."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if "mark.spec" in source else ():
            if isinstance(node, ast.Call) and _is_mark(node.func):
                found |= {str(ast.literal_eval(argument)) for argument in node.args}
    return found


def _is_mark(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr == "spec" and ast.unparse(called) == "pytest.mark.spec"


def test_the_table_is_there():
    assert len(rows()) >= 80


def test_every_row_is_proven_or_listed_as_not_built():
    assert rows() - marked() - not_built() == set()


def test_the_list_of_what_is_not_built_is_honest():
    assert not_built() <= rows()
    assert not_built() & marked() == set()


def test_markers_name_rows_that_exist():
    assert marked() <= rows()
