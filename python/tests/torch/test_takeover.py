"""strew underneath PyTorch, against PyTorch alone: random, unusual and wrong calls; on, off and the report."""

from __future__ import annotations

import contextlib
import pathlib
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import library as torch_library  # noqa: E402

import strew.torch  # noqa: E402
from strew import _torch  # noqa: E402
from strew.torch import takeover  # noqa: E402

pytestmark = pytest.mark.usefixtures("off_afterwards")

CASES = 150


# ---- One call, on and off -------------------------------------------------------------------------------------------


def outcome(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """The result of a call and its arguments afterwards, or class and text of its error."""
    own = [a.clone() if isinstance(a, torch.Tensor) and a.is_contiguous() else rebuild(a) for a in arguments]
    try:
        result = function(*own)
    except Exception as error:
        return type(error), str(error)
    return result, [a for a in own if isinstance(a, torch.Tensor)]


def rebuild(value: Any) -> Any:
    """A copy of the whole memory behind a view, and the same view of it."""
    if not isinstance(value, torch.Tensor):
        return value
    memory = value.untyped_storage().clone()
    return torch.empty(0, dtype=value.dtype).set_(memory, value.storage_offset(), value.shape, value.stride())


def same_tensor(expected: torch.Tensor, actual: torch.Tensor) -> None:
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    moving = [d for d in range(actual.ndim) if actual.shape[d] > 1]
    assert expected.numel() == 0 or [actual.stride(d) for d in moving] == [expected.stride(d) for d in moving]
    if actual.dtype in (torch.float16, torch.bfloat16):
        torch.testing.assert_close(actual, expected, equal_nan=True, rtol=0.05, atol=0.05)
    else:
        torch.testing.assert_close(actual, expected, equal_nan=True)


def check(function: Callable[..., Any], *arguments: Any) -> str:
    """Compares a call with PyTorch's own; returns "done", or the class of the error."""
    expected = outcome(function, list(arguments))
    with strew.torch.enabled():
        actual = outcome(function, list(arguments))
    if isinstance(expected[0], type):
        assert actual == expected
        return expected[0].__name__
    assert not isinstance(actual[0], type), actual
    same_tensor(expected[0], actual[0])
    for before, after in zip(expected[1], actual[1]):
        same_tensor(before, after)
    return "done"


# ---- Random calls ---------------------------------------------------------------------------------------------------

DTYPES = [torch.float32, torch.float64, torch.int64, torch.uint8, torch.bool, torch.bfloat16, torch.complex64]


class Draw:
    """Draws tensors of all kinds of memory."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        torch.manual_seed(seed)

    def values(self, shape: list[int], dtype: torch.dtype) -> torch.Tensor:
        if dtype.is_floating_point or dtype.is_complex:
            return torch.randint(-8, 8, shape).to(dtype) / 4
        return torch.randint(0, 2 if dtype == torch.bool else 100, shape).to(dtype)

    def view(self, tensor: torch.Tensor, dense: bool = False) -> torch.Tensor:
        """The same values in memory of another layout."""
        way = self.random.randrange(5)
        if way == 0 and tensor.ndim > 1:
            order = self.random.sample(range(tensor.ndim), tensor.ndim)
            inverse = [order.index(d) for d in range(tensor.ndim)]
            return tensor.permute(order).contiguous().permute(inverse)
        if way == 1 and tensor.ndim and not dense:
            wide = torch.zeros([*tensor.shape[:-1], tensor.shape[-1] * 2 + 1], dtype=tensor.dtype)
            wide[..., 1::2] = tensor
            return wide[..., 1::2]
        if way == 2 and tensor.ndim and not dense:
            padded = torch.zeros([tensor.shape[0] + 2, *tensor.shape[1:]], dtype=tensor.dtype)
            padded[1:-1] = tensor
            return padded[1:-1]
        return tensor

    def shape(self, rank: int) -> list[int]:
        return [self.random.choice([1, 2, 3, 4, 5, 7]) for _ in range(rank)]

    def dtype(self) -> torch.dtype:
        return self.random.choice(DTYPES)

    def expanded(self, tensor: torch.Tensor, dim: int) -> torch.Tensor:
        """Sometimes the same index for everything off the axis, as an expanded view."""
        if self.random.random() < 0.6:
            return tensor
        shape = list(tensor.shape)
        line = tensor[tuple(slice(None) if d == dim else slice(0, 1) for d in range(tensor.ndim))]
        return line.clone().expand(shape)

    def index(self, shape: list[int], size: int, low: int = 0) -> torch.Tensor:
        return torch.randint(low, size, shape)


@pytest.mark.parametrize("seed", range(CASES))
def test_random_gathers(seed):
    draw = Draw(seed)
    rank = draw.random.randint(1, 4)
    shape, dim, dtype = draw.shape(rank), draw.random.randrange(-rank, rank), draw.dtype()
    data = draw.view(draw.values(shape, dtype))
    sizes = [draw.random.randint(1, s) for s in shape]
    sizes[dim] = draw.random.randint(0, 6)
    index = draw.expanded(draw.view(draw.index(sizes, shape[dim])), dim % rank)
    check(lambda x, i: torch.gather(x, dim, i), data, index)
    check(lambda x, i, o: torch.gather(x, dim, i, out=o), data, index, draw.view(draw.values(sizes, dtype)))
    line = draw.index([draw.random.randint(0, 6)], shape[dim]).to(draw.random.choice([torch.int32, torch.int64]))
    check(lambda x, i: torch.index_select(x, dim, i), data, line)
    chosen = [*shape]
    chosen[dim] = len(line)
    check(lambda x, i, o: torch.index_select(x, dim, i, out=o), data, line, draw.view(draw.values(chosen, dtype)))


@pytest.mark.parametrize("seed", range(CASES))
def test_random_scatters(seed):
    draw = Draw(seed)
    rank = draw.random.randint(1, 4)
    shape, dim, dtype = draw.shape(rank), draw.random.randrange(-rank, rank), draw.dtype()
    data = draw.view(draw.values(shape, dtype))
    sizes = [draw.random.randint(1, s) for s in shape]
    sizes[dim] = draw.random.randint(1, 6)
    index = draw.expanded(draw.view(draw.index(sizes, shape[dim])), dim % rank)
    source = draw.view(draw.values([s + draw.random.randint(0, 2) for s in sizes], dtype))
    reduce = draw.random.choice(["sum", "prod", "mean", "amax", "amin"])
    include = draw.random.random() < 0.5
    old = draw.random.choice(["add", "multiply"])
    out = draw.view(draw.values(shape, dtype))
    unique = torch.argsort(torch.rand(shape), dim=dim)[tuple(slice(0, s) for s in sizes)]
    check(lambda x, i, s: x.scatter(dim, i, s), data, unique, source[tuple(slice(0, s) for s in unique.shape)])
    check(lambda x, i, s: x.scatter_(dim, i, s), data, unique, source[tuple(slice(0, s) for s in unique.shape)])
    check(lambda x, i, s: x.scatter_add(dim, i, s), data, index, source)
    check(lambda x, i, s: x.scatter_add_(dim, i, s), data, index, source)
    check(lambda x, i, s, o: torch.scatter_add(x, dim, i, s, out=o), data, index, source, out)
    check(lambda x, i, s: x.scatter(dim, i, s, reduce=old), data, index, source)
    check(lambda x, i, s: x.scatter_reduce(dim, i, s, reduce, include_self=include), data, index, source)
    check(lambda x, i, s: x.scatter_reduce_(dim, i, s, reduce, include_self=include), data, index, source)
    check(
        lambda x, i, s, o: torch.scatter_reduce(x, dim, i, s, reduce, include_self=include, out=o),
        *(data, index, source, out),
    )


NUMBERS = [0, 1, 2.5, -3, 7, True, False, -0.0, 300, 1e40, float("inf"), float("nan"), 1 + 2j, 2**63, 0.1]


@pytest.mark.parametrize("seed", range(CASES))
def test_random_rows(seed):
    draw = Draw(seed)
    rank = draw.random.randint(1, 4)
    shape, dim, dtype = draw.shape(rank), draw.random.randrange(-rank, rank), draw.dtype()
    data = draw.view(draw.values(shape, dtype))
    count = draw.random.randint(0, shape[dim])
    sizes = [*shape]
    sizes[dim] = count
    source = draw.view(draw.values(sizes, dtype))
    unique = torch.randperm(shape[dim])[:count]
    index = draw.index([count], shape[dim]).to(draw.random.choice([torch.int32, torch.int64]))
    out = draw.view(draw.values(shape, dtype))
    alpha = draw.random.choice([1, 1, 1, 2])
    check(lambda x, i, s: x.index_copy(dim, i, s), data, unique, source)
    check(lambda x, i, s: x.index_copy_(dim, i, s), data, unique, source)
    check(lambda x, i, s, o: torch.index_copy(x, dim, i, s, out=o), data, unique, source, out)
    check(lambda x, i, s: x.index_add(dim, i, s, alpha=alpha), data, index, source)
    check(lambda x, i, s: x.index_add_(dim, i, s, alpha=alpha), data, index, source)
    check(lambda x, i, s, o: torch.index_add(x, dim, i, s, alpha=alpha, out=o), data, index, source, out)


def draw_indices(draw: Draw, shape: list[int]) -> list[torch.Tensor | None]:
    """Indices of all kinds for the dimensions of a tensor: None, numbers, masks, broadcast against each other."""
    common = draw.shape(draw.random.randint(0, 2))
    indices: list[torch.Tensor | None] = []
    dimension = 0
    while dimension < len(shape):
        kind = draw.random.randrange(6)
        if kind == 0 and dimension + 1 < len(shape) and len(common) < 2:
            mask = torch.rand(shape[dimension : dimension + 2]) < 0.6
            if not common or common[-1] not in (1, int(mask.sum())):
                common = [int(mask.sum())]
            indices.append(mask)
            dimension += 2
        elif kind == 1:
            mask = torch.rand(shape[dimension]) < 0.6
            indices.append(mask)
            dimension += 1
        elif kind in (2, 3):
            indices.append(None)
            dimension += 1
        else:
            size = [s if draw.random.random() < 0.7 else 1 for s in common][draw.random.randint(0, len(common)) :]
            index = draw.index(size, shape[dimension], -shape[dimension])
            indices.append(draw.view(index).to(draw.random.choice([torch.int64, torch.int64, torch.int32])))
            dimension += 1
    while indices and indices[-1] is None and draw.random.random() < 0.7:
        indices.pop()
    return indices


@pytest.mark.parametrize("seed", range(4 * CASES))
def test_random_indices(seed):
    draw = Draw(seed)
    shape, dtype = draw.shape(draw.random.randint(1, 4)), draw.dtype()
    data = draw.view(draw.values(shape, dtype))
    indices = draw_indices(draw, shape)
    aten = torch.ops.aten
    if all(index is None for index in indices):
        return
    check(lambda x: aten.index.Tensor(x, indices), data)
    try:
        result = aten.index.Tensor(data, indices)
    except (RuntimeError, IndexError):
        result = draw.values([2], dtype)  # check() has seen that the error is the same
    out = draw.view(draw.values(list(result.shape), dtype))
    check(lambda x, o: aten.index.Tensor_out(x, indices, out=o), data, out)
    values = draw.view(draw.values([s if draw.random.random() < 0.7 else 1 for s in result.shape], dtype))
    check(lambda x, v: aten.index_put(x, indices, v, True), data, values)
    check(lambda x, v: aten.index_put_(x, indices, v, True), data, values)
    one = draw.values(draw.random.choice([[], [1]]), dtype)
    check(lambda x, v: aten.index_put_(x, indices, v, False), data, one)
    numbers = torch.arange(data.numel()).reshape(data.shape)
    try:
        places = aten.index.Tensor(numbers, indices)
    except (RuntimeError, IndexError):
        return
    if places.unique().numel() == places.numel():  # otherwise which value stays is not defined by PyTorch
        check(lambda x, v: aten.index_put_(x, indices, v, False), data, values)


@pytest.mark.parametrize("seed", range(CASES))
def test_random_embeddings(seed):
    draw = Draw(seed)
    rows, width = draw.random.randint(1, 9), draw.random.randint(1, 9)
    dtype = draw.random.choice([torch.float32, torch.float64, torch.bfloat16])
    index = draw.view(draw.index(draw.shape(draw.random.randint(0, 3)), rows))
    index = index.to(draw.random.choice([torch.int32, torch.int64]))
    padding, scaled = draw.random.choice([None, 0, rows - 1]), draw.random.random() < 0.2

    def gradient(weight: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        own = weight.clone().requires_grad_()
        result = torch.nn.functional.embedding(i, own, padding_idx=padding, scale_grad_by_freq=scaled)
        (result * result).sum().backward()
        assert own.grad is not None
        return own.grad

    weight = draw.view(draw.values([rows, width], dtype))
    check(lambda w, i: torch.nn.functional.embedding(i, w), weight, index)
    check(gradient, weight, index)


# ---- Unusual calls, and wrong ones ----------------------------------------------------------------------------------

X = torch.arange(12.0).reshape(3, 4)
I = torch.tensor([[0, 2, 1, 0], [1, 1, 2, 0]])
S = torch.arange(8.0).reshape(2, 4) + 100
L = torch.tensor([2, 0])

UNUSUAL: dict[str, tuple[Callable[..., Any], str]] = {
    "gather: rank 0": (lambda: torch.gather(torch.tensor(3.0), 0, torch.tensor(0)), "done"),
    "gather: rank 0 by rank 1": (lambda: torch.gather(torch.tensor(3.0), 0, torch.tensor([0, 0])), "done"),
    "gather: empty index": (lambda: X.gather(0, torch.empty(0, dtype=torch.int64)), "done"),
    "gather: empty index of a shape": (lambda: X.gather(0, torch.empty(0, 4, dtype=torch.int64)), "done"),
    "gather: negative": (lambda: X.gather(0, -I - 1), "RuntimeError"),
    "gather: too large": (lambda: X.gather(0, I + 1), "RuntimeError"),
    "gather: no such dim": (lambda: X.gather(2, I), "IndexError"),
    "gather: ranks": (lambda: X.gather(0, L), "RuntimeError"),
    "gather: shapes": (lambda: X.gather(0, torch.zeros(2, 5, dtype=torch.int64)), "RuntimeError"),
    "gather: int16": (lambda: X.gather(0, I.short()), "RuntimeError"),
    "gather: out resized": (lambda: torch.gather(X, 0, I, out=torch.empty(0)), "done"),
    "gather: out of another dtype": (lambda: torch.gather(X, 0, I, out=torch.empty(2, 4).double()), "RuntimeError"),
    "gather: out is self": (lambda: torch.gather(x := X[:2].clone(), 0, I % 2, out=x), "RuntimeError"),
    "gather: out expanded": (lambda: torch.gather(X, 0, I, out=torch.empty(1, 4).expand(2, 4)), "RuntimeError"),
    "gather: sparse_grad": (lambda: torch.gather(X, 0, I, sparse_grad=True), "done"),
    "gather: conj": (lambda: (X + 1j).conj().gather(0, I), "done"),
    "gather: neg": (lambda: (X + 1j).conj().imag.gather(0, I), "done"),
    "scatter: rank 0": (lambda: torch.tensor(1.0).scatter(0, torch.tensor(0), torch.tensor(5.0)), "done"),
    "scatter: empty index": (lambda: X.scatter(0, torch.empty(0, dtype=torch.int64), S), "done"),
    "scatter: dtypes": (lambda: X.scatter(0, I, S.double()), "RuntimeError"),
    "scatter: small source": (lambda: X.scatter(0, I, S[:1]), "RuntimeError"),
    "scatter: too large": (lambda: X.scatter(0, I + 1, S), "RuntimeError"),
    "scatter_: expanded": (lambda: torch.zeros(1, 4).expand(3, 4).scatter_(0, I, S), "RuntimeError"),
    "scatter_: source is self": (lambda: (x := X.clone()).scatter_(0, I % 2, x), "RuntimeError"),
    "scatter_: source overlaps": (lambda: (x := torch.zeros(20))[:8].scatter_(0, L, x[4:12]), "RuntimeError"),
    "scatter: no such reduce": (lambda: X.scatter(0, I, S, reduce="mean"), "RuntimeError"),
    "scatter_reduce: no such reduce": (lambda: X.scatter_reduce(0, I, S, "add"), "RuntimeError"),
    "scatter_reduce: amax of complex": (lambda: (X + 1j).scatter_reduce(0, I, S + 1j, "amax"), "NotImplementedError"),
    "scatter_add: uint16": (lambda: X.to(torch.uint16).scatter_add(0, I, S.to(torch.uint16)), "NotImplementedError"),
    "scatter_reduce: NaN": (lambda: X.scatter_reduce(0, I, S * float("nan"), "amax"), "done"),
    "scatter: value": (lambda: X.scatter(0, I, 7), "done"),
    "scatter: value, rank 0": (lambda: torch.tensor(1.0).scatter(0, torch.tensor(0), 5), "done"),
    "scatter: value, rank 0 by rank 1": (lambda: torch.tensor(1.0).scatter(0, torch.tensor([0, 0]), 5), "done"),
    "scatter: value, empty index": (lambda: X.scatter(0, torch.empty(0, dtype=torch.int64), 5), "done"),
    "scatter: value, too large": (lambda: X.scatter(0, I + 1, 7), "RuntimeError"),
    "scatter: value, negative": (lambda: X.scatter(0, I - 1, 7), "RuntimeError"),
    "scatter: value, no such dim": (lambda: X.scatter(2, I, 7), "IndexError"),
    "scatter: value, ranks": (lambda: X.scatter(0, L, 7), "RuntimeError"),
    "scatter: value, shapes": (lambda: X.scatter(0, torch.zeros(2, 5, dtype=torch.int64), 7), "RuntimeError"),
    "scatter: value, int16": (lambda: X.scatter(0, I.short(), 7), "RuntimeError"),
    "scatter: value, int32": (lambda: X.scatter(0, I.int(), 7), "done"),
    "scatter: value of another kind": (lambda: X.int().scatter(0, I, 1j), "RuntimeError"),
    "scatter: value of no number": (lambda: X.scatter(0, I, "a"), "TypeError"),
    "scatter: value, no such reduce": (lambda: X.scatter(0, I, 7, reduce="mean"), "RuntimeError"),
    "scatter: value, out resized": (lambda: torch.scatter(X, 0, I, 7, out=torch.empty(0)), "done"),
    "scatter: value, out is self": (lambda: torch.scatter(x := X.clone(), 0, I, 7, out=x), "done"),
    "scatter: value, out of another dtype": (
        lambda: torch.scatter(X, 0, I, 7, out=torch.empty(3, 4).double()),
        "RuntimeError",
    ),
    "scatter: value, conj": (lambda: (X + 1j).conj().scatter(0, I, 2j), "done"),
    "scatter_: value, conj": (lambda: (X + 1j).conj().scatter_(0, I, 2j), "done"),
    "scatter_: value, expanded": (lambda: torch.zeros(1, 4).expand(3, 4).scatter_(0, I, 7), "RuntimeError"),
    "scatter_: value, index of self": (lambda: (x := L.clone()).scatter_(0, x % 2, 7), "done"),
    "scatter_: value, index is self itself": (lambda: (x := L * 0).scatter_(0, x, 7), "RuntimeError"),
    "index_select: rank 0": (lambda: torch.tensor(3.0).index_select(0, torch.tensor([0])), "done"),
    "index_select: rank 0 by two": (lambda: torch.tensor(3.0).index_select(0, torch.tensor([0, 0])), "RuntimeError"),
    "index_select: too large": (lambda: X.index_select(0, L + 5), "IndexError"),
    "index_select: too large in dim 1": (lambda: X.index_select(1, L + 5), "RuntimeError"),
    "index_select: negative": (lambda: X.index_select(0, L - 3), "IndexError"),
    "index_select: rank 2": (lambda: X.index_select(0, I), "IndexError"),
    "index_select: uint8": (lambda: X.index_select(0, L.byte()), "RuntimeError"),
    "index_select: empty self": (lambda: torch.zeros(0, 4).index_select(0, L), "RuntimeError"),
    "index_copy: too large": (lambda: X.index_copy(0, L + 5, S), "IndexError"),
    "index_copy: scalar source": (lambda: X[0].index_copy(0, torch.tensor([1]), torch.tensor(5.0)), "done"),
    "index_copy: count": (lambda: X.index_copy(0, L[:1], S), "IndexError"),
    "index_add: too large": (lambda: X.index_add(0, L + 5, S), "RuntimeError"),
    "index_add: negative": (lambda: X.index_add(0, L - 3, S), "RuntimeError"),
    "index_add: dtypes": (lambda: X.index_add(0, L, S.double()), "RuntimeError"),
    "index_add: rank 0": (lambda: torch.tensor(1.0).index_add(0, torch.tensor(0), torch.tensor(2.0)), "done"),
    "index_add: alpha": (lambda: X.index_add(0, L, S, alpha=0.5), "done"),
    "index: too large": (lambda: X[L + 5], "IndexError"),
    "index: too small": (lambda: X[L - 9], "IndexError"),
    "index: several too large": (lambda: X[L, L + 5], "IndexError"),
    "index: shapes": (lambda: X[L, torch.tensor([0, 1, 2])], "IndexError"),
    "index: too many": (lambda: X[L, L, L], "IndexError"),
    "index: mask of another shape": (lambda: X[torch.ones(4, dtype=torch.bool)], "IndexError"),
    "index: uint8 mask": (lambda: X[torch.ones(3, dtype=torch.uint8)], "done"),
    "index: int16": (lambda: X[L.short()], "IndexError"),
    "index: empty": (lambda: X[torch.empty(0, dtype=torch.int64)], "done"),
    "index: empty self": (lambda: torch.zeros(3, 0)[L], "done"),
    "index: empty dimension": (lambda: torch.zeros(0, 3)[L], "IndexError"),
    "index: a number": (lambda: X[torch.tensor(1)], "done"),
    "index: two numbers": (lambda: X[torch.tensor(1), torch.tensor(2)], "done"),
    "index: complex32": (lambda: X.to(torch.complex32)[L].to(torch.complex64), "done"),
    "index: float8": (lambda: X.to(torch.float8_e4m3fn)[L].float(), "done"),
    "index: mask of rank 0": (lambda: X[torch.tensor(True)], "done"),
    "put: a mask and a value": (lambda: X.clone().index_put_((X > 3,), torch.tensor(7.0)), "done"),
    "put: a mask and a value of another dtype": (lambda: X.clone().index_put_((X > 3,), torch.tensor(7)), "done"),
    "put: a mask of rows and a value": (lambda: X.clone().index_put_((X[:, 0] > 3,), torch.tensor(7.0)), "done"),
    "put: a mask and values": (lambda: X.clone().index_put_((X > 9,), torch.tensor([7.0, 8.0])), "done"),
    "put: too few values": (lambda: X.clone().index_put_((X > 3,), torch.tensor([7.0, 8.0])), "RuntimeError"),
    "put: dtypes": (lambda: X.clone().index_put_((L,), S.double()), "RuntimeError"),
    "put: expanded": (lambda: torch.zeros(1, 4).expand(3, 4).index_put_((L,), S[:1] * 0 + 1), "done"),
    "put: too large": (lambda: X.clone().index_put_((L + 5,), S), "IndexError"),
    "put: values overlap": (lambda: (x := X.clone()).index_put_((L,), x[1:]), "RuntimeError"),
    "take_along_dim": (lambda: torch.take_along_dim(X, I, 0), "done"),
    "embedding: too large": (lambda: torch.nn.functional.embedding(L + 5, X), "IndexError"),
    "meta": (lambda: torch.empty_like(X.to("meta").gather(0, I.to("meta")), device="cpu").zero_(), "done"),
    "inference": (lambda: torch.inference_mode()(lambda: X[L] + X.gather(0, I))(), "done"),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual(name):
    function, end = UNUSUAL[name]
    try:
        expected: Any = function()
    except Exception as error:
        expected = type(error), str(error)
    assert (expected[0].__name__ if isinstance(expected, tuple) else "done") == end, expected
    with strew.torch.enabled():
        try:
            actual: Any = function()
        except Exception as error:
            actual = type(error), str(error)
    if isinstance(expected, torch.Tensor):
        same_tensor(expected, actual)
    else:
        assert actual == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.scatter_(0, torch.tensor([[0, 1, 2, 9]]), torch.ones(1, 4)),
        lambda x: x.scatter_add_(0, torch.tensor([[0, 1, 2, 9]]), torch.ones(1, 4)),
        lambda x: x.scatter_reduce_(0, torch.tensor([[0, 1, 2, 9]]), torch.ones(1, 4), "amax", include_self=False),
        lambda x: x.index_copy_(0, torch.tensor([0, 9]), torch.ones(2, 4)),
        lambda x: x.index_add_(0, torch.tensor([0, 9]), torch.ones(2, 4)),
        lambda x: x.index_put_((torch.tensor([0, 9]),), torch.ones(2, 4)),
        lambda x: x.index_put_((torch.tensor([0, 9]), torch.tensor([0, 0])), torch.ones(2), accumulate=True),
    ],
)
def test_a_refused_call_in_place_leaves_self_as_it_was(call):
    x = X.clone()
    with strew.torch.enabled(), pytest.raises((RuntimeError, IndexError), match="index"):
        call(x)
    assert torch.equal(x, X)


def test_a_list_of_indices_can_be_used_again():
    """Forward-mode differentiation of x[i] and the gradients of index_put call two operators with one list."""
    index = torch.tensor([0, 2])

    def put(x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.index_put(x, [index], v)

    x, v = X.double().requires_grad_(), S.double().requires_grad_()
    with strew.torch.enabled():
        assert torch.autograd.gradcheck(lambda t: t[index], (x,), check_forward_ad=True)
        assert torch.autograd.gradcheck(put, (x, v), check_forward_ad=True)
        assert torch.autograd.gradgradcheck(put, (x, v), check_fwd_over_rev=True)


class Watched(torch.Tensor):
    """A subclass that sees every function of PyTorch that is called on it."""

    seen: list[str] = []

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.seen.append(function.__name__)
        return super().__torch_function__(function, types, args, kwargs or {})


def test_subclasses_see_the_calls_of_their_user_alone():
    def calls() -> list[str]:
        x, values = X.clone().requires_grad_(), torch.ones(8, requires_grad=True)
        mask, index = (X > 3).as_subclass(Watched), L.as_subclass(Watched)
        result = x[mask].sum() + torch.index_put(X, (mask,), values).sum() + x[index].sum()
        result = result + torch.index_add(X, 0, index, x[:2]).sum()
        result = result + x.scatter(0, I.as_subclass(Watched), 2.5).sum()
        Watched.seen.clear()
        result.as_subclass(torch.Tensor).backward()  # with no guard that keeps the subclass from seeing more
        return list(Watched.seen)

    expected = calls()
    with strew.torch.enabled():
        assert calls() == expected


def test_a_default_device_does_not_reach_the_kernels():
    with strew.torch.enabled(), torch.device("meta"):
        assert X[L].device.type == "cpu" and X.index_add(0, L, S).device.type == "cpu"
        assert X.scatter(0, I, 2).device.type == "cpu"
        assert X.int()[:, 0].scatter(0, L.repeat(3000), 2.5).device.type == "cpu"


def test_version_counters():
    with strew.torch.enabled():
        for call in (
            lambda x: x.scatter_(0, I, S),
            lambda x: x.scatter_(0, I, 5),
            lambda x: x.scatter_add_(0, I, S),
            lambda x: x.index_add_(0, L, S),
            lambda x: x.index_copy_(0, L, S),
            lambda x: x.index_put_((L,), S),
            lambda x: torch.gather(X, 0, I, out=x),
        ):
            x = X[:2].clone() if call.__code__.co_names == ("torch", "gather") else X.clone()
            before = x._version
            call(x)
            assert x._version == before + 1


# ---- On, off, report ------------------------------------------------------------------------------------------------


def test_on_and_off():
    assert not strew.torch.is_enabled()
    strew.torch.enable()
    strew.torch.enable()
    assert strew.torch.is_enabled()
    X.gather(0, I), X[L], X.index_add(0, L, S)
    assert strew.torch.report().taken == {"gather": 1, "index.Tensor": 1, "scatter_add_": 1}
    strew.torch.disable()
    strew.torch.disable()
    X.gather(0, I), X[L], X.index_add(0, L, S)
    assert not strew.torch.is_enabled()
    assert strew.torch.report().taken == {"gather": 1, "index.Tensor": 1, "scatter_add_": 1}
    with strew.torch.enabled():
        with strew.torch.enabled():
            X.gather(0, I)
        assert strew.torch.is_enabled()
        assert strew.torch.report(reset=True).taken == {"gather": 1}
        assert strew.torch.report().taken == {}
    assert not strew.torch.is_enabled()


def test_the_block_ends_with_an_error():
    with pytest.raises(ZeroDivisionError), strew.torch.enabled():
        raise ZeroDivisionError
    assert not strew.torch.is_enabled()


def test_report():
    assert str(strew.torch.report(reset=True))
    with strew.torch.enabled():
        assert "none of its operators" in str(strew.torch.report())
        X.gather(0, I)
        with pytest.raises(RuntimeError):
            X.gather(0, I + 9)
        report = strew.torch.report()
    assert report.enabled and report.taken == {"gather": 1}
    assert report.handed_back == {"gather": {"an index out of bounds": 1}}
    assert str(report).splitlines()[2].split() == ["gather", "1", "1"]


def test_no_warning_of_overriding():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        strew.torch.enable()


def test_threads():
    """Calls from many threads, which meet before strew is turned on or off."""
    x, index = torch.arange(4000.0).reshape(1000, 4), torch.arange(999, -1, -1)
    expected = x.flip(0)
    failures: list[str] = []

    def call() -> None:
        for _ in range(20):
            for result in (x[index], x.index_select(0, index), torch.zeros_like(x).index_add_(0, index, x)):
                if not torch.equal(result, expected):
                    failures.append("a wrong result")
            try:
                x.gather(0, torch.full((1, 4), 5000))
                failures.append("no error")
            except RuntimeError as error:
                if "5000 is out of bounds" not in str(error):
                    failures.append(str(error))

    for is_on in (True, False) * 5:
        with strew.torch.enabled() if is_on else contextlib.nullcontext():
            threads = [threading.Thread(target=call) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert not failures, failures[0]


def test_same_bits_on_any_number_of_threads():
    torch.manual_seed(0)
    index, source = torch.randint(0, 5000, (100_000,)), torch.randn(100_000, 8)
    expanded = index[:, None].expand(-1, 8)
    calls = [
        lambda: torch.zeros(5000, 8).scatter_add_(0, expanded, source),
        lambda: torch.zeros(5000, 8).index_add_(0, index, source),
        lambda: torch.zeros(5000, 8).index_put_((index,), source, accumulate=True),
        lambda: torch.zeros(5000, 8).scatter_reduce_(0, expanded, source, "mean"),
        lambda: torch.zeros(40_000).scatter_add_(0, index * 8, source[:, 0]),
        lambda: torch.ops.aten.embedding_dense_backward(source, index, 5000, -1, False),
    ]
    before = torch.get_num_threads()
    try:
        with strew.torch.enabled():
            for call in calls:
                bits = []
                for threads in (1, 2, 2, 3):
                    torch.set_num_threads(threads)
                    bits.append(call().view(torch.int32))
                assert all(torch.equal(bits[0], other) for other in bits[1:])
    finally:
        torch.set_num_threads(before)


def test_large_calls():
    """Calls large enough for threads, for packing on several of them, and for scratch."""
    torch.manual_seed(0)
    x = torch.randn(300, 200, 8)
    i, j = torch.randint(-300, 300, (400, 300)), torch.randint(0, 200, (300,))
    check(lambda t, a, b: t[a, b], x, i, j)
    check(lambda t, a, b: t[:, a], x, i[:30] % 200, j)
    check(lambda t, a, b: t.permute(1, 0, 2)[b % 100, :, a[0] % 8], x, i, j)
    check(lambda t, a, b: t.index_put((a, b), torch.ones(8), accumulate=True), x, i, j)
    check(lambda t, a: t[a], x, x > 0.5)
    check(lambda t, a: t.index_put((a,), torch.ones(int(a.sum()))), x, x > 0.5)
    index = torch.randint(0, 1_000_000, (1_500_000,))
    check(lambda t, a: t.scatter_add(0, a, torch.ones(1_500_000)), torch.zeros(1_000_000), index)
    check(lambda t, a: t.scatter(0, a, 2.5), torch.zeros(1_000_000), index)
    check(lambda t, a: t.scatter_(0, a, 2.5), torch.zeros(1_000_000), index)
    check(lambda t, a: t.scatter(0, a[:, None].expand(-1, 8), 2.5), torch.zeros(5000, 8), index[:20_000] % 5000)
    check(lambda t, a: t.scatter_(1, a.expand(8, -1), 2.5), torch.zeros(8, 5000), index[:20_000] % 5000)


def test_the_gradient_of_a_reduction_without_self():
    """Its backward pass scatters zeros to the rows that took no part."""
    x, index = torch.randn(500, 8), torch.randint(0, 500, (3000, 1)).expand(3000, 8)
    source = torch.randn(3000, 8)

    def gradients(reduce: str) -> list[torch.Tensor]:
        own = x.clone().requires_grad_(), source.clone().requires_grad_()
        own[0].scatter_reduce(0, index, own[1], reduce, include_self=False).square().sum().backward()
        return [tensor.grad for tensor in own]

    for reduce in ("sum", "mean", "amax"):
        expected = gradients(reduce)
        with strew.torch.enabled():
            actual = gradients(reduce)
            assert strew.torch.report(reset=True).taken["scatter_reduce.two"] == 1
        for one, other in zip(expected, actual):
            torch.testing.assert_close(other, one)


def test_without_grad_and_with():
    x = X.clone().requires_grad_()
    with strew.torch.enabled():
        y = x[L].sum() + x.gather(0, I).sum()
        y.backward()
        assert strew.torch.report().taken.keys() >= {"index.Tensor", "gather", "_index_put_impl_", "scatter_add_"}
    with_strew = x.grad.clone()
    x.grad = None
    (x[L].sum() + x.gather(0, I).sum()).backward()
    assert torch.equal(x.grad, with_strew)


def wide_sums(x: torch.Tensor, index: torch.Tensor, source: torch.Tensor) -> dict[str, torch.Tensor]:
    """PyTorch's float32 results for halves, with an index of rows and a source of about 1."""
    expanded = index[:, None].expand_as(source)
    full, few = expanded.contiguous(), slice(0, 200)
    results = {}
    for kind, of in (("rows", expanded), ("elements", full)):
        results[f"add {kind}"] = x.scatter_add(0, of, source)
        results[f"add_ {kind}"] = x.clone().scatter_add_(0, of, source)
        results[f"add out {kind}"] = torch.scatter_add(x, 0, of, source, out=torch.empty_like(x))
        results[f"add dim 1 {kind}"] = x.T.contiguous().scatter_add(1, of.T, source.T).T
        results[f"strided {kind}"] = x.T.contiguous().T.scatter_add_(0, of, source.T.contiguous().T)
        results[f"scatter add {kind}"] = x.scatter(0, of, source, reduce="add")
        results[f"scatter multiply {kind}"] = x.scatter(0, of[few], source[few], reduce="multiply")
        results[f"number add {kind}"] = x.clone().scatter_(0, of, 1, reduce="add")
        results[f"number multiply {kind}"] = x.scatter(0, of[few], 1.0078125, reduce="multiply")
        for included in (True, False):
            for reduce in ("sum", "mean"):
                name = f"{reduce} {kind} {included}"
                results[name] = x.scatter_reduce(0, of, source, reduce, include_self=included)
            name = f"prod {kind} {included}"
            results[name] = x.scatter_reduce(0, of[few], source[few], "prod", include_self=included)
    results["after others"] = torch.cat([x, x])[3:].scatter_add_(0, expanded, torch.cat([source, source])[4096:])
    results["line"] = x[:, 0].scatter_add(0, index, source[:, 0])
    results["scalar"] = x[0, 0].scatter_add(0, index[:1] * 0, source[0, :1])
    results["index_add"] = x.index_add(0, index, source)
    results["index_add_"] = x.clone().index_add_(0, index, source)
    results["index_add dim 1"] = x.T.contiguous().index_add(1, index, source.T).T
    return results


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_are_rounded_once(dtype):
    torch.manual_seed(0)
    x = (1 + torch.rand(3, 5) / 8).to(dtype)
    index = torch.randint(0, 2, (4096,))
    source = (1 + torch.rand(4096, 5) / 64).to(dtype)
    exact = wide_sums(x.double(), index, source.double())
    alone = wide_sums(x, index, source)
    with strew.torch.enabled():
        actual = wide_sums(x, index, source)
        taken = strew.torch.report().taken
    once, twice = 1.01 * torch.finfo(dtype).eps / 2, 2 * torch.finfo(dtype).eps
    for name, expected in exact.items():
        assert actual[name].dtype == dtype
        torch.testing.assert_close(actual[name].double(), expected, rtol=once, atol=0, msg=name)
        torch.testing.assert_close(actual[name], alone[name], rtol=twice, atol=0, msg=name)
    assert taken.keys() >= {"scatter_add", "scatter_add_", "scatter_add.out", "scatter.reduce", "scatter_reduce.two"}


def test_halves_that_share_memory_or_have_wrong_indices():
    x, index = torch.ones(4, 4, dtype=torch.bfloat16), torch.tensor([[0, 1, 1, 3]] * 2)
    assert check(lambda t, i: t.scatter_add_(0, i, t[1:3]), x, index) == "RuntimeError"
    assert check(lambda t, i: t[:1].expand(4, 4).scatter_add_(0, i, t[1:3].clone()), x, index) == "RuntimeError"
    check(lambda t, i: torch.scatter_add(t, 0, i, t[1:3].clone(), out=t), x, index)
    with strew.torch.enabled():
        y = x.clone()
        means, rows = lambda *a: y.scatter_reduce_(*a, "mean"), lambda d, i, s: y.index_add_(d, i[0], s)
        for call in (y.scatter_add_, means, rows):
            with pytest.raises((RuntimeError, IndexError)):
                call(0, index + 1, x)
            assert torch.equal(y, x)
        before = y._version
        y.scatter_add_(0, index, x)
        assert y._version == before + 1


def test_an_expanded_index_narrower_than_self():
    """PyTorch 2.13 itself is wrong here: a plain loop is held against strew."""
    torch.manual_seed(0)
    x, source = torch.randn(99, 301), torch.randn(3, 143)
    index = torch.randint(0, 99, (3, 1)).expand(3, 143)
    sums, products = x.double(), x.double()
    for row in range(3):
        for column in range(143):
            sums[index[row, column], column] += source[row, column]
            products[index[row, column], column] *= source[row, column]
    with strew.torch.enabled():
        torch.testing.assert_close(x.scatter_add(0, index, source).double(), sums, rtol=1e-5, atol=1e-5)
        actual = x.scatter_reduce(0, index, source, "prod")
        torch.testing.assert_close(actual.double(), products, rtol=1e-5, atol=1e-5)


# ---- Calls that PyTorch has rules of its own for --------------------------------------------------------------------


def test_indices_into_nothing():
    rows, columns, ids = torch.randn(3, 0), torch.randn(0, 3), torch.tensor([99, -5])
    assert check(lambda x, i: x.index_select(0, i), rows, ids) == "RuntimeError"
    assert check(lambda x, i: torch.nn.functional.embedding(i, x), rows, ids) == "RuntimeError"
    for x in (rows, columns):
        check(lambda x, i: x[i], x, ids)
        check(lambda x, i: x[:, i], x, ids)
        check(lambda x, i: x[i, i], x, ids)
        check(lambda x, i: x.index_put((i,), torch.tensor(1.0)), x, ids)
        check(lambda x, i: x.index_put((i, i), torch.tensor(1.0)), x, ids)
        check(lambda x, i: x.index_put_((i, i), torch.ones(2), accumulate=True), x, ids)


def test_a_mask_of_no_dimensions():
    mask, value = torch.tensor(True), torch.tensor(5.0)
    assert check(lambda x, m, v: x.index_put_((m,), v), torch.tensor(1.0), mask, value) == "IndexError"
    check(lambda x, m, v: x.index_put_((m,), v), torch.ones(3), mask, value)


# ---- Enabling in unusual places -------------------------------------------------------------------------------------

IN_ANOTHER_PROCESS = """
import torch, strew.torch
from torch._subclasses import FakeTensorMode
{enable}
x, i = torch.randn(6, 4), torch.tensor([0, 1])
assert torch.equal(x[i], x[:2]) and torch.equal(x.gather(0, torch.ones(1, 4, dtype=torch.long)), x[1:2])
assert strew.torch.report().taken == {{"index.Tensor": 1, "gather": 1}}, strew.torch.report()
"""


@pytest.mark.parametrize(
    "enable",
    [
        "with FakeTensorMode(): strew.torch.enable()",
        'torch.set_default_device("meta"); strew.torch.enable(); torch.set_default_device(None)',
        "torch.set_default_dtype(torch.float64); strew.torch.enable()",
    ],
)
def test_enabling_under_modes(enable):
    """Needs a process of its own: strew asks only once which dtypes PyTorch's kernels accept."""
    program = IN_ANOTHER_PROCESS.format(enable=enable)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("step", ["_register", "index.Tensor_out"])
def test_an_error_while_enabling(monkeypatch, error, step):
    def fail(*arguments: Any) -> None:
        raise error("on the way")

    if step == "_register":
        monkeypatch.setattr(takeover, step, fail)
    else:
        implement = torch_library.Library.impl
        monkeypatch.setattr(
            *(torch_library.Library, "impl"),
            lambda self, name, *rest: fail() if name == step else implement(self, name, *rest),
        )
    strew.torch.report(reset=True)
    with pytest.raises(error) as kept:
        strew.torch.enable()
    monkeypatch.undo()
    assert not strew.torch.is_enabled()
    X.gather(0, I), X[L], X.scatter_add(0, I, S)
    assert strew.torch.report().taken == {} and kept.type is error
    with strew.torch.enabled():
        with pytest.raises(RuntimeError, match="out of bounds"):
            X.gather(0, I + 9)
        X.gather(0, I), X[L]
        assert strew.torch.report().taken == {"gather": 1, "index.Tensor": 1}


def test_float32_refused_is_not_kept(monkeypatch):
    takeover._take_dtypes.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(takeover, "_takes", lambda *arguments: False)
        with pytest.raises(RuntimeError, match="float32"):
            strew.torch.enable()
    assert not strew.torch.is_enabled()
    with strew.torch.enabled():
        X.gather(0, I)
        assert strew.torch.report().taken == {"gather": 1}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("reduce", ["sum", "prod", "mean"])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_rows_of_halves_are_rounded_once(dtype, reduce, include_self, dim):
    """The index names few of many rows, with more updates than one block of float32 holds."""
    generator = torch.Generator().manual_seed(5)
    shape = [7, 6, 50]
    shape[dim] = 3000
    x = torch.rand(shape, generator=generator).add(0.5).to(dtype)
    shape[dim] = (3 << 16) // (x.numel() // 3000)
    index = torch.randint(0, 40, (shape[dim],), generator=generator) * 70
    index = index.reshape([-1 if d == dim else 1 for d in range(3)]).expand(shape)
    source = torch.rand(shape, generator=generator).add(0.5).to(dtype)
    with strew.torch.enabled():
        wide = x.float().scatter_reduce(dim, index, source.float(), reduce, include_self=include_self)
        for result in (
            x.scatter_reduce(dim, index, source, reduce, include_self=include_self),
            x.clone().scatter_reduce_(dim, index, source, reduce, include_self=include_self),
        ):
            assert torch.equal(result, wide.to(dtype))
        assert strew.torch.report().handed_back == {}


def test_a_mean_counts_further_than_a_float_does():
    zeros, ones = (torch.zeros(1).expand(1 << 24), torch.ones(1).expand(1 << 23))
    source, index = torch.cat([zeros, ones]), torch.zeros(1, dtype=torch.int64).expand(3 << 23)
    with strew.torch.enabled():
        result = torch.zeros(1).scatter_reduce(0, index, source, "mean", include_self=False)
    assert result.item() == torch.tensor(1 / 3).item()


def test_exact_leaves_nothing_to_pytorch_for_its_speed():
    halves, index = torch.ones(8).half(), torch.zeros(8, dtype=torch.int64)
    with strew.torch.enabled():
        halves.scatter_add(0, index, halves)
        assert strew.torch.report(reset=True).handed_back == {"scatter_add": {"a kind that PyTorch is faster at": 1}}
        with strew.torch.enabled(exact=True):
            assert halves.scatter_add(0, index, halves)[0] == 9
            assert strew.torch.report(reset=True).taken == {"scatter_add": 1}
        halves.scatter_add(0, index, halves)
        assert strew.torch.report(reset=True).taken == {}
    with strew.torch.enabled(exact=True):
        pass
    with strew.torch.enabled():
        halves.scatter_add(0, index, halves)
        assert strew.torch.report().taken == {}


def test_the_page_has_each_reason_of_the_report():
    page = pathlib.Path(__file__).parents[3] / "docs" / "pytorch.md"
    if not page.exists():
        pytest.skip("needs the sources")
    rows = [line.split("|")[1].strip() for line in page.read_text().splitlines() if line.startswith("| ")]
    assert [row for row in rows if row in _torch.outcomes()] == _torch.outcomes()[1:]
