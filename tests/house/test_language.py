"""One language: names that a reader would search for, each for one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import HOME, definitions, texts, trees

# Errors are named for what went wrong.
ERRORS = HOME / "domain/errors.py"
# Words that say of something that it was found or is known, whatever it is.
CATCH_ALL = ("found", "held", "kept", "known", "named", "said", "told", "wanted")
MOST_TYPES = 8
# Participles without an ending of their own.
IRREGULAR = """
    Begun Bought Brought Built Chosen Done Drawn Found Given Gone Grown Heard Held Kept Known Learnt Led Left Lent
    Lost Made Meant Met Paid Put Read Said Seen Sent Set Shown Sought Spent Spoken Taken Taught Thought Told Written
"""
# Nouns that end like participles.
NOUNS = ("Feed", "Finding", "Heading", "Need", "Seed", "Setting", "Spelling", "Thing", "Wording")
# Names of modules that nobody would search for.
RIDDLES = """
    checkups examinations keeping listening lookups misnomers pasts pondering reviews setting_aside shadows specifics
    suspicions symptoms taking_in treatments wishes worth
"""


def classes() -> Iterator[tuple[Path, str]]:
    return ((path, node.name) for path, node in definitions() if isinstance(node, ast.ClassDef))


def is_participle(name: str) -> bool:
    """Whether a name is one word that says how something is or what is being done, and not what it is."""
    word = name.lstrip("_")
    if not re.fullmatch(r"[A-Z][a-z]+", word) or word in NOUNS:
        return False
    return word in IRREGULAR.split() or word.endswith(("ed", "ing"))


def test_no_class_has_the_name_of_another():
    """But for replies of HTTP among themselves: their names are those of the API's components."""
    homes = defaultdict(list)
    for path, name in classes():
        homes[name].append(str(path.relative_to(HOME)))
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}

    assert {name: paths for name, paths in twice.items() if not all(path.startswith("http/") for path in paths)} == {}


def test_a_class_is_a_noun_and_no_bare_participle():
    guilty = [f"{path.relative_to(HOME)}: {name}" for path, name in classes() if path != ERRORS and is_participle(name)]

    assert guilty == []


def annotated(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[tuple[str, ast.expr]]:
    """The parameters and local variables of a function, with their types."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.annotation:
            yield node.arg, node.annotation
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.annotation


def test_no_parameter_name_stands_for_many_types():
    types = defaultdict(set)
    annotating = re.compile(rf"\b(?:{'|'.join(CATCH_ALL)}) *:")
    suspects = {path for path, text in texts().items() if annotating.search(text)}
    for path, node in definitions():
        if path in suspects and not isinstance(node, ast.ClassDef):
            for name, annotation in annotated(node):
                if name in CATCH_ALL:
                    types[name].add(ast.unparse(annotation).strip("'\""))

    many = {name: sorted(found) for name, found in types.items() if len(found) > MOST_TYPES}
    assert many == {}


def test_the_docstring_of_a_module_begins_with_its_noun():
    said = {str(path.relative_to(HOME)): ast.get_docstring(tree) or "" for path, tree in trees().items()}
    guilty = [name for name, text in said.items() if text.startswith("What ")]

    assert guilty == []


def test_no_module_is_named_by_a_riddle():
    assert [str(path.relative_to(HOME)) for path in trees() if path.stem in RIDDLES.split()] == []
