"""strew's operators for PyTorch along an axis, those that write windows and slices, and policies for bad indices: their
results, their derivatives, and PyTorch's transforms of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import library as torch_library  # noqa: E402
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import operators_oracle as oracle  # noqa: E402

import strew  # noqa: E402
import core_words  # noqa: E402
import core_words as strew_torch  # noqa: E402

POLICIES = ["fill", "clip", "wrap"]
LONG = torch.int64


def same(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


def real(*shape: int, seed: int = 0) -> torch.Tensor:
    """Values that differ by more than a finite difference, which need a gradient."""
    generator = torch.Generator().manual_seed(seed)
    count = torch.Size(shape).numel()
    spread = (torch.randperm(count, generator=generator) + 1.0 + seed * 0.37) / max(count, 1)
    return spread.double().reshape(shape).requires_grad_()


def check(function: Any, *operands: torch.Tensor) -> None:
    """Derivatives of both orders and in both directions, and batches of them."""
    assert gradcheck(
        function, operands, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True
    )
    assert gradgradcheck(function, operands, check_fwd_over_rev=True, check_rev_over_rev=True)


# ---- Along an axis ----


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
@pytest.mark.parametrize("axis, batch_dims", [(0, 0), (1, 0), (-1, 0), (1, 1), (-1, 1), (2, 2), (2, -1)])
def test_gather(dtype: torch.dtype, axis: int, batch_dims: int) -> None:
    data, indices = oracle.sample((3, 2, 4), dtype), oracle.sample_indices((3, 2, 5), (3, 2, 4)[axis])
    count = batch_dims + 3 if batch_dims < 0 else batch_dims
    actual = strew_torch.gather(data, indices, axis=axis, batch_dims=batch_dims)
    axis %= 3
    assert actual.shape == data.shape[:axis] + indices.shape[count:] + data.shape[axis + 1 :]
    found = indices % data.shape[axis]
    for batch in oracle.positions(tuple(data.shape[:count])):
        same(actual[batch], rows_of(data[batch], axis - count, found[batch]))


def rows_of(data: torch.Tensor, axis: int, indices: torch.Tensor) -> torch.Tensor:
    return data[(slice(None),) * axis + (indices,)]


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize(
    "reduction, of_torch", [("sum", None), ("none", None), ("prod", "prod"), ("max", "amax"), ("min", "amin")]
)
def test_scatters_are_those_of_pytorch(axis: int, reduction: str, of_torch: str | None) -> None:
    data = real(4, 5, 3).detach()
    indices = oracle.sample_indices((7,), data.shape[axis]) % data.shape[axis]
    shape = list(data.shape)
    shape[axis] = 7
    updates = real(*shape, seed=1).detach()
    for use_init_val in (True, False):
        actual = strew_torch.scatter(
            data, indices, updates, axis=axis, reduction=reduction, use_init_val=use_init_val
        )
        if reduction == "none":
            last = {int(index): place for place, index in enumerate(indices)}
            keys, places = torch.tensor(list(last)), torch.tensor(list(last.values()))
            expected = data.index_copy(axis, keys, updates.index_select(axis, places))
        elif reduction == "sum":
            start = data if use_init_val else data.index_fill(axis, indices, 0)
            expected = start.index_add(axis, indices, updates)
        else:
            assert of_torch
            expected = data.index_reduce(axis, indices, updates, of_torch, include_self=use_init_val)
        torch.testing.assert_close(actual, expected)


@pytest.mark.parametrize("batch_dims", [0, 1, -1])
@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
@pytest.mark.parametrize("use_init_val", [True, False])
def test_derivatives_along_an_axis(batch_dims: int, reduction: str, use_init_val: bool) -> None:
    indices = torch.tensor([[1, -1, 1], [0, 2, 0]])
    shape = (2, 3, 2) if batch_dims else (2, 2, 3, 2)
    how = {"axis": 1, "batch_dims": batch_dims, "reduction": reduction, "use_init_val": use_init_val}
    check(lambda d, u: strew_torch.scatter(d, indices, u, **how), real(2, 3, 2), real(*shape, seed=1))
    check(lambda d: strew_torch.gather(d, indices, axis=1, batch_dims=batch_dims), real(2, 3, 2))


# ---- Windows and slices ----


@pytest.mark.parametrize("dtype", [*oracle.DTYPES, torch.float8_e5m2], ids=str)
@pytest.mark.parametrize("circular", [False, True])
def test_tensor_scatter(dtype: torch.dtype, circular: bool) -> None:
    data, updates = (oracle.sample(shape, torch.int32).to(dtype) for shape in ((3, 2, 5, 2), (3, 2, 3, 2)))
    indices = torch.tensor([0, 2, 1]) + 9 * circular
    expected = data.clone()
    for batch, begin in enumerate(indices.tolist()):
        for t in range(3):
            expected[batch, :, (begin + t) % 5] = updates[batch, :, t]
    actual = strew_torch.tensor_scatter(data, indices, updates, circular=circular)
    same(actual.to(torch.complex64), expected.to(torch.complex64))
    begun = data.clone()
    begun[:, :, :3] = updates
    actual = strew_torch.tensor_scatter(data, None, updates, axis=2, circular=circular)
    same(actual.to(torch.complex64), begun.to(torch.complex64))


@pytest.mark.parametrize("mode", ["raise", *POLICIES])
@pytest.mark.parametrize("circular", [False, True])
@pytest.mark.parametrize("axis", [1, -1])
def test_derivatives_of_windows(mode: Any, circular: bool, axis: int) -> None:
    indices = torch.tensor([0, 2, 1]) if mode == "raise" else torch.tensor([-7, 2, 9])
    shape = [3, 4, 4]
    shape[axis] = 2
    how: Any = {"axis": axis, "circular": circular, "mode": mode}
    check(lambda d, u: strew_torch.tensor_scatter(d, indices, u, **how), real(3, 4, 4), real(*shape, seed=1))
    check(lambda d, u: strew_torch.tensor_scatter(d, None, u, **how), real(3, 4, 4), real(*shape, seed=1))


SLICES: list[tuple[Any, ...]] = [
    ([0], [2]),
    ([1], [-1], [2], [-1]),
    ([-1, 2], [-9, 2**70], [-2, 1], [1, 0]),
    ([3], [1]),
    ([], []),
]


@pytest.mark.parametrize("part", SLICES, ids=str)
def test_slice_scatter(part: Any) -> None:
    data = real(3, 5)
    starts, stops, steps, axes = (*part, None, None)[:4]
    where = [slice(None)] * 2
    for axis, *one in zip(axes or range(len(starts)), starts, stops, steps or [1] * len(starts)):
        where[axis] = slice(*one)
    expected = data.detach().numpy().copy()
    shape = expected[tuple(where)].shape
    updates = real(*shape, seed=1)
    expected[tuple(where)] = updates.detach().numpy()
    same(strew_torch.slice_scatter(data, updates, *part).detach(), torch.from_numpy(expected))
    if 0 not in shape:
        check(lambda d, u: strew_torch.slice_scatter(d, u, *part), data, updates)
    meta = strew_torch.slice_scatter(data.detach().to("meta"), updates.detach().to("meta"), *part)
    assert meta.shape == data.shape


# ---- Indices out of bounds ----

STRAYS = torch.tensor([[1, 7, -4], [-3, 2, 4]])


@pytest.mark.parametrize("mode", POLICIES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.int16, torch.bool, torch.complex64, torch.bfloat16], ids=str)
def test_policies_are_those_of_numpy(mode: Any, dtype: torch.dtype) -> None:
    """Compares with the core's functions, which take tensors too, and are tested against plain NumPy."""
    data, fill = oracle.sample((3, 3, 2), dtype), oracle.sample((), dtype, seed=5)
    spread = STRAYS.unsqueeze(-1).expand(2, 3, 2)
    for name, indices in (("gather", STRAYS), ("gather_nd", STRAYS[:, :2]), ("gather_elements", spread)):
        for given in (None, fill):
            actual = getattr(strew_torch, name)(data, indices, mode=mode, fill_value=given)
            same(actual, getattr(strew, name)(data, indices, mode=mode, fill_value=given))
    updates = oracle.sample((2, 3, 3, 2), dtype, seed=2)
    for name, indices, part in (
        ("scatter", STRAYS, updates),
        ("scatter_nd", STRAYS[:, :2], updates[:, 0, 0]),
        ("scatter_elements", spread, updates[:, :, 0]),
    ):
        for reduction in ("none", "sum"):
            actual = getattr(strew_torch, name)(data, indices, part, mode=mode, reduction=reduction)
            same(actual, getattr(strew, name)(data, indices, part, mode=mode, reduction=reduction))


