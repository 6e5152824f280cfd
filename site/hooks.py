"""Adds to MkDocs, besides the pages of docs/, other pages of the repository, references, notebooks, sources.

Links in a page are those that a forge follows, from file to file of the repository. Here they lead to the pages of these
files; a file that is no page gets one that shows it.
"""

from __future__ import annotations

import json
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import c_reference  # noqa: E402
import notebooks  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
HEADERS = {
    f"include/strew/{name}": f"c/{'cplusplus' if name.endswith('.hpp') else Path(name).stem}.md"
    for name in "strew.h core.h indexing.h bags.h plans.h operators.h inspect.h dlpack.h pthreadpool.h strew.hpp".split()
}
MODULES = {"strew": "strew", "strew.sparse": "sparse", "strew.torch": "torch", "strew.jax": "jax"}
PAGES = {
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "docs/strew.1": "manual.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "ROADMAP.md": "roadmap.md",
    "SECURITY.md": "security.md",
    "SUPPORT.md": "support.md",
    "packaging/README.md": "packaging.md",
}
LINK = re.compile(r"(\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python"}

of_repository: dict[str, str] = {}  # the file of the repository that each page of the site is
shown: dict[str, str] = {}  # the page of each file of the repository that a link leads to


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what lies outside of docs/."""
    files.remove(files.get_file_from_path("README.md"))
    for file in files:
        shown[f"docs/{file.src_uri}"] = file.src_uri
    shown.update(PAGES | HEADERS)

    def add(place: str, text: str) -> None:
        in_nav = InclusionLevel.NOT_IN_NAV if place.startswith("sources/") else InclusionLevel.UNDEFINED
        files.append(File.generated(config, place, content=text, inclusion=in_nav))

    for path, place in PAGES.items():
        add(place, text_of(path))
    texts = {Path(place).name: (ROOT / path).read_text() for path, place in HEADERS.items()}
    targets = c_reference.symbols(texts)
    for path, place in HEADERS.items():
        add(place, c_reference.page(Path(path).name, texts[Path(place).name], targets))
    for module, name in MODULES.items():
        add(f"api/{name}.md", f"# {module}\n\n::: {module}\n")
    for page in (ROOT / "docs/tutorials").glob("*.md"):
        add(f"tutorials/{page.stem}.ipynb", json.dumps(notebooks.notebook(page.read_text()), indent=1))

    of_repository.update({place: path for path, place in shown.items()})
    for place, path in list(of_repository.items()):
        if path.endswith(".md"):
            for target in linked_sources(path):
                shown[target] = f"sources/{target}.md"
                add(shown[target], source_page(target))
    return files


def text_of(path: str) -> str:
    """The Markdown of a page of the repository."""
    if path.endswith(".1"):
        done = subprocess.run(["mandoc", "-T", "markdown", ROOT / path], capture_output=True, text=True, check=True)
        return "# strew(1)\n\n" + re.sub(r"^# ", "## ", done.stdout, flags=re.MULTILINE)
    text = (ROOT / path).read_text()
    if path == "README.md":  # badges are for forges
        text = re.sub(r"^\[!\[.*\n\n", "", text, flags=re.MULTILINE)
    return text


def linked_sources(page: str) -> set[str]:
    """The files of the repository that a page links to and that have no page yet."""
    prose = FENCED.sub("", (ROOT / page).read_text())
    targets = {target_of(page, link) for _, link, _ in LINK.findall(prose) if is_inside(link)}
    return {target for target in targets if target not in shown and not target.startswith("..")}


def is_inside(link: str) -> bool:
    return "://" not in link and not link.startswith(("#", "mailto:"))


def target_of(page: str, link: str) -> str:
    """The file of the repository that a link of a page leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link.partition("#")[0]))


def source_page(path: str) -> str:
    """A page that shows a file, or lists a folder."""
    source = ROOT / path
    if source.is_dir():
        text = "".join(sorted(f"{file.name}\n" for file in source.iterdir() if not file.name.startswith(("__", "."))))
    else:
        text = source.read_text()
    return f"# {path}\n\n````{LANGUAGES.get(source.suffix, 'text')}\n{text}````\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links to pages of the site."""
    place = page.file.src_uri
    path = of_repository.get(place)
    if not path or not path.endswith(".md"):
        return markdown

    def lead(found: re.Match[str]) -> str:
        before, link, after = found.groups()
        if not is_inside(link):
            return found[0]
        target = shown.get(target_of(path, link))
        if not target:
            return found[0]
        anchor = link.partition("#")[1] + link.partition("#")[2]
        return before + posixpath.relpath(target, posixpath.dirname(place)) + anchor + after

    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(lead, part) for part in parts[::2]]
    if place.startswith("tutorials/"):
        name = Path(place).stem
        parts[0] = re.sub(
            r"^(# .*\n)", rf"\1\n[This page as a notebook]({name}.ipynb){{: download }}\n", parts[0], count=1
        )
    return "".join(parts)
