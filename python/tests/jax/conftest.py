"""What all tests of strew.jax need: JAX with 64-bit types. Without JAX there is nothing to test here."""

import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