@pytest.mark.parametrize("mode", POLICIES)
@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
def test_derivatives_of_what_is_out_of_bounds(mode: Any, reduction: str) -> None:
    how: Any = {"mode": mode, "reduction": reduction}
    spread = STRAYS[:, :2]
    check(lambda d, u: strew_torch.scatter(d, STRAYS, u, **how), real(3, 2), real(2, 3, 2, seed=1))
    check(lambda d, u: strew_torch.scatter_elements(d, spread, u, **how), real(3, 2), real(2, 2, seed=1))
    if reduction != "mean":
        check(lambda d, u: strew_torch.scatter_nd(d, STRAYS.mT, u, **how), real(3, 3), real(3, seed=1))
    if reduction == "sum":
        fill: Any = {"mode": mode, "fill_value": 3.0}
        check(lambda d: strew_torch.gather(d, STRAYS, axis=1, **fill), real(2, 3))
        check(lambda d: strew_torch.gather_nd(d, STRAYS.mT, **fill), real(3, 3))
        check(lambda d: strew_torch.gather_elements(d, spread, **fill), real(3, 2))


def test_batches_of_tuples_out_of_bounds() -> None:
    data, indices = real(2, 3).detach(), torch.tensor([[[5], [0]], [[-1], [-9]]])
    expected = data.clone()
    expected[0, 0] += 1
    expected[1, 2] += 1
    same(torch.ops.strew.scatter_nd(data, indices, torch.ones(2, 2).double(), "sum", 1, "skip"), expected)


