"""The functions that describe strew, to people and to tools."""

from __future__ import annotations

import copy
import importlib.metadata
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import strew

PACKAGE = Path(strew.__file__).parent
FUNCTIONS = [name for name in strew.__all__ if inspect.isbuiltin(getattr(strew, name))]


def test_info() -> None:
    info = strew.info()
    assert info["version"] == strew.__version__ == importlib.metadata.version("strew")
    assert info["cpu"]
    assert info["instruction_sets"]["scalar"] == "native"
    assert info["instruction_sets"][info["instruction_set"]] == "native"
    assert set(info["instruction_sets"].values()) <= {"native", "unavailable", "absent", "emulated"}
    assert {"gather", "scatter", "resolve"} <= {kernel["operation"] for kernel in info["kernels"]}
    assert all(kernel["instruction_set"] in info["instruction_sets"] for kernel in info["kernels"])
    assert info["num_threads"] == strew.get_num_threads()


def test_scratch_is_kept_within_bounds() -> None:
    draw = np.random.default_rng(1)
    size = 3_000_000
    data, indices = np.zeros(size, np.float32), draw.integers(0, size, size)
    for count in (size, size // 2, size // 4, size // 8, size // 16, size):
        strew.scatter_elements(data, indices[:count], data[:count], reduction="sum", out=data.copy())
        assert strew.info()["scratch_kept"] <= 256 << 20


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_tells_its_signature_and_what_it_does(name: str) -> None:
    function = getattr(strew, name)
    assert str(inspect.signature(function)).startswith("(")
    text = inspect.getdoc(function)
    assert text
    assert len(text.splitlines()[0]) > 20
    if "data" in inspect.signature(function).parameters:
        assert "Raises" in text
        assert "num_threads" in text


def test_signatures_are_those_promised() -> None:
    assert str(inspect.signature(strew.gather_nd)) == (
        "(data, indices, *, batch_dims=0, mode='raise', fill_value=None, out=None, num_threads=None)"
    )
    assert str(inspect.signature(strew.scatter_elements)) == (
        "(data, indices, updates, *, axis=0, reduction='none', use_init_val=True, unique_indices=False, "
        "mode='raise', out=None, num_threads=None)"
    )
    assert str(inspect.signature(strew.tensor_scatter)) == (
        "(data, indices, updates, *, axis=-2, circular=False, mode='raise', out=None, num_threads=None)"
    )
    assert str(inspect.signature(strew.slice_scatter)) == (
        "(data, updates, starts, stops, steps=None, axes=None, *, out=None, num_threads=None)"
    )
    assert str(inspect.signature(strew.gather_scatter)) == (
        "(data, updates, indices, targets, weights=None, *, reduction='sum', use_init_val=True, mode='raise', "
        "out=None, num_threads=None)"
    )
    assert inspect.signature(strew.plan_gather) == inspect.signature(strew.gather)
    assert inspect.signature(strew.plan) == inspect.signature(strew.run)


def test_plans_are_neither_copied_nor_pickled() -> None:
    plan = strew.plan_gather_nd(np.zeros(3), np.zeros((1, 1), int))
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            way(plan)


def test_another_interpreter_of_the_process_is_refused() -> None:
    program = """
import strew
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
try:
    result = interpreters.run_string(other, "import strew")
    print("refused" if result is not None else "imported")
except Exception:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "refused\n"


def test_the_package_is_typed() -> None:
    """scripts/test-python compares the stubs with the modules."""
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_core.pyi").exists()
