"""Finds the names that a piece of C declares at file scope, and the macros that it leaves defined.

This preprocessor only answers that question: it follows #if and #define, and expands macros only outside of braces,
since names inside a function are not at file scope. It does not read system headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

COMMENT = re.compile(r'/\*.*?\*/|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S)
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\.?\d[\w.]*|[A-Za-z_]\w*|##|&&|\|\||[=!<>]=|<<|>>|\.\.\.|\S')
DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)", re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = {"enum", "struct", "union", "typedef", "extern", "static", "inline", "const"}
BEFORE_PARENTHESES = {"__attribute__", "_Atomic", "__declspec", "_Alignas", "_Pragma"}


class CannotTell(Exception):
    """C that this module does not understand."""


def without_comments(text: str) -> str:
    return COMMENT.sub(lambda match: match.group(1) or " ", text).replace("\\\n", " ")


def without_duplicates(names: Iterator[str] | list[str]) -> list[str]:
    return list(dict.fromkeys(names))


class Macro:
    def __init__(self, definition: str) -> None:
        name, parameters, body = re.fullmatch(r"(\w+)(\([^)]*\))?\s*(.*)", definition, re.S).groups()
        self.name = name
        self.parameters = None if parameters is None else re.findall(r"\w+|\.\.\.", parameters)
        self.body = TOKEN.findall(body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Macro) and vars(self) == vars(other)


class Preprocessor:
    """Reads C, and collects its declarations in `names` and the macros defined at its end in `macros`."""

    def __init__(self, predefined: dict[str, str]) -> None:
        self.macros = {name: Macro(f"{name} {value}") for name, value in predefined.items()}
        self.names: list[str] = []
        self.depth = 0
        self.declaration: list[str] = []

    def read(self, text: str) -> None:
        taken, pending = [[True, True]], []  # for each #if: whether this branch is read, and whether any was
        for line in without_comments(text).split("\n"):
            directive = DIRECTIVE.match(line)
            if directive and directive.group(1) in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
                self.flush(pending)
                self.branch(taken, *directive.groups())
            elif directive and all(branch[0] for branch in taken):
                self.flush(pending)
                self.define(*directive.groups())
            elif not directive and all(branch[0] for branch in taken):
                pending += TOKEN.findall(line)
        self.flush(pending)
        if self.depth or len(taken) != 1:
            raise CannotTell("braces or conditions that do not end")

    def branch(self, taken: list[list[bool]], kind: str, rest: str) -> None:
        if kind == "endif":
            taken.pop()
            return
        if kind.startswith("if"):
            taken.append([False, not all(branch[0] for branch in taken)])
        taken[-1][0] = False
        if taken[-1][1]:
            return
        if kind == "ifdef" or kind == "ifndef":
            holds = (rest.split()[0] in self.macros) == (kind == "ifdef")
        else:
            holds = kind == "else" or self.holds(rest)
        taken[-1] = [holds, holds]

    def holds(self, condition: str) -> bool:
        defined = re.sub(r"\bdefined\s*\(?\s*(\w+)\s*\)?", lambda m: str(int(m.group(1) in self.macros)), condition)
        tokens = [self.constant(token) for token in self.expanded(TOKEN.findall(defined))]
        return bool(eval(" ".join(tokens), {"__builtins__": {}}))

    @staticmethod
    def constant(token: str) -> str:
        if NAME.fullmatch(token):
            return "0"
        words = {"&&": "and", "||": "or", "!": "not"}
        return words.get(token, re.sub(r"(?<=\d)[uUlL]+$", "", token))

    def define(self, kind: str, rest: str) -> None:
        if kind == "undef":
            self.macros.pop(rest.split()[0], None)
        elif kind == "define":
            macro = Macro(rest)
            if self.macros.get(macro.name, macro) != macro:
                raise CannotTell(f"{macro.name} is defined in two ways")
            self.macros[macro.name] = macro
        elif kind == "error":
            raise CannotTell(f"#error {rest}")

    # ---- Macros

    def expanded(self, tokens: list[str]) -> list[str]:
        left = [(token, frozenset()) for token in reversed(tokens)]
        done = []
        while left:
            token, hidden = left.pop()
            macro = self.macros.get(token)
            called = macro and macro.parameters is not None
            if not macro or token in hidden or (called and not (left and left[-1][0] == "(")):
                done.append(token)
                continue
            arguments = self.arguments(left) if called else []
            body = self.substituted(macro, arguments)
            left += [(part, hidden | {token}) for part in reversed(body)]
        return done

    @staticmethod
    def arguments(left: list[tuple[str, frozenset[str]]]) -> list[list[str]]:
        left.pop()
        arguments, depth = [[]], 0
        while True:
            if not left:
                raise CannotTell("arguments that do not end")
            token = left.pop()[0]
            if token == ")" and depth == 0:
                return arguments
            if token == "," and depth == 0:
                arguments.append([])
                continue
            depth += (token == "(") - (token == ")")
            arguments[-1].append(token)

    def substituted(self, macro: Macro, arguments: list[list[str]]) -> list[str]:
        given = dict(zip(macro.parameters or [], arguments))
        if "..." in (macro.parameters or []):
            named = len(macro.parameters) - 1
            given["__VA_ARGS__"] = [token for a in arguments[named:] for token in [*a, ","]][:-1]
        result, body = [], macro.body
        for i, token in enumerate(body):
            pasted = "##" in (body[i - 1 : i] + body[i + 1 : i + 2])
            if token == "##" or token == "#":
                continue
            if token in given and i > 0 and body[i - 1] == "#":
                part = ['"' + " ".join(given[token]) + '"']
            elif token in given:
                part = given[token] if pasted else self.expanded(given[token])
            else:
                part = [token]
            if i > 0 and body[i - 1] == "##" and result and part:
                result[-1] += part[0]
                part = part[1:]
            result += part
        return result

    # ---- Declarations

    def flush(self, pending: list[str]) -> None:
        """Expands text outside of braces, and takes each declaration at its end."""
        left = list(pending)
        pending.clear()
        start = 0
        while start < len(left):
            if self.depth == 0:
                stop = first_brace(left, start)
                for token in self.expanded(left[start:stop]):
                    self.take(token)
                start = stop
            if start < len(left):
                self.take(left[start])
                start += 1

    def take(self, token: str) -> None:
        self.declaration.append(token)
        self.depth += (token == "{") - (token == "}")
        if self.depth == 0 and (token == ";" or (token == "}" and self.is_function())):
            enumerates = "enum" in self.declaration  # whose names are inside of the braces
            self.names += declared(self.expanded(self.declaration) if enumerates else self.declaration)
            self.declaration = []

    def is_function(self) -> bool:
        before = self.declaration[: self.declaration.index("{")]
        return before[-1] == ")" and "=" not in before


def first_brace(tokens: list[str], start: int) -> int:
    """The first that is not in parentheses, as those of an argument are."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if tokens[i] == "{" and depth == 0:
            return i
    return len(tokens)


def declared(declaration: list[str]) -> list[str]:
    """The names of one declaration: tags, enumerators, declarators."""
    names, outside, i = [], [], 0
    while i < len(declaration):
        token = declaration[i]
        if token in BEFORE_PARENTHESES:
            i = closing(declaration, i + 1)
        elif token == "{":
            end = closing(declaration, i)
            if "enum" in outside:
                names += re.findall(r"(?:[{,] )([A-Za-z_]\w*)", " ".join(declaration[i:end]))
            if outside and outside[-1] not in ("enum", "struct", "union") and "=" not in outside and ")" not in outside:
                names.append(outside[-1])
            outside.append("{}")
            i = end
        else:
            outside.append(token)
        i += 1
    return without_duplicates(names + list(declarators(outside)))


def closing(tokens: list[str], start: int) -> int:
    ends = {"(": ")", "{": "}"}
    depth, begin, end = 0, tokens[start], ends[tokens[start]]
    for i in range(start, len(tokens)):
        depth += (tokens[i] == begin) - (tokens[i] == end)
        if depth == 0:
            return i
    raise CannotTell("parentheses that do not end")


def declarators(tokens: list[str]) -> Iterator[str]:
    if tokens[0] == "_Static_assert":
        return
    text = " ".join(token for token in tokens if not token.startswith('"'))
    pointer = re.search(r"\( \* (?:const )?(\w+)", text)
    head = re.sub(r"= [^,;]*", "", text)
    while "(" in head and not pointer:  # parameters
        shorter = re.sub(r"\( [^()]*\)|\( \)", "", head)
        if shorter == head:
            raise CannotTell(text)
        head = shorter
    if pointer:
        yield pointer.group(1)
        return
    for part in re.sub(r"\[[^\]]*\]|\{\}", "", head).rstrip("; ").split(","):
        if words := [word for word in NAME.findall(part) if word not in KEYWORDS]:
            yield words[-1]
