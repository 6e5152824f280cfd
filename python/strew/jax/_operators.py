"""The public functions of strew.jax."""

from __future__ import annotations

import functools
import operator
from typing import Any

import jax
import numpy as np

from strew import _jax
from strew.jax import _primitives

Array = jax.Array | np.ndarray


def _jitted(*static: str) -> Any:
    """Compiled once for each type of operands and each of these arguments; an enclosing jit never sees it."""
    return functools.partial(jax.jit, static_argnames=static, inline=True)


def _check_arrays(name: str, **operands: Any) -> None:
    for operand, value in operands.items():
        if not isinstance(value, (jax.Array, np.ndarray, np.generic)):
            found = type(value).__name__
            raise TypeError(f"strew.jax.{name}: {operand} is of type {found}; it must be an array of JAX or NumPy")


def _check_narrowing(name: str, indices: Any) -> None:
    """Refuses indices of NumPy that would become others where JAX keeps 32 bits of 64."""
    if not isinstance(indices, (np.ndarray, np.generic)) or indices.dtype.kind not in "iu" or not indices.size:
        return
    kept = jax.dtypes.canonicalize_dtype(indices.dtype)
    if kept == indices.dtype:
        return
    lower, upper = np.iinfo(kept).min, np.iinfo(kept).max
    if lower <= indices.min() and indices.max() <= upper:
        return
    position = np.unravel_index(np.argmax((indices < lower) | (indices > upper)), indices.shape)
    place = "".join(f"[{i}]" for i in position)
    raise ValueError(
        f"strew.jax.{name}: indices{place} is {indices[position]}, outside [{lower}, {upper}], what JAX keeps of "
        f"{indices.dtype} without jax_enable_x64"
    )


def _wrong_type(name: str, attribute: str, value: Any, right: str) -> TypeError:
    if isinstance(value, jax.core.Tracer):
        return TypeError(f"strew.jax.{name}: {attribute} is traced; it must be {right}, known when tracing")
    return TypeError(f"strew.jax.{name}: {attribute} is of type {type(value).__name__}; it must be {right}")


def _reduction(name: str, reduction: str) -> str:
    """The first name of a reduction that has two."""
    if not isinstance(reduction, str):
        raise _wrong_type(name, "reduction", reduction, "a str")
    try:
        return _jax.find_reduction(reduction)[0]
    except ValueError as error:
        raise ValueError(f"strew.jax.{name}: {error}") from None


def _integer(name: str, attribute: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise _wrong_type(name, attribute, value, "an integer") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"strew.jax.{name}: {attribute} is {number}; it must fit in 64 bits")
    return number


def _flag(name: str, attribute: str, value: Any) -> bool:
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise _wrong_type(name, attribute, value, "a bool") from None


@_jitted("batch_dims")
def _gather_nd(data: Any, indices: Any, *, batch_dims: int) -> jax.Array:
    _check_arrays("gather_nd", data=data, indices=indices)
    return _primitives.gather_nd(data, indices, batch_dims)


@_jitted("axis")
def _gather_elements(data: Any, indices: Any, *, axis: int) -> jax.Array:
    _check_arrays("gather_elements", data=data, indices=indices)
    return _primitives.gather_elements(data, indices, axis)


@_jitted("reduction")
def _scatter_nd(data: Any, indices: Any, updates: Any, *, reduction: str) -> jax.Array:
    _check_arrays("scatter_nd", data=data, indices=indices, updates=updates)
    return _primitives.scatter_nd(data, indices, updates, reduction)


@_jitted("axis", "reduction", "use_init_val")
def _scatter_elements(
    data: Any, indices: Any, updates: Any, *, axis: int, reduction: str, use_init_val: bool
) -> jax.Array:
    _check_arrays("scatter_elements", data=data, indices=indices, updates=updates)
    return _primitives.scatter_elements(data, indices, updates, axis, reduction, use_init_val)


