"""A fixture for tests that put strew underneath PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture
def off_afterwards() -> Iterator[None]:
    """Silences PyTorch's warnings, and disables strew after the test."""
    import strew.torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    strew.torch.disable()
