"""The operators as primitives of JAX: their types, and their lowering to calls of XLA.

A primitive takes arrays, and strew's other arguments as parameters. _batching.py has its vmap rules, _derivatives.py
its derivatives.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import mlir, xla

from strew import _jax
from strew.jax import _left

#: The value of a parameter that an operator does not have.
DEFAULTS: dict[str, Any] = {
    "axis": 0,
    "batch_dims": 0,
    "reduction": "none",
    "use_init_val": True,
    "circular": False,
    "segment_count": 0,
    "empty": "zero",
    "default_index": -1,
    "slice": (),
}
#: The operands of primitives, in their order, unless NAMES has others.
OPERANDS = ("data", "indices", "updates", "segments", "weights")
NAMES = {
    "slice_scatter": ("data", "updates"),
    "embedding_bag_offsets": ("data", "indices", "segments", "weights"),
    "embedding_bag_packed": ("data", "indices", "weights"),
    "embedding_segments": ("data", "indices", "segments", "weights"),
    "segment_reduce": ("data", "segments"),
}
#: Parameters that do not affect a shape: the policy for indices out of bounds ("either": an error if strew runs the
#: call, JAX's own indexing if XLA does), the bytes that a gather writes for a skipped index, and a promise that no two
#: updates go to one element.
POLICY: dict[str, Any] = {"bounds": "either", "fill": None, "unique_indices": False}


def _bits(dtype: np.dtype) -> int:
    if jnp.issubdtype(dtype, jnp.integer):
        return jnp.iinfo(dtype).bits
    if jnp.issubdtype(dtype, jnp.floating):
        return jnp.finfo(dtype).bits
    return 8 * dtype.itemsize


def _describe(operand: str, aval: Any) -> tuple[str, int, tuple[int, ...]] | None:
    """An operand as strew's shape rules take it; None without one."""
    if aval is None:
        return None
    dtype = aval.dtype
    if jax.dtypes.issubdtype(dtype, jax.dtypes.extended) or dtype == jax.dtypes.float0:
        raise TypeError(f"{operand} has dtype {dtype}; strew takes booleans, integers, floats and complex numbers")
    if _bits(dtype) < 8:
        raise TypeError(f"{operand} has dtype {dtype}, of {_bits(dtype)} bits; strew takes elements of whole bytes")
    if not all(isinstance(dimension, int) for dimension in aval.shape):
        raise ValueError(f"{operand} has shape {aval.shape}; strew takes static shapes only, not symbolic ones")
    return dtype.name, dtype.itemsize, tuple(aval.shape)


def _output_aval(data: Any, shape: tuple[int, ...]) -> Any:
    """The type of the output, which varies over the axes of a mesh as data does."""
    spec = jax.sharding.PartitionSpec(*[None] * len(shape))
    sharding = jax.sharding.NamedSharding(data.sharding.mesh, spec)
    return data.update(shape=shape, weak_type=False, sharding=sharding)


#: The numbers that a handler is given of a call, in this order, but for those of fill and slice, which follow.
NUMBERS = (
    "axis",
    "batch_dims",
    "reduction",
    "use_init_val",
    "circular",
    "segment_count",
    "empty",
    "default_index",
    "bounds",
    "unique_indices",
)


def _numbers(parameters: dict[str, Any]) -> np.ndarray:
    """A call as one list: the handler reads it at each call, and would have to look for single attributes by name."""
    call = DEFAULTS | POLICY | parameters
    call["reduction"] = _jax.find_reduction(call["reduction"])[1]
    call["bounds"] = _jax.find_bounds("refuse" if call["bounds"] == "either" else call["bounds"])
    call["empty"] = _jax.find_empty(call["empty"])
    fill = np.frombuffer((call["fill"] or b"").ljust(16, b"\0"), np.int64)
    single = [call[name] for name in NUMBERS]
    return np.array([*single, call["fill"] is not None, *fill, *call["slice"]], np.int64)


def _define(name: str) -> Primitive:
    primitive = Primitive(f"strew_{name}")

    def abstract(data: Any, *others: Any, **parameters: Any) -> Any:
        operands = dict.fromkeys(OPERANDS) | dict(zip(NAMES.get(name, OPERANDS), (data, *others)))
        everything = DEFAULTS | {key: value for key, value in parameters.items() if key not in POLICY}
        try:
            described: list[Any] = [_describe(operand, aval) for operand, aval in operands.items()]
            shape = _jax.output_shape(name, *described, *everything.values())
        except (TypeError, ValueError) as error:
            raise type(error)(f"strew.jax.{name}: {error}") from None
        return _output_aval(data, shape)

    scatters = "scatter" in name
    lower = jax.ffi.ffi_lowering(f"strew_{name}", operand_output_aliases={0: 0} if scatters else None)

    def lowering(context: mlir.LoweringRuleContext, *operands: Any, **parameters: Any) -> Any:
        if _left.is_left(name, context.avals_in, context.avals_out[0], parameters):
            by_jax = functools.partial(_left.call, name, **parameters)
            return mlir.lower_fun(by_jax, multiple_results=False)(context, *operands)
        return lower(context, *operands, call=_numbers(parameters))

    primitive.def_abstract_eval(abstract)
    primitive.def_impl(lambda *operands, **parameters: xla.apply_primitive(primitive, *operands, **parameters))
    mlir.register_lowering(primitive, lowering, platform="cpu")
    return primitive


