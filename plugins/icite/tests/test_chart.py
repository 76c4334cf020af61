"""The chart: both formats, nothing hidden."""

import importlib.util
from typing import Any
from xml.etree import ElementTree

import pytest
from vouched.api import InvalidArgument
from vouched_icite import chart
from vouched_icite.metrics import Metrics

drawn = pytest.mark.skipif(importlib.util.find_spec("PIL") is None, reason="the extra vouched-icite[plot] is missing")
SVG = "{http://www.w3.org/2000/svg}"


def papers(number: int, **more: Any) -> list[Metrics]:
    return [
        Metrics(pmid=str(99900001 + n), year=2000 + n % 20, relative_citation_ratio=0.1 * n, **more)
        for n in range(number)
    ]


@drawn
def test_the_picture_is_a_png_of_a_modest_size() -> None:
    from PIL import Image

    picture = chart.draw(papers(200))
    assert picture.image.media_type == "image/png"
    assert len(picture.image.data) < 100_000
    import io

    with Image.open(io.BytesIO(picture.image.data)) as image:
        assert image.size == (1200, 720)


@drawn
def test_every_paper_with_a_ratio_is_a_dot_inside_the_frame() -> None:
    tree = ElementTree.fromstring(chart.draw(papers(50)).svg)
    dots = [circle for circle in tree.iter(f"{SVG}circle") if float(circle.get("cy", "0")) > chart.TOP - 1]
    assert len(dots) == 50
    for dot in dots:
        assert chart.LEFT <= float(dot.get("cx", "0")) <= chart.WIDTH - chart.RIGHT
        assert chart.TOP - 1 <= float(dot.get("cy", "0")) <= chart.HEIGHT - chart.BOTTOM + 1


@drawn
def test_papers_of_one_year_do_not_hide_each_other() -> None:
    alike = [Metrics(pmid=str(n), year=2020, relative_citation_ratio=1.0) for n in range(1, 31)]
    tree = ElementTree.fromstring(chart.draw(alike).svg)
    places = {circle.get("cx") for circle in tree.iter(f"{SVG}circle") if circle.get("cy") not in ("46.0",)}
    assert len(places) == 30


@drawn
def test_provisional_ratios_are_hollow() -> None:
    tree = ElementTree.fromstring(chart.draw(papers(3, provisional=True)).svg)
    dots = [circle for circle in tree.iter(f"{SVG}circle") if circle.get("cy") != "46.0"]
    assert {dot.get("fill") for dot in dots} == {"#ffffff"}


@drawn
def test_the_chart_says_what_one_means_and_what_is_not_drawn() -> None:
    svg = chart.draw([*papers(3), Metrics(pmid="1", year=2026)]).svg
    assert "the median NIH-funded paper of the same field and year" in svg
    assert "3 of 4 indexed papers have an RCR; 1 without one are not drawn" in svg


@drawn
def test_a_paper_without_a_year_is_said_not_to_be_drawn() -> None:
    svg = chart.draw([*papers(3), Metrics(pmid="1", relative_citation_ratio=2.0), Metrics(pmid="2", year=2026)]).svg
    assert "4 of 5 indexed papers have an RCR; 1 without one and 1 without a year are not drawn" in svg


@drawn
def test_the_chart_says_when_the_numbers_were_had() -> None:
    assert "Source: NIH iCite, 2026-01-31." in chart.draw(papers(3), "2026-01-31T12:00:00Z").svg


@drawn
@pytest.mark.parametrize("ratios", [(1e308, 1e-300), (1e5, 0.0, 700.5), (5e-324,)])
def test_any_ratio_can_be_drawn_and_the_axis_stays_readable(ratios: tuple[float, ...]) -> None:
    made = [Metrics(pmid=str(n), year=1950 + 9 * n, relative_citation_ratio=r) for n, r in enumerate(ratios, 1)]
    tree = ElementTree.fromstring(chart.draw(made).svg)
    dots = [circle for circle in tree.iter(f"{SVG}circle") if circle.get("cy") != "46.0"]
    assert all(chart.TOP - 1 <= float(dot.get("cy", "0")) <= chart.HEIGHT - chart.BOTTOM + 1 for dot in dots)
    labels = [text for text in tree.iter(f"{SVG}text") if text.get("text-anchor") == "end" and text.get("x") == "62.0"]
    assert len(labels) <= 13
    assert "1" in [label.text for label in labels]