def test_stopping_refuses() -> None:
    data = torch.zeros(3)
    with pytest.raises(strew.BoundsError) as raised:
        strew_torch.scatter(data, torch.tensor([0, 3, 4]), torch.ones(3), mode="stop")
    assert raised.value.position == (1,) and data.tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint64])
def test_a_fill_is_exact(dtype: torch.dtype) -> None:
    fill = torch.iinfo(dtype).max - 1
    result = strew_torch.gather(torch.zeros(2, dtype=dtype), torch.tensor([5, 0]), mode="fill", fill_value=fill)
    assert result.tolist() == [fill, 0]


# ---- What they refuse ----

DATA, ROWS = torch.zeros(4, 3), torch.zeros(2, 3)
TWO = torch.tensor([0, 1])


@pytest.mark.parametrize(
    "call, kind, fields",
    [
        (lambda: strew_torch.gather(DATA, TWO + 3), IndexError, {"position": (1,), "value": 4}),
        (lambda: strew_torch.gather(DATA, TWO, axis=2), ValueError, {"operand": "dim"}),
        (lambda: strew_torch.gather(DATA, TWO, batch_dims=1), ValueError, {"operand": "batch_dims"}),
        (lambda: strew_torch.gather(DATA, TWO, mode="ignore"), ValueError, {"operand": "mode"}),
        (lambda: strew_torch.gather(DATA, TWO, mode="fill", fill_value=1j), TypeError, {}),
        (lambda: strew_torch.gather(DATA, TWO, fill_value=DATA), ValueError, {"operand": "fill_value"}),
        (lambda: strew_torch.gather(DATA, TWO, fill_value=torch.tensor(1)), TypeError, {"operand": "fill_value"}),
        (lambda: strew_torch.gather(DATA.int(), TWO, fill_value=2**31), ValueError, {}),
        (lambda: strew_torch.gather(DATA.bool(), TWO, fill_value=2), TypeError, {}),
        (lambda: strew_torch.scatter(DATA, TWO, DATA), ValueError, {"operand": "source"}),
        (lambda: strew_torch.scatter(DATA, TWO, ROWS, reduction="median"), ValueError, {}),
        (lambda: strew_torch.tensor_scatter(DATA, TWO, DATA, axis=0), ValueError, {"operand": "dim"}),
        (lambda: strew_torch.tensor_scatter(DATA, None, DATA.double(), axis=1), TypeError, {"operand": "updates"}),
        (
            lambda: strew_torch.tensor_scatter(DATA, torch.tensor([0, 0, 2, 0]), DATA[:, :2], axis=1),
            IndexError,
            {"position": (2,), "lower": 0, "upper": 1},
        ),
        (lambda: strew_torch.slice_scatter(DATA, ROWS, [0], [3]), ValueError, {"operand": "src"}),
        (lambda: strew_torch.slice_scatter(DATA, ROWS, [0], [2], [0]), ValueError, {"operand": "slice"}),
        (lambda: strew_torch.slice_scatter(DATA, ROWS, [0, 1], [2]), ValueError, {"operand": "slice"}),
    ],
)
def test_refusals_are_those_of_strew(call: Any, kind: type[Exception], fields: dict[str, Any]) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert isinstance(raised.value, strew.Error) or not fields
    for name, value in fields.items():
        assert getattr(raised.value, name) == value