for _name, _handler in _jax.handlers().items():
    jax.ffi.register_ffi_target(f"strew_{_name}", _handler, platform="cpu")

gather_p = _define("gather")
gather_nd_p = _define("gather_nd")
gather_elements_p = _define("gather_elements")
scatter_p = _define("scatter")
scatter_nd_p = _define("scatter_nd")
scatter_elements_p = _define("scatter_elements")
tensor_scatter_p = _define("tensor_scatter")
slice_scatter_p = _define("slice_scatter")
embedding_bag_p = _define("embedding_bag_offsets")
embedding_bag_packed_p = _define("embedding_bag_packed")
embedding_segments_p = _define("embedding_segments")
segment_reduce_p = _define("segment_reduce")
gather_scatter_p = _define("gather_scatter")


def _varying_axes(operand: Any) -> frozenset[str]:
    """The axes of shard_map's mesh over which an operand is known to vary."""
    aval = jax.typeof(operand)
    manual = getattr(aval, "manual_axis_type", None)
    return getattr(aval, "vma", frozenset()) if manual is None else manual.varying


def _vary_over(operand: Any, axes: frozenset[str]) -> Any:
    missing = tuple(sorted(axes - _varying_axes(operand)))
    if not missing:
        return operand
    cast: Any = getattr(jax.lax, "pcast", None)
    if cast is not None:
        return cast(operand, missing, to="varying")
    vary: Any = getattr(jax.lax, "pvary")  # its name until JAX 0.8
    return vary(operand, missing)


def bind(primitive: Primitive, *operands: Any, **parameters: Any) -> Any:
    """Binds a primitive to operands that vary over the same axes: inside shard_map, JAX asks for that."""
    axes = frozenset().union(*map(_varying_axes, operands))
    return primitive.bind(*(_vary_over(operand, axes) for operand in operands), **parameters)


def gather(
    data: Any, indices: Any, axis: int, batch_dims: int = 0, bounds: str = "either", fill: bytes | None = None
) -> Any:
    return bind(gather_p, data, indices, axis=axis, batch_dims=batch_dims, bounds=bounds, fill=fill)


def gather_nd(data: Any, indices: Any, batch_dims: int = 0, bounds: str = "either", fill: bytes | None = None) -> Any:
    return bind(gather_nd_p, data, indices, batch_dims=batch_dims, bounds=bounds, fill=fill)


def gather_elements(
    data: Any, indices: Any, axis: int, bounds: str = "either", fill: bytes | None = None
) -> Any:
    return bind(gather_elements_p, data, indices, axis=axis, bounds=bounds, fill=fill)


def scatter(
    data: Any,
    indices: Any,
    updates: Any,
    axis: int,
    batch_dims: int,
    reduction: str,
    use_init_val: bool = True,
    bounds: str = "either",
    unique_indices: bool = False,
) -> Any:
    how = {"axis": axis, "batch_dims": batch_dims, "reduction": reduction, "use_init_val": use_init_val}
    return bind(scatter_p, data, indices, updates, **how, bounds=bounds, unique_indices=unique_indices)


def scatter_nd(
    data: Any, indices: Any, updates: Any, reduction: str, bounds: str = "either", unique_indices: bool = False
) -> Any:
    how = {"reduction": reduction, "bounds": bounds, "unique_indices": unique_indices}
    return bind(scatter_nd_p, data, indices, updates, **how)


def scatter_elements(
    data: Any,
    indices: Any,
    updates: Any,
    axis: int,
    reduction: str,
    use_init_val: bool = True,
    bounds: str = "either",
    unique_indices: bool = False,
) -> Any:
    how = {"axis": axis, "reduction": reduction, "use_init_val": use_init_val}
    return bind(scatter_elements_p, data, indices, updates, **how, bounds=bounds, unique_indices=unique_indices)


def tensor_scatter(
    data: Any, indices: Any, updates: Any, axis: int, circular: bool, bounds: str = "either"
) -> Any:
    return bind(tensor_scatter_p, data, indices, updates, axis=axis, circular=circular, bounds=bounds)


def slice_scatter(data: Any, updates: Any, part: tuple[int, ...]) -> Any:
    """The part is the starts, stops, steps and axes of a slice, one after the other."""
    return bind(slice_scatter_p, data, updates, slice=part)


def combine(primitive: Primitive, *operands: Any, **how: Any) -> Any:
    """Calls an operator of bags or segments. The last operand, weights, may be None."""
    return bind(primitive, *(operand for operand in operands if operand is not None), **how)


def gather_scatter(
    data: Any,
    indices: Any,
    updates: Any,
    targets: Any,
    weights: Any,
    reduction: str = "sum",
    use_init_val: bool = True,
    bounds: str = "either",
) -> Any:
    """Weights may be None."""
    given = () if weights is None else (weights,)
    how: dict[str, Any] = {"reduction": reduction, "use_init_val": use_init_val, "bounds": bounds}
    return bind(gather_scatter_p, data, indices, updates, targets, *given, **how)
