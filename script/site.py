"""Hooks of the documentation site: what the pages have that only a repository knows."""

import re


def on_page_markdown(markdown: str, **_: object) -> str:
    """Name files outside the pages instead of linking to them, and give code blocks a plain language.

    The site is built from the pages alone. Blocks such as "text python" say for the tests what they are.
    """
    named = re.sub(r"\[([^\]]*)\]\((?:\.\./)+([^)]+)\)", r"\1 (`\2`)", markdown)
    return re.sub(r"^```(\w+) \w+$", r"```\1", named, flags=re.MULTILINE)
