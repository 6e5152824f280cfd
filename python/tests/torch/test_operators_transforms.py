"""strew's own operators for PyTorch under torch.compile, torch.export, torch.func and opcheck."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import library as torch_library  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

import operators_oracle as oracle  # noqa: E402

from core_words import gather_elements, gather_nd, scatter_elements, scatter_nd  # noqa: E402


def real(*shape: int, seed: int = 0, grad: bool = False) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(shape, generator=generator, dtype=torch.float64).requires_grad_(grad)


# ---- opcheck ----

ROWS, PAIRS, BATCHED = (
    torch.tensor([[1], [-1], [1]]),
    torch.tensor([[0, 1], [2, -1]]),
    torch.tensor([[[1]], [[0]], [[1]]]),
)


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize(
    "arguments", [(ROWS,), (PAIRS, 0), (BATCHED, 1), (torch.zeros(0, 1, dtype=torch.int32), 0)], ids=str
)
def test_opcheck_gather_nd(grad: bool, arguments: Any) -> None:
    torch_library.opcheck(torch.ops.strew.gather_nd.default, (real(3, 2, 2, grad=grad), *arguments))


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("axis", [0, -1])
def test_opcheck_gather_elements(grad: bool, axis: int) -> None:
    torch_library.opcheck(torch.ops.strew.gather_elements.default, (real(3, 2, grad=grad), PAIRS % 2, axis))


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("reduction", [r for r in oracle.REDUCTIONS if r != "mean"])
def test_opcheck_scatter_nd(grad: bool, reduction: str) -> None:
    operator = torch.ops.strew.scatter_nd.default
    torch_library.opcheck(operator, (real(3, 2, grad=grad), ROWS, real(3, 2, grad=grad), reduction))
    torch_library.opcheck(operator, (real(3, 2, 4, grad=grad), BATCHED, real(3, 1, 4, grad=grad), reduction, 1))


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("reduction", oracle.REDUCTIONS)
@pytest.mark.parametrize("use_init_val", [True, False])
def test_opcheck_scatter_elements(grad: bool, reduction: str, use_init_val: bool) -> None:
    arguments = (real(3, 2, grad=grad), PAIRS % 2, real(2, 2, grad=grad), 0, reduction, use_init_val)
    torch_library.opcheck(torch.ops.strew.scatter_elements.default, arguments)


# ---- Shapes without memory ----


def test_meta_tensors_have_the_shapes() -> None:
    data = torch.empty(4, 5, 6, device="meta")
    indices = torch.empty(4, 7, 1, device="meta", dtype=torch.int64)
    assert gather_nd(data, indices, batch_dims=1).shape == (4, 7, 6)
    assert gather_elements(data, torch.empty(2, 5, 6, device="meta", dtype=torch.int64)).shape == (2, 5, 6)
    assert scatter_nd(data, indices, torch.empty(4, 7, 5, 6, device="meta")).shape == (4, 5, 6)
    result = scatter_elements(data.mT, data.mT.long(), data.mT, reduction="mean")
    assert result.shape == (4, 6, 5) and result.is_contiguous()


@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda data, indices: gather_nd(data, indices.float()), TypeError),
        (lambda data, indices: gather_nd(data, indices, batch_dims=2), ValueError),
        (lambda data, indices: gather_elements(data, indices, axis=3), ValueError),
        (lambda data, indices: gather_elements(data, indices[0]), ValueError),
        (lambda data, indices: scatter_elements(data, indices, data[:2].double()), TypeError),
        (lambda data, indices: scatter_elements(data, indices, data[:2], reduction="median"), ValueError),
        (lambda data, indices: scatter_elements(data, indices, data[:1]), RuntimeError),
        (lambda data, indices: scatter_nd(data, indices, data), ValueError),
        (lambda data, indices: scatter_nd(data, indices[:, :1], data[:2], reduction="mean"), TypeError),
    ],
)
def test_meta_tensors_are_checked(call: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        call(torch.empty(4, 3, device="meta"), torch.empty(2, 3, device="meta", dtype=torch.int64))


@pytest.mark.parametrize("fake", [False, True])
@pytest.mark.parametrize("other", ["data", "indices", "updates"])
def test_operands_of_different_devices_are_refused(other: str, fake: bool) -> None:
    def make(name: str, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.zeros(2, 1, dtype=dtype, device="meta" if name == other else "cpu")

    def message(named: str) -> str:
        devices = ("cpu", "meta") if other == "data" else ("meta", "cpu")
        return f"{named} lies on the device {devices[0]} and data on {devices[1]}; all must lie on one device"

    with FakeTensorMode() if fake else contextlib.nullcontext():
        data, indices, updates = make("data"), make("indices", torch.int64), make("updates")
        if other != "updates":
            for gather in (gather_nd, gather_elements, torch.ops.strew.gather_nd, torch.ops.strew.gather_elements):
                with pytest.raises(ValueError, match=message("indices")):
                    gather(data, indices)
        named = "updates" if other == "updates" else "indices"
        for scatter in (scatter_nd, scatter_elements, torch.ops.strew.scatter_nd, torch.ops.strew.scatter_elements):
            with pytest.raises(ValueError, match=message(named)):
                scatter(data, indices, updates)


# ---- torch.compile and torch.export ----


def layer(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
    rows = gather_nd(data, indices) * updates.exp()
    most = scatter_nd(torch.zeros_like(data), indices, rows, reduction="max")
    places = torch.zeros_like(rows[:, :1], dtype=torch.int64)
    mean = scatter_elements(most, places[: most.shape[0]] + 1, rows[: most.shape[0], :1], axis=1, reduction="mean")
    return gather_elements(mean, places[: mean.shape[0]], axis=1) + most


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_with_its_backward(dynamic: bool, backend: str) -> None:
    torch._dynamo.reset()
    compiled = torch.compile(layer, fullgraph=True, dynamic=dynamic, backend=backend)
    for size in (5, 6, 7):
        data, updates = real(4, 3, grad=True), real(size, 3, seed=1, grad=True)
        indices = oracle.sample_indices((size, 1), 4)
        actual, expected = compiled(data, indices, updates), layer(data, indices, updates)
        torch.testing.assert_close(actual, expected)
        for one, other in zip(
            torch.autograd.grad(actual.square().sum(), (data, updates)),
            torch.autograd.grad(expected.square().sum(), (data, updates)),
        ):
            torch.testing.assert_close(one, other)


def test_sizes_that_only_the_data_know() -> None:
    """Unbacked sizes: how many rows there are is known when the graph runs."""

    def function(data: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        indices = mask.nonzero()
        rows = gather_nd(data, indices)
        return scatter_nd(data, indices, rows * 2, reduction="sum")

    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
        mask = torch.tensor([True, False, True, True])
        torch.testing.assert_close(compiled(real(4, 3), mask), function(real(4, 3), mask))


def test_exported() -> None:
    class Layer(torch.nn.Module):
        def forward(self, data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
            return layer(data, indices, updates)

    arguments = (real(4, 3), oracle.sample_indices((5, 1), 4), real(5, 3, seed=1))
    program = torch.export.export(Layer(), arguments)
    targets = {str(node.target) for node in program.graph.nodes}
    assert {"strew.gather_nd.default", "strew.scatter_nd.default", "strew.scatter_elements.default"} <= targets
    torch.testing.assert_close(program.module()(*arguments), layer(*arguments))


# ---- torch.vmap ----


def each(function: Any, in_dims: tuple[int | None, ...], *operands: torch.Tensor) -> torch.Tensor:
    """vmap as a loop."""
    size = next(t.shape[d] for t, d in zip(operands, in_dims) if d is not None)
    return torch.stack(
        [function(*(t if d is None else t.select(d, i) for t, d in zip(operands, in_dims))) for i in range(size)]
    )


@pytest.mark.parametrize("batch_dims", [0, 1])
@pytest.mark.parametrize("in_dims", [(0, 0), (1, 2), (None, 0), (2, None)])
def test_vmap_gather_nd(batch_dims: int, in_dims: tuple[int | None, ...]) -> None:
    data, indices = real(3, 3, 3, 3), oracle.sample_indices((3, 3, 3, 1), 3)
    data = data if in_dims[0] is not None else data[0]
    indices = indices if in_dims[1] is not None else indices[0]

    def function(data: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        return gather_nd(data, indices, batch_dims=batch_dims)

    actual = torch.vmap(function, in_dims)(data, indices)
    assert torch.equal(actual, each(function, in_dims, data, indices))


IN_DIMS = [(0, 0, 0), (None, 0, 1), (1, None, 0), (2, 1, None), (None, None, 0), (0, None, None), (None, 1, None)]


@pytest.mark.parametrize("in_dims", IN_DIMS)
@pytest.mark.parametrize("reduction", ["none", "sum", "max"])
def test_vmap_scatters(in_dims: tuple[int | None, ...], reduction: str) -> None:
    data, indices, updates = real(3, 3, 3), oracle.sample_indices((3, 3, 3), 3), real(3, 3, 3, seed=1)
    operands = [t if d is not None else t[0] for t, d in zip((data, indices, updates), in_dims)]
    for axis in (0, 1, -1):

        def elements(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
            return scatter_elements(data, indices, updates, axis=axis, reduction=reduction)

        assert torch.equal(torch.vmap(elements, in_dims)(*operands), each(elements, in_dims, *operands))

    def rows(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return scatter_nd(data, indices[:, :1], updates, reduction=reduction)

    assert torch.equal(torch.vmap(rows, in_dims)(*operands), each(rows, in_dims, *operands))


def test_vmap_of_vmap() -> None:
    data, indices = real(2, 3, 4, 5), oracle.sample_indices((2, 3, 6, 1), 4)
    actual = torch.vmap(torch.vmap(gather_nd))(data, indices)
    assert torch.equal(actual, gather_nd(data, indices, batch_dims=2))


def test_vmap_checks_attributes_of_one_tensor() -> None:
    data, indices = real(3, 4), torch.zeros(3, 4, dtype=torch.int64)
    with pytest.raises(ValueError, match="axis is -2"):
        torch.vmap(lambda d, i: gather_elements(d, i, axis=-2))(data, indices)
    with pytest.raises(ValueError, match="batch_dims is -1"):
        torch.vmap(lambda d, i: gather_nd(d, i, batch_dims=-1))(data, indices)


# ---- torch.func ----

INDICES = torch.tensor([[1], [-1], [1]])


@pytest.mark.parametrize("reduction", ["none", "sum", "prod", "max"])
def test_derivatives_of_torch_func(reduction: str) -> None:
    def function(data: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return (scatter_nd(data, INDICES, updates, reduction=reduction) ** 3).sum() + gather_nd(data, INDICES).sum()

    data, updates = real(4, 2), real(3, 2, seed=1)
    many, others = real(5, 4, 2, seed=2), real(5, 3, 2, seed=3)
    gradient = torch.func.grad(function, (0, 1))(data, updates)
    leaves = data.clone().requires_grad_(), updates.clone().requires_grad_()
    torch.testing.assert_close(gradient, torch.autograd.grad(function(*leaves), leaves))
    hessian = torch.func.hessian(function)(data, updates)
    torch.testing.assert_close(hessian, torch.autograd.functional.hessian(lambda d: function(d, updates), data))
    torch.testing.assert_close(torch.func.jacfwd(function)(data, updates), gradient[0])
    _, tangent = torch.func.jvp(function, (data, updates), (data, updates))
    torch.testing.assert_close(tangent, (gradient[0] * data).sum() + (gradient[1] * updates).sum())
    one_by_one = torch.stack([torch.func.grad(function)(d, u) for d, u in zip(many, others)])
    torch.testing.assert_close(torch.vmap(torch.func.grad(function))(many, others), one_by_one)
    of_sum = torch.func.grad(lambda many: torch.vmap(function)(many, others).sum())(many)
    torch.testing.assert_close(of_sum, one_by_one)


def test_torch_ops_under_torch_func_says_what_to_call() -> None:
    with pytest.raises(RuntimeError, match="strew.torch.gather_nd"):
        torch.func.grad(lambda data: torch.ops.strew.gather_nd(data, INDICES).sum())(real(4, 2))
    same = torch.vmap(torch.ops.strew.gather_nd, (0, None))(real(3, 4, 2), INDICES)
    assert torch.equal(same, torch.vmap(gather_nd, (0, None))(real(3, 4, 2), INDICES))
