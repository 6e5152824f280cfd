"""Checks a kept result against result.schema.json. It knows the words of JSON Schema that this schema uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = json.loads((Path(__file__).parent / "result.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float)}


def faults(value: Any, schema: dict[str, Any] = SCHEMA, place: str = "result") -> Iterator[str]:
    """A sentence for each value that breaks the schema; none if all are valid."""
    if not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool):
        yield f"{place} is not of type {schema['type']}"
    elif isinstance(value, dict):
        yield from faults_of_object(value, schema, place)
    elif isinstance(value, list):
        if len(value) < schema["minItems"]:
            yield f"{place} has fewer than {schema['minItems']} items"
        for number, item in enumerate(value):
            yield from faults(item, schema["items"], f"{place}[{number}]")
    elif isinstance(value, str):
        if not re.search(schema["pattern"], value):
            yield f"{place} is {value!r}, which does not match {schema['pattern']}"
    elif value <= schema["exclusiveMinimum"]:
        yield f"{place} is {value}, which is not above {schema['exclusiveMinimum']}"


def faults_of_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> Iterator[str]:
    """Fields that are missing, unknown, or wrong."""
    for name in schema["required"]:
        if name not in value:
            yield f"{place} lacks {name}"
    for name, field in value.items():
        if name in schema["properties"]:
            yield from faults(field, schema["properties"][name], f"{place}.{name}")
        else:
            yield f"{place} has the unknown field {name}"
