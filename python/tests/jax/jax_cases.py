"""The dtypes of JAX, and arrays of them."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np

#: The errors of an index out of bounds; the second one if JAX ran the program during the call.
OUTSIDE = (jax.errors.JaxRuntimeError, ValueError)

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ARITHMETIC = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
MOVED = [
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
]
SMALL = ["int2", "int4", "uint2", "uint4", "float4_e2m1fn"]


def draw(dtype, shape, seed=0):
    """Values of a dtype; those of integers go to its ends, so that they wrap."""
    dtype = jnp.dtype(dtype)
    generator = np.random.default_rng(seed)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return generator.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    if dtype == bool:
        return generator.integers(0, 2, shape).astype(bool)
    values = generator.normal(size=shape) * 2
    if dtype.kind == "c":
        # Whole numbers: a product of complex numbers may round in more than one way.
        values = np.round(values) + 1j * np.round(generator.normal(size=shape))
    return values.astype(dtype)


def draw_indices(low, high, shape, dtype="int32", seed=1):
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def supported(reductions):
    """The dtypes that are combined, with each of these reductions that they have."""
    return [
        (dtype, reduction)
        for dtype, reduction in itertools.product(ARITHMETIC, reductions)
        if not (dtype in COMPLEX and reduction in ("min", "max")) and (dtype, reduction) != ("bool", "mean")
    ]
