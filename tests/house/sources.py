"""The modules of the package, read and parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

HOME = Path(__file__).parents[2] / "src/nacre"


@cache
def texts() -> dict[Path, str]:
    """Every module as it is written."""
    return {path: path.read_text() for path in sorted(HOME.rglob("*.py")) if "web" not in path.parts}


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module, parsed."""
    return {path: ast.parse(text) for path, text in texts().items()}


@cache
def definitions() -> list[tuple[Path, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every class and function, wherever it stands, with the file that it stands in."""
    return [
        (path, node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
