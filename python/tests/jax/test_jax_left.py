"""Small gathers that are left to XLA: against the core's functions for NumPy, bit for bit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax_cases import ARITHMETIC, INTEGERS, OUTSIDE

import strew
import strew.jax

MODES = {None: "raise", "drop": "fill", "clip": "clip", "wrap": "wrap"}
FUNCTIONS = ["", "_nd", "_elements"]


def draw_bits(dtype, shape, generator):
    """Elements of any bits: NaN of every payload, numbers that are denormal."""
    dtype = jnp.dtype(dtype)
    if dtype == bool:
        return generator.integers(0, 2, shape).astype(bool)
    count = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(generator.bytes(count), dtype).reshape(shape)


def same_bits(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()


def is_left(function, *operands):
    return "strew" not in jax.jit(function).lower(*operands).as_text()


def draw_call(function, mode, index_dtype, generator):
    """The shape of data, indices, and the axis."""
    shape = tuple(generator.integers(1, 6, 2))
    axis = int(generator.integers(2)) if function != "_nd" else 0
    limits = np.iinfo(index_dtype)
    least = min(shape) if function == "_nd" else shape[axis]
    low, high = (-least, least - 1) if mode is None else (-20, 20)
    count = int(generator.integers(1, 7))
    of_indices = {
        "": (count,),
        "_nd": (count, int(generator.integers(1, 3))),
        "_elements": tuple(count if d == axis else s for d, s in enumerate(shape)),
    }[function]
    indices = generator.integers(max(low, limits.min), min(high, limits.max), of_indices, endpoint=True)
    return shape, indices.astype(index_dtype), {} if function == "_nd" else {"axis": axis}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ARITHMETIC)
def test_gathers(function, dtype):
    generator = np.random.default_rng(0)
    for mode, of_core in MODES.items():
        for index_dtype in INTEGERS[: 8 if dtype == "float32" else 1]:
            shape, indices, how = draw_call(function, mode, index_dtype, generator)
            data = draw_bits(dtype, shape, generator)
            call = getattr(strew.jax, "gather" + function)
            given = {} if mode != "drop" else {"fill_value": False}
            assert is_left(lambda d, i: call(d, i, mode=mode, **how, **given), data, indices)  # noqa: B023
            expected = getattr(strew, "gather" + function)(data, indices, mode=of_core, **how)
            same_bits(call(data, indices, mode=mode, **how, **given), expected)


@pytest.mark.parametrize("index_dtype, size", [("int8", 200), ("uint8", 256), ("int16", 40_000)])
def test_a_dimension_longer_than_an_index_counts(index_dtype, size):
    data = np.arange(size, dtype=np.float32)
    limits = np.iinfo(index_dtype)
    indices = np.array([limits.min, limits.max, 0], index_dtype)
    for mode, of_core in MODES.items():
        same_bits(strew.jax.gather(data, indices, mode=mode), strew.gather(data, indices, mode=of_core))


TABLE, FEW = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([1, 9, 0])


def test_without_a_mode_a_small_gather_is_as_of_jax_unless_it_is_to_be_exact():
    same_bits(strew.jax.gather(TABLE, FEW), jnp.asarray(TABLE)[FEW])
    for given in ({"exact": True}, {"mode": "raise"}, {"mode": "promise_in_bounds"}):
        with pytest.raises(OUTSIDE, match=r"strew.jax.gather: indices\[1\] is 9, outside \[-4, 3\]"):
            jax.block_until_ready(strew.jax.gather(TABLE, FEW, **given))


def test_a_large_gather_is_refused():
    many = np.tile(FEW, 100)
    with pytest.raises(OUTSIDE, match=r"strew.jax.gather: indices\[1\] is 9, outside \[-4, 3\]"):
        jax.block_until_ready(strew.jax.gather(TABLE, many))


def test_a_small_scatter_is_refused():
    for given in ({}, {"exact": True}):
        with pytest.raises(OUTSIDE, match=r"strew.jax.scatter: indices\[1\] is 9, outside \[-4, 3\]"):
            jax.block_until_ready(strew.jax.scatter(TABLE, FEW, TABLE[:3], **given))


def test_what_is_left_is_exported_as_it_is():
    """JAX guarantees its own operations, and asks for no list of custom calls."""
    exported = jax.export.export(jax.jit(strew.jax.gather))(TABLE, FEW[:1])
    same_bits(exported.call(TABLE, FEW[:1]), TABLE[FEW[:1]])


@pytest.mark.parametrize("value", [np.zeros(2), "no"])
def test_exact_is_a_flag(value):
    if isinstance(value, str):
        same_bits(strew.jax.gather(TABLE, FEW[:1], exact=value), TABLE[FEW[:1]])
        return
    with pytest.raises(TypeError, match="exact is of type ndarray; it must be a bool"):
        strew.jax.gather(TABLE, FEW, exact=value)
