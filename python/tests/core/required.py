"""Packages and files that `make test-python` provides. Without one a test is skipped, or fails if nothing may be
skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STRICT = os.environ.get("STREW_REQUIRE_ALL") == "1"


def missing(reason: str) -> None:
    """Skips the test for this reason, or fails it if nothing may be skipped."""
    if STRICT:
        pytest.fail(reason)
    pytest.skip(reason)


def path_from(variable: str) -> Path:
    """A path that `make test-python` gives in the environment."""
    if variable not in os.environ:
        missing(f"{variable} is not in the environment: make test-python sets it")
    return Path(os.environ[variable])
