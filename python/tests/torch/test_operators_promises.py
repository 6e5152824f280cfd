"""unique_indices of strew's operators for PyTorch: a promise that changes no result, no derivative and no refusal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import library as torch_library  # noqa: E402
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

import strew  # noqa: E402
import core_words as strew_torch  # noqa: E402

REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max", "mean"]
COUNT = 1 << 16
ORDER = torch.randperm(COUNT, generator=torch.Generator().manual_seed(0))
FEW = torch.tensor([2, 0, -1])


def shaped(name: str, indices: torch.Tensor) -> torch.Tensor:
    return indices[:, None] if name == "scatter_nd" else indices


def real(*shape: int, seed: int = 0) -> torch.Tensor:
    """Values that differ by more than a finite difference, which need a gradient."""
    count = torch.Size(shape).numel()
    spread = (torch.randperm(count, generator=torch.Generator().manual_seed(seed)) + 1.0 + seed * 0.37) / count
    return spread.double().reshape(shape).requires_grad_()


FUNCTIONS = ["scatter", "scatter_nd", "scatter_elements"]
CASES = [(name, each) for name in FUNCTIONS for each in REDUCTIONS if (name, each) != ("scatter_nd", "mean")]


@pytest.fixture(params=[1, 3])
def threads(request: Any) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("name, reduction", CASES)
def test_a_promise_that_is_kept_gives_the_same_bits(name: str, reduction: str) -> None:
    data, updates = torch.rand(2, COUNT, generator=torch.Generator().manual_seed(1))
    arrays, how = (data, shaped(name, ORDER), updates), {"reduction": reduction}
    actual = getattr(strew_torch, name)(*arrays, unique_indices=True, **how)
    expected = getattr(strew, name)(*arrays, num_threads=1, **how)
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


@pytest.mark.usefixtures("threads")
def test_batches_keep_it_too() -> None:
    data, updates = torch.rand(2, 2, COUNT, generator=torch.Generator().manual_seed(1))
    indices = torch.stack([ORDER, ORDER.flip(0)]).unsqueeze(-1)
    scatter = torch.ops.strew.scatter_nd
    expected = scatter(data, indices, updates, "sum", 1)
    torch.testing.assert_close(scatter(data, indices, updates, "sum", 1, "refuse", True), expected, rtol=0, atol=0)
    mapped = torch.vmap(lambda d, i, u: strew_torch.scatter_nd(d, i, u, reduction="sum", unique_indices=True))
    torch.testing.assert_close(mapped(data, indices, updates), expected, rtol=0, atol=0)


class Heard(TorchDispatchMode):
    """The operators that are called, with their last argument."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, Any]] = []

    def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        if function.namespace == "strew":
            self.calls.append((function._schema.name, arguments[-1]))
        return function(*arguments, **(keywords or {}))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_operator_hears_of_it(name: str) -> None:
    """Covers each derivative that scatters to the same elements, and vmap."""
    data, updates = real(4), real(3, seed=1)
    with Heard() as heard:
        result = getattr(strew_torch, name)(data, shaped(name, FEW), updates, unique_indices=True)
        result.square().sum().backward()
    assert heard.calls[0] == heard.calls[1] == (f"strew::{name}", True)
    many = torch.stack([data, data]).detach()
    with Heard() as heard:
        torch.vmap(lambda d: getattr(strew_torch, name)(d, shaped(name, FEW), updates, unique_indices=True))(many)
    assert heard.calls == [(f"strew::{name}", True)]


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_indices_are_checked_all_the_same(name: str) -> None:
    data, wrong = torch.zeros(COUNT), ORDER.clone()
    wrong[-2] = COUNT
    with pytest.raises(strew.BoundsError) as caught:
        getattr(strew_torch, name)(data, shaped(name, wrong), data + 1, unique_indices=True)
    assert (caught.value.position[0], caught.value.value) == (COUNT - 2, COUNT)
    with pytest.raises(TypeError, match="unique_indices must be a bool, not str"):
        getattr(strew_torch, name)(data, shaped(name, ORDER), data, unique_indices="yes")


@pytest.mark.parametrize("name, reduction", CASES)
@pytest.mark.parametrize("mode", ["raise", "fill"])
def test_derivatives(name: str, reduction: str, mode: Any) -> None:
    data, updates = real(5, 2), real(3, 2, seed=1)
    indices = FEW if mode == "raise" else torch.tensor([2, 7, -1])
    indices = indices[:, None].expand(3, 2) if name == "scatter_elements" else shaped(name, indices)
    how: Any = {"reduction": reduction, "mode": mode}

    def promised(data: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return getattr(strew_torch, name)(data, indices, updates, unique_indices=True, **how)

    def plain(data: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return getattr(strew_torch, name)(data, indices, updates, **how)

    assert gradcheck(promised, (data, updates), check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(promised, (data, updates))
    for one, other in zip(*(torch.autograd.grad(f(data, updates).square().sum(), (data, updates)) for f in (promised, plain))):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("grad", [False, True])
def test_opcheck(grad: bool) -> None:
    data, updates = real(4).detach().requires_grad_(grad), real(3, seed=1).detach().requires_grad_(grad)
    operators, check = torch.ops.strew, torch_library.opcheck
    for reduction in ("none", "max"):
        check(operators.scatter.default, (data, FEW, updates, 0, 0, reduction, True, "refuse", True))
        check(operators.scatter_nd.default, (data, FEW[:, None], updates, reduction, 0, "refuse", True))
        check(operators.scatter_elements.default, (data, FEW, updates, 0, reduction, False, "skip", True))


def test_compiled() -> None:
    def function(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        return strew_torch.scatter(data, indices, updates, unique_indices=True).square()

    torch._dynamo.reset()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    data, updates = real(5), real(3, seed=1)
    actual, expected = (f(data, FEW, updates) for f in (compiled, function))
    torch.testing.assert_close(actual, expected)
    for one, other in zip(*(torch.autograd.grad(each.sum(), (data, updates)) for each in (actual, expected))):
        torch.testing.assert_close(one, other)
