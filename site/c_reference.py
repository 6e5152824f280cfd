"""Pages of the public headers: each declaration, with the comment above it as Markdown.

The comments are Markdown in the headers, so that a page has the same text in the same order. Doxygen (make docs) checks
that everything has a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

COMMENT = re.compile(r"/\*\*(?!<)(.*?)\*/\s*", re.DOTALL)
GROUP = re.compile(r"@defgroup \w+ (.*)\n")
TYPE = re.compile(r"(?:template <[^>]*>\s*)?(?:class|struct|using|typedef struct|typedef union)\s+(\w+)")
NAME = re.compile(r"#define (\w+)|\(\*(\w+)\)\(|(\w+)\(|(\w+);$", re.MULTILINE)
ENUMERATOR = re.compile(r"^    (STREW_\w+)", re.MULTILINE)
CODE_SPAN = re.compile(r"(`[^`]*`)")
SYMBOL = re.compile(r"\bstrew_\w+\b|\bSTREW_\w+\b")


def text_of(comment: str) -> str:
    """The Markdown of a comment: without stars and commands of Doxygen."""
    lines = [re.sub(r"^ ?\* ?", "", line.rstrip()) for line in comment.splitlines()]
    return re.sub(r"@(file|ingroup \w+|\{|\})\s*", "", "\n".join(lines)).strip()


def declaration(code: str) -> str:
    """The declaration that some code begins with: up to its semicolon, the end of its macro, or its body."""
    if code.startswith("#define"):
        return re.match(r"(?:.*\\\n)*.*", code)[0]
    depth = 0
    for place, character in enumerate(code):
        if character == "{" and depth == 0 and code[:place].rstrip().endswith((")", "noexcept")):
            return code[:place].rstrip() + ";"
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(character, 0)
        if character == ";" and depth == 0:
            return code[: place + 1]
    return code


def parts(header: str) -> Iterator[tuple[str, str]]:
    """Each comment of a header with the declaration below it, which is empty for the header itself and for groups."""
    end = 0
    for found in COMMENT.finditer(header):
        if found.start() >= end:  # else it is within a declaration, which is shown with it
            is_alone = re.search(r"@(file|defgroup|\})", found[1])
            code = "" if is_alone else declaration(header[found.end() :])
            end = found.end() + len(code)
            yield text_of(found[1]), code


def names(code: str) -> list[str]:
    """The names that a declaration declares: its own, or its enumerators."""
    if code.startswith("enum"):
        return ENUMERATOR.findall(code)
    found = TYPE.match(code) or NAME.search(code)
    return [next(filter(None, found.groups()))] if found else []


def symbols(headers: Mapping[str, str]) -> dict[str, str]:
    """The page and anchor of each name that headers declare, given their texts by their pages."""
    return {
        name: f"{page}#{name}" for page, header in headers.items() for _, code in parts(header) for name in names(code)
    }


def linked(text: str, targets: Mapping[str, str]) -> str:
    """Some Markdown whose names are links, and whose angle brackets are none of HTML."""

    def link(found: re.Match[str]) -> str:
        name = found[0].strip("`")
        return f"[`{name}`]({targets[name]})" if name in targets else found[0]

    lines = []
    for line in text.splitlines():
        if not line.startswith("    "):
            spans = CODE_SPAN.split(line)
            spans[::2] = [SYMBOL.sub(link, span.replace("<", "&lt;").replace("][", "]\\[")) for span in spans[::2]]
            spans[1::2] = [re.sub(r"`\w+`", link, span) for span in spans[1::2]]
            line = "".join(spans)
        lines.append(line)
    return "\n".join(lines)


def page(title: str, header: str, targets: Mapping[str, str]) -> str:
    """The page of a header."""
    blocks = [f"# {title}", f"```c\n#include <strew/{title}>\n```"]
    for text, code in parts(header):
        group = GROUP.match(text)
        if group:
            blocks.append(f"## {group[1]}")
            text = text[group.end() :]
        elif code.startswith("enum"):
            blocks.append("".join(f'<span id="{name}"></span>' for name in names(code)))
        elif code:
            blocks.extend(f"### {name} {{: #{name} }}" for name in names(code))
        if code:
            shown = re.sub(r"^STREW_API ", "", code)
            blocks.append(f"```{'cpp' if title.endswith('.hpp') else 'c'}\n{shown}\n```")
        blocks.append(linked(text, targets))
    return "\n\n".join(blocks) + "\n"
