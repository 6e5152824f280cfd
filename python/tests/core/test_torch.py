"""PyTorch's tensors as arguments of the functions for NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strew

torch = pytest.importorskip("torch")

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"


@pytest.mark.parametrize("name", DTYPES.split())
def test_every_dtype(name: str) -> None:
    data = torch.arange(12).reshape(3, 4).to(getattr(torch, name))
    indices = torch.tensor([[2, 0, 1, 1]])
    result = strew.gather_elements(data, indices)
    assert isinstance(result, torch.Tensor)
    assert result.dtype == data.dtype
    assert torch.equal(result.to(torch.complex128), data.to(torch.complex128).gather(0, indices))


def test_float8_is_moved() -> None:
    data = torch.arange(4.0).to(torch.float8_e5m2)
    assert strew.gather_elements(data, torch.tensor([3])).float().tolist() == [3]
    with pytest.raises(strew.DtypeError, match="updates is float8e4m3fn; float8e5m2 is needed, as in data"):
        strew.scatter_elements(data, torch.tensor([3]), torch.ones(1).to(torch.float8_e4m3fn))


def test_strides_and_outputs() -> None:
    data = torch.arange(12.0).reshape(3, 4).T
    indices = torch.tensor([[3], [1]])
    assert torch.equal(strew.gather_nd(data, indices), data[[3, 1]])
    out = torch.zeros(3, 2).T
    assert strew.gather_nd(data, indices, out=out) is out
    assert torch.equal(out, data[[3, 1]])
    expected = data.index_add(0, indices[:, 0], out)
    assert strew.scatter_nd(data, indices, out, reduction="sum", out=data) is data
    assert torch.equal(data, expected)


def test_tensors_and_arrays_mix() -> None:
    result = strew.gather_elements(torch.arange(3.0), np.array([1]))
    assert isinstance(result, torch.Tensor)
    result = strew.gather_elements(np.arange(3.0), torch.tensor([1]))
    assert isinstance(result, np.ndarray)


def test_parameters_that_are_frozen() -> None:
    parameter = torch.nn.Parameter(torch.arange(3.0), requires_grad=False)
    assert strew.gather_elements(parameter, torch.tensor([2])).tolist() == [2]


def refused(message: str, **arguments: Any) -> None:
    """gather_elements refuses an operand."""
    given = {"data": torch.zeros(3), "indices": torch.tensor([0]), **arguments}
    with pytest.raises(strew.ArgumentError, match=message):
        strew.gather_elements(**given)


def test_tensors_that_are_more_than_their_memory() -> None:
    conjugated = torch.zeros(3, dtype=torch.complex64).conj()
    refused("data requires grad, .* detach", data=torch.zeros(3, requires_grad=True))
    refused("output requires grad", out=torch.zeros(1, requires_grad=True))
    refused("data is a conjugated view: give strew its resolve_conj", data=conjugated)
    refused("data is a negated view: give strew its resolve_neg", data=conjugated.imag)
    halves = torch.zeros(3, dtype=torch.complex32).conj()
    refused("data is a conjugated view", data=halves)
    refused("data is a negated view", data=halves.imag)
    refused("data does not show its memory: ", data=torch.zeros(3).to_sparse())
    refused("data does not show its memory: ", data=torch.zeros(3, device="meta"))


def test_autograd_sees_what_was_written() -> None:
    weights, kept = torch.ones(3, requires_grad=True), torch.ones(3)
    loss = (weights * kept).sum()
    strew.scatter_elements(kept, torch.tensor([1]), torch.tensor([5.0]), out=kept)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    version, indices, updates = kept._version, torch.tensor([1]), torch.ones(1)
    strew.plan_scatter_elements(kept, indices, updates)(kept, indices, updates, out=kept)
    assert kept._version > version


def test_a_refused_call_leaves_the_tensor_as_it_was() -> None:
    data = torch.zeros(3)
    with pytest.raises(IndexError, match=r"indices\[1\] is 3, outside \[-3, 2\]"):
        strew.scatter_elements(data, torch.tensor([0, 3]), torch.ones(2), out=data)
    assert data.tolist() == [0, 0, 0]
    assert data._version == 0
