"""The site in a browser: every page, at a desk and on a telephone, in light and dark; and the targets of its links.

    python3 tests/site/test_site.py build/site/html

This program serves it, to this machine only.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import threading
import time
import unittest
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
from browser import Browser  # noqa: E402

SITE = ROOT / "build" / "site" / "html"
WIDTHS = (1400, 800, 390)
SCHEMES = {"light": "default", "dark": "slate"}
PREFIX = "/0.3"  # a version lies in a folder of the site, beside the list of versions
PATIENCE = 20  # seconds
VERSIONS = b'[{"version": "0.3", "title": "0.3", "aliases": ["latest"]}]'

# The excess width of the page over the window, and its colours.
LOOK = """
const page = document.documentElement;
return [page.scrollWidth - page.clientWidth, document.body.dataset.mdColorScheme];
"""
BACKGROUND = "return Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))"
SEARCH = """
const query = document.querySelector("[data-md-component=search-query]");
query.focus();
query.value = arguments[0];
query.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}));
query.dispatchEvent(new InputEvent("input", {bubbles: true}));
"""
LISTED = 'return [...document.querySelectorAll(".md-version__link")].map(link => link.textContent.trim())'
FOUND = 'return [...document.querySelectorAll(".md-search-result__link")].map(link => link.href)'


class Handler(SimpleHTTPRequestHandler):
    """Serves the site beside other versions. Most pages get an empty search index."""

    with_search = False

    def translate_path(self, path: str) -> str:
        return str(SITE / unquote(urlsplit(path).path.removeprefix(PREFIX).lstrip("/")))

    def do_GET(self) -> None:
        if self.path == "/versions.json":
            self.answer(VERSIONS)
        elif self.path.endswith("/search_index.json") and not self.with_search:
            index = json.loads(Path(self.translate_path(self.path)).read_text())
            self.answer(json.dumps(index | {"docs": []}).encode())
        else:
            super().do_GET()

    def answer(self, content: bytes) -> None:
        """Sends some JSON."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


class Addresses(HTMLParser):
    """The addresses in a page, of links and of loaded files, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {"", "__top"}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        elif tag == "link" and named.get("rel") in {"stylesheet", "icon"}:
            self.loaded.append(named["href"])
        elif "src" in named:
            self.loaded.append(named["src"])


@cache
def addresses(page: Path) -> Addresses:
    """The addresses of a page, which is read once."""
    parser = Addresses()
    parser.feed(page.read_text())
    return parser


def pages() -> list[Path]:
    return sorted(path for path in SITE.rglob("*.html") if path.name != "404.html")


class Links(unittest.TestCase):
    def test_there_are_pages(self) -> None:
        self.assertGreater(len(pages()), 50)

    def test_every_link_leads_somewhere(self) -> None:
        for page in pages():
            for link in addresses(page).links:
                parts = urlsplit(link)
                if parts.scheme:
                    continue
                target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
                target = target / "index.html" if target.is_dir() else target
                with self.subTest(page.name, link=link):
                    self.assertTrue(target.is_file(), "no such file")
                    if target.suffix == ".html":
                        self.assertIn(unquote(parts.fragment), addresses(target).anchors)

    def test_pages_load_nothing_from_elsewhere(self) -> None:
        for page in pages():
            loaded = [urlsplit(address) for address in addresses(page).loaded]
            with self.subTest(page.name):
                self.assertEqual([each for each in loaded if each.scheme not in {"", "data"}], [])

    def test_the_reference_has_every_function_of_c(self) -> None:
        anchors = set().union(*(addresses(page).anchors for page in (SITE / "c").glob("*.html")))
        for header in (ROOT / "include" / "strew").glob("*.h"):
            names = set(re.findall(r"^STREW_API [^;(]*?\b(strew_\w+)\(", header.read_text(), re.MULTILINE))
            self.assertLessEqual(names, anchors, header.name)

    def test_the_reference_has_every_name_of_python(self) -> None:
        for page, source in (("strew", "__init__.py"), ("torch", "torch/__init__.py"), ("jax", "jax/__init__.py")):
            tree = ast.parse((ROOT / "python" / "strew" / source).read_text())
            (names,) = (
                ast.literal_eval(node.value)
                for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
            )
            module = "strew" if page == "strew" else f"strew.{page}"
            anchors = addresses(SITE / "api" / f"{page}.html").anchors
            self.assertLessEqual({f"{module}.{name}" for name in names}, anchors)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.address = f"http://127.0.0.1:{cls.server.server_port}{PREFIX}"
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def test_every_page_fits_at_every_width_in_light_and_dark(self) -> None:
        schemes = SCHEMES
        sources = list((SITE / "sources").rglob("*.html"))
        for page in sorted({*pages()} - {*sources[1:]}):  # which differ in their text alone
            name = page.relative_to(SITE).as_posix()
            self.browser.open(f"{self.address}/{name}")
            for width in WIDTHS:
                self.browser.resize(width)
                for scheme, colours in schemes.items():
                    self.browser.prefer(scheme)
                    with self.subTest(name, width=width, scheme=scheme):
                        self.assertTrue(self.comes_to(lambda: self.browser.run(LOOK) == [0, colours]), "too wide")
                schemes = dict(reversed(schemes.items()))  # so that one thing changes at a time
            with self.subTest(name):
                self.assertEqual(self.browser.messages(), [])

    def test_dark_is_dark(self) -> None:
        for scheme, least, most in (("light", 200, 255), ("dark", 0, 60)):
            self.browser.open(f"{self.address}/index.html", scheme=scheme)
            with self.subTest(scheme):
                self.assertTrue(self.comes_to(lambda: least <= self.browser.run(BACKGROUND) <= most))

    def test_the_search_finds_functions(self) -> None:
        Handler.with_search = True
        for query, page in (("strew_plan_inspect", "c/plans.html"), ("embedding_bag_offsets", "api/strew.html")):
            self.browser.open(f"{self.address}/index.html")

            def is_found() -> bool:
                self.browser.run(SEARCH, query)
                return any(page in link for link in self.browser.run(FOUND))

            with self.subTest(query):
                self.assertTrue(self.comes_to(is_found))
        Handler.with_search = False

    def test_the_versions_are_listed(self) -> None:
        self.browser.open(f"{self.address}/index.html")
        self.assertTrue(self.comes_to(lambda: self.browser.run(LISTED) == ["0.3"]))

    def comes_to(self, condition: Callable[[], bool]) -> bool:
        """Whether something is so before long: pages do some things after they have been loaded."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True


if __name__ == "__main__":
    if len(sys.argv) > 1:
        SITE = Path(sys.argv.pop()).resolve()
    unittest.main()
