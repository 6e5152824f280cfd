"""Packages and files that a test needs and that may be missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

GUEST = Path(__file__).resolve().parents[1]
ROOT = GUEST.parents[1]


def missing(what: str) -> None:
    """Skips the test, or fails it if nothing may be missing."""
    if os.environ.get("STREW_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)


def path_from(variable: str) -> Path:
    """A path that run-tests gives in the environment."""
    if variable not in os.environ:
        missing(f"{variable} is not set: run-tests sets it")
    return Path(os.environ[variable])