@drawn
def test_no_label_is_struck_through_by_the_line_of_the_median() -> None:
    tree = ElementTree.fromstring(chart.draw([Metrics(pmid="7", year=2020, relative_citation_ratio=1.0)]).svg)
    median = next(
        line for line in tree.iter(f"{SVG}line") if line.get("stroke") == chart.RED and line.get("y1") != "46.0"
    )
    (label,) = [text for text in tree.iter(f"{SVG}text") if text.text == "PMID 7"]
    assert abs(float(label.get("y", "0")) - float(median.get("y1", "0"))) >= 6


@drawn
@pytest.mark.parametrize("number", [1, 80, 1000])
def test_the_picture_keeps_the_colours_it_is_drawn_in(number: int) -> None:
    import io

    from PIL import Image

    made = [
        Metrics(pmid=str(n), year=1980 + n % 40, relative_citation_ratio=0.1 + n * 7 % 97 / 20)
        for n in range(1, number + 1)
    ]
    with Image.open(io.BytesIO(chart.draw(made).image.data)) as image:
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}
    for ink in (chart.BLUE, chart.RED, "#ffffff"):
        assert tuple(bytes.fromhex(ink[1:])) in colours


@drawn
def test_a_set_without_a_ratio_is_a_sentence() -> None:
    assert "No paper of this set has an RCR." in chart.draw([Metrics(pmid="1")]).svg


@drawn
def test_the_same_papers_give_the_same_bytes() -> None:
    assert chart.draw(papers(20)) == chart.draw(list(reversed(papers(20))))


def test_without_the_extra_the_way_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InvalidArgument) as raised:
        chart.require()
    assert "pip install 'vouched-icite[plot]'" in raised.value.hint


def marks(svg: str) -> list[str]:
    """The colours of the slanting lines, which crosses are made of."""
    lines = ElementTree.fromstring(svg).iter(f"{SVG}line")
    return [
        line.get("stroke", "")
        for line in lines
        if line.get("x1") != line.get("x2") and line.get("y1") != line.get("y2")
    ]


@drawn
def test_retracted_papers_are_crossed_out_and_counted() -> None:
    """The picture travels without the notes of the answer."""
    standing = {"99900001": "retracted", "99900002": "concern", "99900003": "retracted_and_republished"}
    picture = chart.draw(papers(5), standing=standing | {"99900004": "not_checked"})
    # Two lines each, and those of the legend.
    assert len(marks(picture.svg)) == 2 * (2 + 1)
    for text in (picture.svg, picture.image.alt):
        assert "Standing known of 3 of 5: 2 retracted, 1 of concern." in text
    assert ">retracted<" in picture.svg


@drawn
@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ({}, "Whether any of them was retracted is not known."),
        ({"99900001": "not_checked"}, "Whether any of them was retracted is not known."),
        (
            dict.fromkeys(("99900001", "99900002"), "none_found"),
            "Standing known of all: none retracted, none of concern.",
        ),
    ],
)
def test_the_chart_says_what_is_known_of_the_standing(standing: dict[str, str], said: str) -> None:
    svg = chart.draw(papers(2), standing=standing).svg
    assert said in svg
    assert marks(svg) == []
    assert ">retracted<" not in svg


@drawn
@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_papers_of_one_year_stand_around_its_middle(number: int) -> None:
    alike = [Metrics(pmid=str(n), year=2020, relative_citation_ratio=float(n)) for n in range(1, number + 1)]
    tree = ElementTree.fromstring(chart.draw(alike).svg)
    places = [float(c.get("cx", "0")) for c in tree.iter(f"{SVG}circle") if c.get("cy") != "46.0"]
    (year,) = [float(t.get("x", "0")) for t in tree.iter(f"{SVG}text") if t.text == "2020"]
    assert sum(places) / number == pytest.approx(year, abs=0.1)