def gather_nd(data: Array, indices: Array, *, batch_dims: int = 0) -> jax.Array:
    """Gathers rows of `data` (ONNX and OpenVINO GatherND).

    For each tuple position (p, t), where p has `batch_dims` coordinates:

        output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...]

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank q >= 1, whose last dimension holds tuples of k coordinates, with
            0 <= k <= r - batch_dims. A negative one counts from the end of its dimension.
        batch_dims: How many first dimensions data and indices have in common, 0 <= batch_dims < min(r, q).

    Returns:
        An array of shape indices.shape[:-1] + data.shape[batch_dims + k:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or of a dtype that is not taken; when tracing.
        ValueError: Shapes or batch_dims do not fit; when tracing.
        jax.errors.JaxRuntimeError: An index is outside its dimension; when the result is awaited. Where JAX runs a
            compiled program during the call, it raises a ValueError there instead.
    """
    _check_narrowing("gather_nd", indices)
    return _gather_nd(data, indices, batch_dims=_integer("gather_nd", "batch_dims", batch_dims))


def gather_elements(data: Array, indices: Array, *, axis: int = 0) -> jax.Array:
    """Gathers elements of `data` (ONNX and OpenVINO GatherElements), as jax.numpy.take_along_axis does.

    For each position (i, j, k) of `indices`, here for axis 1 of rank 3:

        output[i][j][k] = data[i][indices[i][j][k]][k]

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank r; off the axis, no dimension is larger than that of data. A negative
            index counts from the end of the axis.
        axis: Along which elements are addressed, -r <= axis < r.

    Returns:
        An array of the shape of indices and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or of a dtype that is not taken; when tracing.
        ValueError: Shapes or axis do not fit; when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis; when the result is awaited. Where JAX runs a compiled
            program during the call, it raises a ValueError there instead.
    """
    _check_narrowing("gather_elements", indices)
    return _gather_elements(data, indices, axis=_integer("gather_elements", "axis", axis))


def scatter_nd(data: Array, indices: Array, updates: Array, *, reduction: str = "none") -> jax.Array:
    """Scatters rows to `data` (ONNX ScatterND, OpenVINO ScatterNDUpdate).

    After output = data, for each tuple position t in row-major order:

        output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= updates[t, ...]

    Updates take effect one after the other: of several for one row, the last wins, and a reduction combines them from
    left to right, with the same bits every time. If `data` is donated, or not used any more in a jitted function, it
    is updated in place.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank q >= 1, whose last dimension holds tuples of k coordinates, 0 <= k <= r.
            A negative one counts from the end of its dimension.
        updates: An array of shape indices.shape[:-1] + data.shape[k:] and of the dtype of data.
        reduction: "none", "sum" ("add"), "sub", "prod" ("mul"), "min" or "max". Floats of eight bits have only "none",
            complex numbers no "min" and "max".

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or of a dtype that is not taken or lacks the reduction; when tracing.
        ValueError: Shapes do not fit, or the reduction is none of these; when tracing.
        jax.errors.JaxRuntimeError: An index is outside its dimension; when the result is awaited. Where JAX runs a
            compiled program during the call, it raises a ValueError there instead.

    Derivatives, of every order, forward and reverse: "none" passes those of the update that won; "min" and "max" share
    them evenly among all that are equal to the result, the element of data included.
    """
    _check_narrowing("scatter_nd", indices)
    return _scatter_nd(data, indices, updates, reduction=_reduction("scatter_nd", reduction))


def scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
) -> jax.Array:
    """Scatters elements to `data` (ONNX ScatterElements, OpenVINO ScatterElementsUpdate).

    After output = data, for each position (i, j, k) of `indices` in row-major order, here for axis 1 of rank 3:

        output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k]

    Order, bits and what happens in place are those of `scatter_nd`.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank r; off the axis, no dimension is larger than that of data. A negative
            index counts from the end of the axis.
        updates: An array of the shape of indices and of the dtype of data.
        axis: Along which elements are addressed, -r <= axis < r.
        reduction: As for `scatter_nd`, and "mean": the sum, divided once by how many were added. Integers are
            rounded toward minus infinity; booleans have no mean.
        use_init_val: Whether the element of data takes part in a reduction. If not, an element that indices name
            starts from the identity of the reduction instead; others keep what data has.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or of a dtype that is not taken or lacks the reduction; when tracing.
        ValueError: Shapes or axis do not fit, or the reduction is none of these; when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis; when the result is awaited. Where JAX runs a compiled
            program during the call, it raises a ValueError there instead.

    Derivatives are those of `scatter_nd`.
    """
    name = "scatter_elements"
    _check_narrowing(name, indices)
    return _scatter_elements(
        data,
        indices,
        updates,
        axis=_integer(name, "axis", axis),
        reduction=_reduction(name, reduction),
        use_init_val=_flag(name, "use_init_val", use_init_val),
    )
