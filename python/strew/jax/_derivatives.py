"""The derivatives of the operators. They call the operators themselves, so they have derivatives and batches too.

Gathers are linear in data. Scatters that assign, add, subtract or take means are linear in data and updates together:
their tangents are scattered in the same way, and their transposes gather. For products and extrema the tangent is a sum
of the operands' tangents, each times its derivative.

Data of integers or booleans have no tangents.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.interpreters import ad

from strew.jax import _primitives
from strew.jax._addressing import AxisAddressing, ElementAddressing, RowAddressing, SliceAddressing, WindowAddressing
from strew.jax._batching import prepend_coordinates

Addressing = RowAddressing | ElementAddressing | AxisAddressing | WindowAddressing | SliceAddressing


def widened(values: Any) -> Any:
    """Halves as float32, in which they are added, divided by counts, and then rounded once."""
    return values.astype(jnp.promote_types(values.dtype, jnp.float32))


def divide(values: Any, counts: Any) -> Any:
    """Divides by integers; halves in float32, since a half does not hold every count."""
    wide = widened(values)
    return (wide / counts.astype(jnp.finfo(wide.dtype).dtype)).astype(values.dtype)


# ---- Gathers ------------------------------------------------------------------------------------------


def _gather_jvp(primitive: Any) -> Any:
    def jvp(primals: Any, tangents: Any, **parameters: Any) -> Any:
        data, indices = primals
        bind = _primitives.bind
        output = bind(primitive, data, indices, **parameters)
        # The fill of skipped positions is a constant.
        return output, bind(primitive, tangents[0], indices, **parameters | {"fill": None})

    return jvp


def _sums(where: Addressing, cotangent: Any) -> Any:
    """The transpose of a gather: sums into data. Floats of eight bits are summed in float32, since strew only moves
    them."""
    dtype = cotangent.dtype if cotangent.dtype.itemsize > 1 else jnp.float32
    sums = where.scatter(jnp.zeros(where.shape, dtype), cotangent.astype(dtype), "sum")
    return sums.astype(cotangent.dtype)


def _rows_of_batches(
    shape: tuple[int, ...], indices: Any, updates_shape: tuple[int, ...], batch_dims: int, bounds: str
) -> RowAddressing:
    return RowAddressing(shape, prepend_coordinates(indices, batch_dims), updates_shape, bounds)


def _define_gather(primitive: Any, addressing: Any) -> None:
    """Defines the derivatives of a gather, given addressing(shape, indices, the shape of the output, **parameters)."""

    def transpose(cotangent: Any, data: Any, indices: Any, *, fill: bytes | None, **parameters: Any) -> Any:
        if type(cotangent) is ad.Zero:
            return ad.Zero(data.aval), None
        return _sums(addressing(data.aval.shape, indices, cotangent.shape, **parameters), cotangent), None

    ad.primitive_jvps[primitive] = _gather_jvp(primitive)
    ad.primitive_transposes[primitive] = transpose


# ---- Scatters -----------------------------------------------------------------------------------------


def _untouched(where: Addressing, values: Any) -> Any:
    """The values that no update goes to, and zeros."""
    return where.scatter(values, jnp.zeros(where.updates_shape, values.dtype), "none")


def _is_untouched(where: Addressing) -> Any:
    return _untouched(where, jnp.ones(where.shape, bool))


def _transpose_to_data(where: Addressing, cotangent: Any, reduction: str, use_init_val: bool) -> Any:
    if reduction == "none" or not use_init_val:
        return _untouched(where, cotangent)
    return divide(cotangent, _counts(where, True)) if reduction == "mean" else cotangent


def _transpose_to_updates(where: Addressing, cotangent: Any, reduction: str, use_init_val: bool) -> Any:
    if reduction == "mean":
        return where.gather(divide(cotangent, jnp.maximum(_counts(where, use_init_val), 1)))
    gathered = where.gather(cotangent)
    if reduction == "none":
        return jnp.where(where.winners(), gathered, 0)
    return -gathered if reduction == "sub" else gathered


def _counts(where: Addressing, use_init_val: bool) -> Any:
    """The number of elements in each mean."""
    start = jnp.full(where.shape, int(use_init_val), jnp.int32)
    return where.scatter(start, jnp.ones(where.updates_shape, jnp.int32), "sum")


def _linear_tangent(where: Addressing, tangents: Any, reduction: str, use_init_val: bool) -> Any:
    to_data, to_updates = tangents
    if type(to_updates) is ad.Zero and reduction in ("sum", "sub") and use_init_val:
        return to_data
    data, updates = map(ad.instantiate_zeros, tangents)
    return where.scatter(data, updates, reduction, use_init_val)


def _extremum_tangent(where: Addressing, primals: Any, output: Any, tangents: Any, use_init_val: bool) -> Any:
    """The mean of the tangents of all that are equal to the result."""
    data, updates = primals
    in_data = _ties(data, output)
    if not use_init_val:
        in_data = jnp.where(_is_untouched(where), in_data, 0)
    in_updates = _ties(updates, where.gather(output))
    to_data, to_updates = map(ad.instantiate_zeros, tangents)
    from_data = widened(jnp.where(in_data == 1, to_data, 0))
    from_updates = widened(jnp.where(in_updates == 1, to_updates, 0))
    total = where.scatter(from_data, from_updates, "sum")
    return divide(total, where.scatter(in_data, in_updates, "sum")).astype(data.dtype)


def _ties(left: Any, right: Any) -> Any:
    """1 where they are equal or both NaN, else 0. Integers, since XLA's loops over booleans take five times as long."""
    one, zero = jnp.int32(1), jnp.int32(0)
    are_nan = jnp.where(left == left, zero, jnp.where(right == right, zero, one))
    return jnp.where(left == right, one, are_nan)


