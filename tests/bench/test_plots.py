"""Plots as anyone would read them: well-formed, every series named, powers of ten evenly apart."""

from itertools import pairwise
from xml.etree import ElementTree as ET

from bench.plots import HEIGHT, Bar, Line, bars, decades, lines, short, spread

SVG = "{http://www.w3.org/2000/svg}"


def texts(plot):
    return [text.text for text in ET.fromstring(plot).iter(f"{SVG}text")]


def test_every_line_is_named_with_its_last_value():
    plot = lines("Search", "turns", "ms", [Line("Nacre", ((1000, 2), (10000, 3.5))), Line("A & B", ((1000, 40),))])

    assert {"Nacre 3.5", "A & B 40"} <= set(texts(plot))


def test_powers_of_ten_stand_evenly_apart():
    plot = lines("Search", "turns", "ms", [Line("Nacre", ((1000, 1), (10_000, 10), (100_000, 100)))])

    path = ET.fromstring(plot).findall(f"{SVG}polyline")[0].attrib["points"]
    (x1, y1), (x2, y2), (x3, y3) = ([float(part) for part in point.split(",")] for point in path.split())
    assert abs((x2 - x1) - (x3 - x2)) < 0.2
    assert abs((y2 - y1) - (y3 - y2)) < 0.2
    assert x1 < x2
    assert y1 > y2


def test_a_bar_without_a_second_value_is_drawn_alone():
    plot = bars("Writes", "turns/s", ("one", "many"), [Bar("Nacre", 500, 4000), Bar("Other", 20, None)])

    assert len([bar for bar in ET.fromstring(plot).iter(f"{SVG}rect") if bar.get("x")]) == 3


def test_a_plot_has_colours_for_dark_pages_too():
    assert "prefers-color-scheme: dark" in lines("Search", "turns", "ms", [Line("Nacre", ((1000, 2),))])


def test_labels_keep_apart_and_stay_in_the_plot():
    places = spread([HEIGHT - 60.0, HEIGHT - 61.0, HEIGHT - 55.0, 100.0], 15)

    assert all(after - before >= 15 for before, after in pairwise(sorted(places)))
    assert max(places) < HEIGHT
    assert places[3] == 100


def test_an_axis_goes_from_power_to_power():
    assert decades([3, 250]) == [1, 10, 100, 1000]
    assert decades([10]) == [10, 100]
    assert [short(value) for value in (0.1, 10, 100_000)] == ["0.1", "10", "100k"]
