"""strew's own operators for PyTorch, also as torch.ops.strew: functional, with gradients, on the CPU.

They do what `strew.gather_nd` and so on do, which is more than PyTorch's own can say: tuples of coordinates, negative
indices, every reduction, duplicates in a defined order. All operands are left as they are. Any strides are read in
place, any dtype that strew has is taken (and others of whole bytes where nothing is computed), indices may have any
integer dtype, and PyTorch's threads do the work, with the same bits for any number of them.

What a call refuses is raised as strew raises it: IndexError, ValueError or TypeError, with strew's fields.
"""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from torch import Tensor
from torch import library as torch_library

import strew

from strew.torch import operators_batching, operators_calls, operators_shapes
from strew.torch.operators_calls import ElementAddresses, RowAddresses, gather, in_functorch, scatter

__all__ = ["gather_nd", "gather_elements", "scatter_nd", "scatter_elements"]

# What is registered with it lives as long as it does.
_library = torch_library.Library("strew", "FRAGMENT")
for part in (operators_calls, operators_shapes, operators_batching):
    part.register(_library)

_operators = torch.ops.strew
_is_compiling = torch.compiler.is_compiling


def gather_nd(data: Tensor, indices: Tensor, *, batch_dims: int = 0) -> Tensor:
    """Gathers rows: output[p, t, ...] = data[p, *indices[p, t], ...].

    data        rank r >= 1; any dtype
    indices     rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r - batch_dims.
                A negative one counts from the end
    batch_dims  0 <= batch_dims < min(r, q): how many first dimensions data and indices share

    Returns a new tensor of the shape indices.shape[:-1] + data.shape[batch_dims + k:].
    """
    try:
        if _is_compiling():
            return _operators.gather_nd(data, indices, batch_dims)
        return gather(RowAddresses, data, indices, batch_dims)
    except Exception as error:
        _refuse(error, strew.gather_nd, (data, indices), batch_dims=batch_dims)


def gather_elements(data: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    """Gathers elements: output[i][j][k] = data[i][indices[i][j][k]][k], here for axis 1 of rank 3.

    data     rank r >= 1; any dtype
    indices  rank r, of integers; off the axis, no dimension larger than that of data. A negative one counts from the
             end
    axis     -r <= axis < r

    Returns a new tensor of the shape of indices.
    """
    try:
        if _is_compiling():
            return _operators.gather_elements(data, indices, axis)
        return gather(ElementAddresses, data, indices, axis)
    except Exception as error:
        _refuse(error, strew.gather_elements, (data, indices), axis=axis)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, *, reduction: str = "none") -> Tensor:
    """A copy of data with rows scattered to it: output[*indices[t], ...] (reduction)= updates[t, ...], t by t in order.

    data       rank r >= 1
    indices    rank q >= 1, of integers; the last dimension k holds tuples of k coordinates, 0 <= k <= r. A negative one
               counts from the end
    updates    the shape indices.shape[:-1] + data.shape[k:], the dtype of data
    reduction  "none" (the last update stays), "sum", "sub", "prod", "min" or "max"

    Differentiable by data and updates. A minimum or maximum that several operands have, data's element among them,
    gives each an equal share of its gradient, as torch.scatter_reduce does.
    """
    try:
        check_reduction(reduction)
        if _is_compiling():
            return _operators.scatter_nd(data, indices, updates, reduction, 0)
        return scatter(RowAddresses, data, indices, updates, reduction, 0)
    except Exception as error:
        _refuse(error, strew.scatter_nd, (data, indices, updates), reduction=reduction)


def scatter_elements(
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
) -> Tensor:
    """A copy of data with elements scattered to it: output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k], here
    for axis 1 of rank 3 and each position of indices in row-major order.

    data          rank r >= 1
    indices       rank r, of integers; off the axis, no dimension larger than that of data. A negative one counts from
                  the end
    updates       the shape of indices, the dtype of data
    axis          -r <= axis < r
    reduction     "none" (the last update stays), "sum", "sub", "prod", "min", "max" or "mean"
    use_init_val  whether the element of data takes part in a reduction of an element that indices name

    Differentiable by data and updates, as scatter_nd.
    """
    try:
        check_reduction(reduction)
        if _is_compiling():
            return _operators.scatter_elements(data, indices, updates, axis, reduction, use_init_val)
        return scatter(ElementAddresses, data, indices, updates, axis, reduction, use_init_val)
    except Exception as error:
        attributes = {"axis": axis, "reduction": reduction, "use_init_val": use_init_val}
        _refuse(error, strew.scatter_elements, (data, indices, updates), **attributes)


def check_reduction(reduction: str) -> None:
    """PyTorch's dispatcher would take bytes for a str."""
    if not isinstance(reduction, str):
        raise TypeError(f"reduction must be a str, not {type(reduction).__name__}")


def _refuse(error: Exception, function: Any, tensors: tuple[Any, ...], **attributes: Any) -> NoReturn:
    """Raises what strew says of a call that was refused, with its fields: by doing it again without PyTorch's
    dispatcher, which knows messages alone. What has another reason is raised as it is."""
    for name, tensor in zip(("data", "indices", "updates"), tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, not {type(tensor).__name__}") from None
    if all(is_plain(tensor) for tensor in tensors):
        try:
            function(*(tensor.detach() for tensor in tensors), **attributes)
        except (strew.Error, TypeError) as own:
            raise own from None
        except Exception:  # no memory, or nothing that strew can look at: PyTorch has said it already
            pass
    raise error


def is_plain(tensor: Tensor) -> bool:
    """Whether it lies in the memory of the CPU, for strew to look at; zeros that autograd made for a tangent do not."""
    is_dense = tensor.layout == torch.strided and tensor.device.type == "cpu" and not torch._is_zerotensor(tensor)
    return is_dense and type(tensor) in (Tensor, torch.nn.Parameter) and not in_functorch()
