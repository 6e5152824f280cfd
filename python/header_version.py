"""The version of the package, which is written once, in the C header: above this folder, or in an sdist within it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEADER = "include/strew/strew.h"


def dynamic_metadata(_settings: Mapping[str, Any], _project: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that the build backend asks for."""
    header = next(folder / HEADER for folder in (Path("library"), Path("..")) if (folder / HEADER).exists())
    parts = re.findall(r"^#define STREW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read_text(), re.MULTILINE)
    return {"version": ".".join(parts)}
