"""The version of the package, for its build: that of strew.h, where it is written once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CARRIED = HERE / "library"  # by a source distribution; in the repository the library is the folder above


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, str]:
    """The function that scikit-build-core asks of a provider of metadata."""
    library = CARRIED if CARRIED.exists() else HERE.parent
    header = (library / "include/strew/strew.h").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"^#define STREW_VERSION_(MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))
    return {"version": "{MAJOR}.{MINOR}.{PATCH}".format(**numbers)}