def test_refusals_of_torch_ops() -> None:
    operators = torch.ops.strew
    with pytest.raises(ValueError, match="bounds is .none., and must be refuse, stop, skip, clamp or wrap"):
        operators.gather(DATA, TWO, 0, 0, "none")
    with pytest.raises(TypeError, match="fill must be of rank 0 and have the dtype of data"):
        operators.gather(DATA, TWO, 0, 0, "skip", torch.tensor(1))
    with pytest.raises(ValueError, match="starts, stops, steps and axes must have one entry for each"):
        operators.slice_scatter(DATA, ROWS, [0], [1, 2])
    for name, value in (("mode", b"fill"), ("reduction", b"sum")):
        with pytest.raises(TypeError, match=f"{core_words.KEYWORDS.get(name, name)} must be a str"):
            strew_torch.scatter(DATA, TWO, ROWS, **{name: value})


@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda d, i: strew_torch.gather(d, i, axis=2), ValueError),
        (lambda d, i: strew_torch.gather(d, i.float()), TypeError),
        (lambda d, i: strew_torch.gather(d, i, batch_dims=2, axis=1), ValueError),
        (lambda d, i: strew_torch.gather(d, i, batch_dims=1, axis=1), RuntimeError),
        (lambda d, i: torch.ops.strew.gather(d, i, 0, 0, "never"), ValueError),
        (lambda d, i: torch.ops.strew.gather(d, i, 0, 0, "skip", d), TypeError),
        (lambda d, i: strew_torch.scatter(d, i, d), ValueError),
        (lambda d, i: strew_torch.tensor_scatter(d, i, d, axis=1), ValueError),
        (lambda d, i: strew_torch.tensor_scatter(d, None, torch.cat([d, d], 1), axis=1), RuntimeError),
        (lambda d, i: strew_torch.tensor_scatter(d, None, d, axis=0), ValueError),
        (lambda d, i: strew_torch.slice_scatter(d, d, [0], [1]), RuntimeError),
        (lambda d, i: strew_torch.slice_scatter(d, d, [0], [1], [0]), ValueError),
        (lambda d, i: strew_torch.slice_scatter(d, d, [0, 0], [1, 1], None, [0, 0]), ValueError),
    ],
)
def test_meta_tensors_are_checked(call: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        call(torch.empty(4, 3, device="meta"), torch.empty(2, 3, device="meta", dtype=LONG))


# ---- opcheck, torch.compile, torch.export ----


@pytest.mark.parametrize("grad", [False, True])
def test_opcheck(grad: bool) -> None:
    data, updates = real(2, 3, 2).detach().requires_grad_(grad), real(2, 2, 2, seed=1).detach().requires_grad_(grad)
    indices, fill = torch.tensor([[1, -1], [0, 2]]), torch.tensor(2.0).double()
    operators, check = torch.ops.strew, torch_library.opcheck
    check(operators.gather.default, (data, indices, 1, 1))
    check(operators.gather.default, (data, STRAYS, -2, 0, "skip", fill))
    check(operators.gather_nd.default, (data, indices, 0, "clamp", fill))
    check(operators.gather_elements.default, (data, indices.unsqueeze(-1), 1, "wrap"))
    for reduction in ("none", "sum", "prod", "max", "mean"):
        check(operators.scatter.default, (data, indices, updates, 1, 1, reduction, False))
    check(operators.scatter.default, (data, indices[0], updates, 1, 0, "sum", True, "skip"))
    check(operators.tensor_scatter.default, (data, torch.tensor([1, 2]), updates, 1, True))
    check(operators.tensor_scatter.default, (data, None, updates))
    check(operators.slice_scatter.default, (data, updates, [2], [-9], [-2], [1]))


def layer(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
    rows = strew_torch.gather(data, indices, mode="fill", fill_value=1.5) * updates.exp()
    most = strew_torch.scatter(torch.zeros_like(data), indices, rows, reduction="max", mode="clip")
    cache = strew_torch.tensor_scatter(most.unsqueeze(0), torch.tensor([2]), rows[None, :2], circular=True)[0]
    return strew_torch.slice_scatter(cache, rows[:1] ** 2, [-1], [-2], [-1])


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_with_its_backward(dynamic: bool) -> None:
    torch._dynamo.reset()
    compiled = torch.compile(layer, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for size in (5, 6, 7):
        data, updates = real(4, 3), real(size, 3, seed=1)
        indices = oracle.sample_indices((size,), 6)
        actual, expected = compiled(data, indices, updates), layer(data, indices, updates)
        torch.testing.assert_close(actual, expected)
        for one, other in zip(
            torch.autograd.grad(actual.square().sum(), (data, updates)),
            torch.autograd.grad(expected.square().sum(), (data, updates)),
        ):
            torch.testing.assert_close(one, other)


def test_exported() -> None:
    class Layer(torch.nn.Module):
        def forward(self, data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
            return layer(data, indices, updates)

    arguments = (real(4, 3).detach(), oracle.sample_indices((5,), 6), real(5, 3, seed=1).detach())
    program = torch.export.export(Layer(), arguments)
    targets = {str(node.target) for node in program.graph.nodes}
    assert {f"strew.{name}.default" for name in ("gather", "scatter", "tensor_scatter", "slice_scatter")} <= targets
    torch.testing.assert_close(program.module()(*arguments), layer(*arguments))


# ---- torch.vmap and torch.func ----


def each(function: Any, in_dims: tuple[int | None, ...], *operands: torch.Tensor) -> torch.Tensor:
    """vmap as a loop."""
    size = next(t.shape[d] for t, d in zip(operands, in_dims) if d is not None)
    return torch.stack(
        [function(*(t if d is None else t.select(d, i) for t, d in zip(operands, in_dims))) for i in range(size)]
    )


def check_vmap(function: Any, in_dims: tuple[int | None, ...], *operands: torch.Tensor) -> None:
    """Checks vmap. Each dimension of the operands could be mapped; unmapped operands lose their first one."""
    given = [t if d is not None else t[0] for t, d in zip(operands, in_dims)]
    assert torch.equal(torch.vmap(function, in_dims)(*given), each(function, in_dims, *given))


IN_DIMS = [(0, 0, 0), (None, 0, 1), (1, None, 0), (2, 1, None), (None, None, 0), (0, None, None), (None, 1, None)]


@pytest.mark.parametrize("in_dims", IN_DIMS)
@pytest.mark.parametrize("axis, batch_dims", [(0, 0), (1, 0), (-1, 0), (1, 1), (-1, -1)])
def test_vmap_along_an_axis(in_dims: tuple[int | None, ...], axis: int, batch_dims: int) -> None:
    data, indices = real(3, 3, 3).detach(), oracle.sample_indices((3, 3, 3), 4)
    updates = real(*(3,) * (4 if batch_dims == 0 else 3), seed=1).detach()
    how: Any = {"axis": axis, "batch_dims": batch_dims, "mode": "fill"}

    def scatters(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return strew_torch.scatter(data, indices, updates, reduction="sum", **how)

    check_vmap(scatters, in_dims, data, indices, updates)
    if in_dims[:2] != (None, None):
        check_vmap(lambda d, i: strew_torch.gather(d, i, fill_value=5, **how), in_dims[:2], data, indices)


@pytest.mark.parametrize("in_dims", IN_DIMS)
@pytest.mark.parametrize("circular", [False, True])
def test_vmap_of_windows_and_slices(in_dims: tuple[int | None, ...], circular: bool) -> None:
    data, updates = real(3, 3, 3, 3).detach(), real(3, 3, 3, 3, seed=1).detach()
    indices = oracle.sample_indices((3, 3), 3) % 3
    how: Any = {"circular": circular, "mode": "raise" if circular else "clip"}
    check_vmap(lambda d, i, u: strew_torch.tensor_scatter(d, i, u, **how), in_dims, data, indices, updates)
    of_both = in_dims[0], in_dims[2]
    if of_both != (None, None):
        check_vmap(lambda d, u: strew_torch.tensor_scatter(d, None, u, **how), of_both, data, updates)
        for axes in (None, [1], [-1]):
            check_vmap(lambda d, u: strew_torch.slice_scatter(d, u, [2], [-9], [-1], axes), of_both, data, updates)


def test_vmap_checks_attributes_of_one_tensor() -> None:
    data, indices = real(3, 4).detach(), torch.zeros(3, 4, dtype=LONG)
    for call, message in (
        (lambda d, i: strew_torch.gather(d, i, axis=-2), "axis is -2"),
        (lambda d, i: strew_torch.gather(d, i, batch_dims=-2), "batch_dims is -2"),
        (lambda d, i: strew_torch.slice_scatter(d, d, [0], [4], None, [1]), "axis is 1"),
        (lambda d, i: strew_torch.tensor_scatter(d, None, d, axis=1), "axis is 1"),
    ):
        with pytest.raises(ValueError, match=message):
            torch.vmap(call)(data, indices)
    with pytest.raises(ValueError, match="fill is one element"):
        torch.vmap(lambda d, f: strew_torch.gather(d, torch.tensor([9]), mode="fill", fill_value=f))(data, data[:, 0])


def test_derivatives_of_torch_func() -> None:
    indices, begins = torch.tensor([1, -1, 5]), torch.tensor([0, 2, 1])

    def function(data: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        rows = strew_torch.scatter(data, indices, updates, reduction="prod", mode="fill")
        cache = strew_torch.tensor_scatter(rows[:3], begins, updates[:, :1], axis=1, circular=True)
        part = strew_torch.slice_scatter(cache, updates[:1], [-1], [-9], [-3])
        return (part**3).sum() + strew_torch.gather(rows, indices, axis=1, mode="wrap").sum()

    data, updates = real(4, 3).detach(), real(3, 3, seed=1).detach()
    gradient = torch.func.grad(function, (0, 1))(data, updates)
    leaves = data.clone().requires_grad_(), updates.clone().requires_grad_()
    torch.testing.assert_close(gradient, torch.autograd.grad(function(*leaves), leaves))
    hessian = torch.func.hessian(function)(data, updates)
    torch.testing.assert_close(hessian, torch.autograd.functional.hessian(lambda d: function(d, updates), data))
    torch.testing.assert_close(torch.func.jacfwd(function)(data, updates), gradient[0])
    _, tangent = torch.func.jvp(function, (data, updates), (data, updates))
    torch.testing.assert_close(tangent, (gradient[0] * data).sum() + (gradient[1] * updates).sum())
    many = torch.stack([data, data * 2])
    one_by_one = torch.stack([torch.func.grad(function)(d, updates) for d in many])
    torch.testing.assert_close(torch.vmap(torch.func.grad(function), (0, None))(many, updates), one_by_one)
    with pytest.raises(RuntimeError, match="strew.torch.tensor_scatter"):
        torch.func.grad(lambda d: torch.ops.strew.tensor_scatter(d, None, updates, 1).sum())(data[:3])


# ---- Threads ----


def test_the_bits_do_not_depend_on_threads() -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.rand(3000, 16, generator=generator)
    updates = torch.rand(40000, 16, generator=generator)
    rows = torch.randint(-3500, 3500, (40000,), generator=generator)

    def results() -> list[torch.Tensor]:
        caches = data.reshape(60, 50, 16)
        return [
            strew_torch.scatter(data, rows, updates, reduction="sum", mode="fill"),
            strew_torch.scatter(data.T, rows, updates.T, axis=1, reduction="mean", mode="wrap"),
            strew_torch.gather(data, rows, mode="fill", fill_value=-1.0),
            strew_torch.tensor_scatter(caches, rows[:60].abs(), caches[:, ::2], circular=True),
            strew_torch.slice_scatter(data, data[::3], [2999], [-9999], [-3]),
        ]

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        expected = results()
        torch.testing.assert_close(expected[2].numpy(), strew.gather(data.numpy(), rows.numpy(), mode="fill", fill_value=-1))
        for count in (2, 3):
            torch.set_num_threads(count)
            assert all(np.array_equal(one, other) for one, other in zip(results(), expected))
    finally:
        torch.set_num_threads(before)
