"""The page of a report in a browser: at a desk and on a telephone, in light and dark."""

from __future__ import annotations

import html
import tempfile
import unittest
from pathlib import Path

import fake_reports
from browser import Browser
from fake_reports import CPUS

ROOT = Path(__file__).resolve().parents[2]
WIDTHS = {"a desk": 1400, "a tablet": 800, "a telephone": 390}
SCHEMES = ("light", "dark")
LEAST_LETTERS = 8  # pixels that the letters of a figure have on a telephone
LEAST_CONTRAST = 4.5  # between letters and background, as in WCAG

# Faults of the figures: texts that leave their figure or overlap, and letters that are too small.
LOOK_AT_FIGURES = """
const wrong = [], figures = [...document.querySelectorAll("svg")];
for (const figure of figures) {
  const title = figure.querySelector("title").textContent, box = figure.getBoundingClientRect();
  const limit = document.documentElement.clientWidth;
  if (box.width < 200 || box.height < 60) wrong.push(`${title}: has no size`);
  if (box.left < 0 || box.right > limit) wrong.push(`${title}: is wider than the window`);
  const texts = [...figure.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  for (const [words, at] of texts)
    if (at.left < box.left || at.right > box.right || at.top < box.top || at.bottom > box.bottom)
      wrong.push(`${title}: "${words}" leaves the figure`);
  for (const [place, [words, at]] of texts.entries())
    for (const [others, other] of texts.slice(place + 1)) {
      const across = Math.min(at.right, other.right) - Math.max(at.left, other.left);
      const down = Math.min(at.bottom, other.bottom) - Math.max(at.top, other.top);
      if (across > 1 && down > 0.4 * Math.min(at.height, other.height))
        wrong.push(`${title}: "${words}" and "${others}" lie on each other`);
    }
  const scale = box.width / figure.viewBox.baseVal.width;
  for (const text of figure.querySelectorAll("text"))
    if (parseFloat(getComputedStyle(text).fontSize) * scale < arguments[0])
      wrong.push(`${title}: the letters of "${text.textContent}" are too small`);
}
return [figures.length, wrong];
"""

# The least contrast of letters, in the page and in its figures.
CONTRAST = """
const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const found = [];
for (const figure of document.querySelectorAll("svg")) {
  const paper = getComputedStyle(figure.querySelector(".paper")).fill;
  for (const text of figure.querySelectorAll("text:not([style])"))
    found.push(contrast(getComputedStyle(text).fill, paper));
}
const page = getComputedStyle(document.body).backgroundColor;
for (const part of document.querySelectorAll("h1, h2, p, a, summary"))
  found.push(contrast(getComputedStyle(part).color, page));
return Math.min(...found);
"""

LOAD_PICTURE = """
const [source, done] = arguments, image = new Image();
document.body.append(image);
image.src = source;
return image.decode().then(() => [image.naturalWidth, image.naturalHeight], () => [0, 0]);
"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.reports = {
            "of one": fake_reports.draw(cls.folder, CPUS[:1], with_peers=False),
            "of all": fake_reports.draw(cls.folder, CPUS, with_peers=True),
        }
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def test_no_error_at_any_width(self) -> None:
        for name, report in self.reports.items():
            for where, width in WIDTHS.items():
                for scheme in SCHEMES:
                    with self.subTest(name, where=where, scheme=scheme):
                        self.browser.open(report / "index.html", width, scheme)
                        self.assertEqual(self.browser.messages(), [])

    def test_every_figure_is_there_and_its_texts_have_room(self) -> None:
        for name, report in self.reports.items():
            drawn = len(list(report.glob("*.svg"))) - (report / "benchmark.svg").exists()
            for where, width in WIDTHS.items():
                with self.subTest(name, where=where):
                    self.browser.open(report / "index.html", width)
                    self.assertEqual(self.browser.run(LOOK_AT_FIGURES, LEAST_LETTERS), [drawn, []])

    def test_the_page_is_no_wider_than_the_window(self) -> None:
        for name, report in self.reports.items():
            for where, width in WIDTHS.items():
                with self.subTest(name, where=where):
                    self.browser.open(report / "index.html", width)
                    self.browser.run('for (const each of document.querySelectorAll("details")) each.open = true')
                    self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)

    def test_sections_stand_in_the_order_in_which_they_are_asked_for(self) -> None:
        self.browser.open(self.reports["of all"] / "index.html", WIDTHS["a telephone"])
        tops = self.browser.run(
            'return [...document.querySelectorAll("nav a")].map(a => document.querySelector(a.hash).offsetTop)'
        )
        self.assertEqual(len(tops), 6)
        self.assertEqual(tops, sorted(set(tops)))

    def test_letters_can_be_told_from_what_is_behind_them(self) -> None:
        for scheme in SCHEMES:
            with self.subTest(scheme):
                self.browser.open(self.reports["of all"] / "index.html", scheme=scheme)
                self.assertGreaterEqual(self.browser.run(CONTRAST), LEAST_CONTRAST)

    def test_dark_is_dark(self) -> None:
        shades = []
        for scheme in SCHEMES:
            self.browser.open(self.reports["of all"] / "index.html", scheme=scheme)
            shades.append(self.browser.run('return getComputedStyle(document.querySelector("svg .paper")).fill'))
        self.assertEqual(shades, ["rgb(255, 255, 255)", "rgb(20, 23, 28)"])

    def test_a_click_on_a_title_sorts(self) -> None:
        self.browser.open(self.reports["of all"] / "index.html")
        column = 'document.querySelectorAll(".sortable")[1].tBodies[0].rows'
        times = f"return [...{column}].map(row => Number(row.cells[2].dataset.value))"
        click = 'document.querySelectorAll(".sortable")[1].tHead.rows[0].cells[2].click()'
        before = self.browser.run(times)
        self.browser.run(click)
        self.assertEqual(self.browser.run(times), sorted(before))
        self.browser.run(click)
        self.assertEqual(self.browser.run(times), sorted(before, reverse=True))

    def test_pictures_of_the_pages_are_pictures(self) -> None:
        pictures = [self.reports["of all"] / "benchmark.svg", ROOT / "docs" / "benchmark.svg"]
        pictures += [ROOT / "docs" / "call.svg"]
        pictures += sorted((ROOT / "docs" / "operators").glob("*.svg"))
        blank = self.folder / "blank.html"
        blank.write_text("<!DOCTYPE html><title>pictures</title>")
        self.browser.open(blank)
        for picture in pictures:
            with self.subTest(picture.name):
                width, height = self.browser.run(LOAD_PICTURE, picture.as_uri())
                self.assertGreater(min(width, height), 100)

    def test_the_readmes_picture_can_be_read_on_a_telephone(self) -> None:
        for name, picture in (
            ("new", self.reports["of all"] / "benchmark.svg"),
            ("kept", ROOT / "docs" / "benchmark.svg"),
        ):
            page = self.folder / f"{name}.html"
            style = "margin: 16px"
            page.write_text(
                f'<!DOCTYPE html><meta charset="utf-8"><title>{html.escape(name)}</title><body style="{style}">'
                + picture.read_text().replace("<svg ", '<svg style="width: 100%; height: auto" ', 1)
            )
            with self.subTest(name):
                self.browser.open(page, WIDTHS["a telephone"])
                self.assertEqual(self.browser.run(LOOK_AT_FIGURES, LEAST_LETTERS), [1, []])


if __name__ == "__main__":
    unittest.main()