def _product_tangent(where: Addressing, primals: Any, tangents: Any, use_init_val: bool) -> Any:
    """Each tangent times the product of all other factors, found without a division: factors may be zero."""
    data, updates = primals
    to_data, to_updates = tangents
    terms = jnp.zeros(where.shape, data.dtype)
    if type(to_data) is not ad.Zero:
        ones = jnp.ones(where.shape, data.dtype)
        terms = to_data * where.scatter(ones, updates, "prod") if use_init_val else _untouched(where, to_data)
    if type(to_updates) is ad.Zero:
        return terms
    start = data if use_init_val else jnp.where(_is_untouched(where), data, 1)
    assert not isinstance(where, WindowAddressing | SliceAddressing)
    targets, rows = where.targets().reshape(-1), where.as_rows(start)
    # A skipped update may be NaN, and is part of no product.
    factors = jnp.where(targets[:, None] == rows.shape[0], 1, where.updates_as_rows(updates))
    others = _products_of_others(targets, rows, factors)
    return where.scatter(terms, to_updates * where.updates_of_rows(others), "sum")


def _products_of_others(targets: Any, start: Any, updates: Any) -> Any:
    """For each row of updates, start[its target] times all other updates with this target."""
    if updates.size == 0:
        return updates
    order = jnp.argsort(targets, stable=True)
    target = targets[order]
    factors = _primitives.gather_nd(updates, order[:, None])
    differ = target[1:] != target[:-1]
    end = jnp.ones(1, bool)
    one = jnp.ones((1, updates.shape[1]), updates.dtype)
    first, last = jnp.concatenate([end, differ])[:, None], jnp.concatenate([differ, end])[:, None]
    started = _primitives.gather_nd(start, target[:, None], 0, "skip")
    before = jnp.where(first, started, jnp.concatenate([one, factors[:-1]]))
    after = jnp.where(last, 1, jnp.concatenate([factors[1:], one]))
    others = _running_products(before, first) * _running_products(after, last, reverse=True)
    return _primitives.gather_nd(others, jnp.argsort(order)[:, None])


def _running_products(factors: Any, begins: Any, reverse: bool = False) -> Any:
    """Running products along dimension 0, which begin anew at each true element of begins."""

    def combine(left: Any, right: Any) -> Any:
        begun = right[1]
        return jnp.where(begun, 1, left[0]) * right[0], left[1] | begun

    return jax.lax.associative_scan(combine, (factors, begins), reverse=reverse)[0]


def _define_scatter(primitive: Any, addressing: Any) -> None:
    """Defines the derivatives of a scatter, given addressing(shape, indices, shape of updates, **parameters). One by
    slices has no indices."""

    def jvp(
        primals: Any, tangents: Any, *, reduction: str = "none", use_init_val: bool = True, **parameters: Any
    ) -> Any:
        data, *indices, updates = primals
        where = addressing(data.shape, *(indices or [None]), updates.shape, **parameters)
        output = where.scatter(data, updates, reduction, use_init_val)
        floating, pair = (data, updates), (tangents[0], tangents[-1])
        if reduction in ("min", "max"):
            return output, _extremum_tangent(where, floating, output, pair, use_init_val)
        if reduction == "prod":
            return output, _product_tangent(where, floating, pair, use_init_val)
        return output, _linear_tangent(where, pair, reduction, use_init_val)

    def transpose(
        cotangent: Any,
        *operands: Any,
        reduction: str = "none",
        use_init_val: bool = True,
        **parameters: Any,
    ) -> Any:
        if type(cotangent) is ad.Zero:
            return [ad.Zero(x.aval) if ad.is_undefined_primal(x) else None for x in operands]
        data, *indices, updates = operands
        shape = updates.aval.shape if ad.is_undefined_primal(updates) else updates.shape
        where = addressing(cotangent.shape, *(indices or [None]), shape, **parameters)
        settled = cotangent, reduction, use_init_val
        return [
            _transpose_to_data(where, *settled) if ad.is_undefined_primal(data) else None,
            *[None] * len(indices),
            _transpose_to_updates(where, *settled) if ad.is_undefined_primal(updates) else None,
        ]

    ad.primitive_jvps[primitive] = jvp
    ad.primitive_transposes[primitive] = transpose


_define_gather(_primitives.gather_p, AxisAddressing)
_define_gather(_primitives.gather_nd_p, _rows_of_batches)
_define_gather(_primitives.gather_elements_p, ElementAddressing)

_define_scatter(_primitives.scatter_p, AxisAddressing)
_define_scatter(_primitives.scatter_nd_p, RowAddressing)
_define_scatter(_primitives.scatter_elements_p, ElementAddressing)
_define_scatter(_primitives.tensor_scatter_p, WindowAddressing)
_define_scatter(_primitives.slice_scatter_p, SliceAddressing)
