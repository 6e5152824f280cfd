"""The derivatives of strew's own operators for PyTorch."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import operators_oracle as oracle  # noqa: E402

from core_words import gather_elements, gather_nd, scatter_elements, scatter_nd  # noqa: E402

SCATTERS = [(r, u) for r in oracle.REDUCTIONS for u in (True, False)]


def leaf(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> torch.Tensor:
    """Values that differ by more than a finite difference, so that no extremum is near another one."""
    generator = torch.Generator().manual_seed(seed)
    count = torch.Size(shape).numel()
    spread = (torch.randperm(count, generator=generator) + 1.0 + seed * 0.37) / count
    return spread.to(dtype).reshape(shape).requires_grad_()


def check(function: Any, *operands: torch.Tensor) -> None:
    """Derivatives of both orders and in both directions, and batches of them."""
    assert gradcheck(
        function, operands, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True
    )
    assert gradgradcheck(function, operands, check_fwd_over_rev=True, check_rev_over_rev=True)


# ---- Each operator, beside finite differences ----


@pytest.mark.parametrize("batch_dims, count", [(0, 1), (0, 2), (1, 1), (1, 0), (0, 0)])
def test_gather_nd(batch_dims: int, count: int) -> None:
    indices = oracle.sample_indices((3, 4, count), 3)
    check(lambda data: gather_nd(data, indices, batch_dims=batch_dims), leaf(3, 3, 2))


@pytest.mark.parametrize("axis", [0, -1])
def test_gather_elements(axis: int) -> None:
    indices = oracle.sample_indices((3, 2), 2)
    check(lambda data: gather_elements(data, indices, axis=axis), leaf(3, 2))


@pytest.mark.parametrize("reduction", [r for r in oracle.REDUCTIONS if r != "mean"])
@pytest.mark.parametrize(
    "indices", [[[1], [-2], [1]], [[0, 1], [0, 1], [2, 0]], [[], []]], ids=["rows", "elements", "all"]
)
def test_scatter_nd(reduction: str, indices: Any) -> None:
    places = torch.tensor(indices, dtype=torch.int64)
    updates = leaf(len(indices), *(3, 2)[places.shape[1] :], seed=1)
    check(lambda data, updates: scatter_nd(data, places, updates, reduction=reduction), leaf(3, 2), updates)


@pytest.mark.parametrize("reduction, use_init_val", SCATTERS)
@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_elements(reduction: str, use_init_val: bool, axis: int) -> None:
    indices = torch.tensor([[1, 0, 1], [-2, 1, 0]]) if axis else torch.tensor([[2, 0, 1], [-1, 0, 0]])
    options = {"axis": axis, "reduction": reduction, "use_init_val": use_init_val}
    check(lambda data, updates: scatter_elements(data, indices, updates, **options), leaf(3, 3), leaf(2, 3, seed=1))


@pytest.mark.parametrize("reduction", ["none", "sum", "prod", "max"])
def test_scatter_nd_of_batches(reduction: str) -> None:
    indices = torch.tensor([[[1], [1]], [[0], [2]]])
    operator = torch.ops.strew.scatter_nd
    check(lambda data, updates: operator(data, indices, updates, reduction, 1), leaf(2, 3), leaf(2, 2, seed=1))


@pytest.mark.parametrize("reduction, use_init_val", [c for c in SCATTERS if oracle.has(c[0], torch.complex128)])
def test_complex_numbers(reduction: str, use_init_val: bool) -> None:
    data = torch.complex(leaf(3, 2).detach(), leaf(3, 2, seed=2).detach()).requires_grad_()
    updates = torch.complex(leaf(2, 2, seed=1).detach(), leaf(2, 2, seed=3).detach()).requires_grad_()
    indices = torch.tensor([[0, 1], [0, 2]])
    options = {"reduction": reduction, "use_init_val": use_init_val}
    function = lambda data, updates: scatter_elements(data, indices, updates, **options)  # noqa: E731
    assert gradcheck(function, (data, updates), check_forward_ad=True)
    assert gradgradcheck(function, (data, updates))
    assert gradcheck(lambda data: gather_elements(data, indices), (data,), check_forward_ad=True)


# ---- Products with zeros ----


@pytest.mark.parametrize("zeros", [c for n in range(4) for c in itertools.combinations(range(4), n)], ids=str)
@pytest.mark.parametrize("use_init_val", [True, False])
def test_products_with_zeros(zeros: tuple[int, ...], use_init_val: bool) -> None:
    """One element of data with three updates, up to three of which are zero."""
    factors = torch.tensor([2.0, -3.0, 5.0, 0.5], dtype=torch.float64)
    factors[list(zeros)] = 0
    data = torch.cat([torch.tensor([7.0], dtype=torch.float64), factors[:1]]).requires_grad_()
    updates = factors[1:].clone().requires_grad_()
    indices = torch.tensor([1, -1, 1])
    options = {"reduction": "prod", "use_init_val": use_init_val}
    check(lambda data, updates: scatter_elements(data, indices, updates, **options), data, updates)


# ---- Extrema that several have ----


@pytest.mark.parametrize("reduction", ["min", "max"])
@pytest.mark.parametrize("use_init_val", [True, False])
def test_ties_share_as_those_of_scatter_reduce(reduction: str, use_init_val: bool) -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.randint(0, 3, (5, 4), generator=generator).double().requires_grad_()
    updates = torch.randint(0, 3, (9, 4), generator=generator).double().requires_grad_()
    indices = torch.randint(0, 4, (9, 4), generator=generator)
    weights = torch.rand(5, 4, generator=generator, dtype=torch.float64)
    if not use_init_val:
        # Data has no part in the result. PyTorch counts it all the same where it happens to be equal.
        data = (data + 10).detach().requires_grad_()
    ours = scatter_elements(data, indices, updates, reduction=reduction, use_init_val=use_init_val)
    theirs = torch.scatter_reduce(data, 0, indices, updates, "a" + reduction, include_self=use_init_val)
    assert torch.equal(ours, theirs)
    for actual, expected in zip(
        torch.autograd.grad((ours * weights).sum(), (data, updates)),
        torch.autograd.grad((theirs * weights).sum(), (data, updates)),
    ):
        torch.testing.assert_close(actual, expected)


def test_a_tie_of_rows() -> None:
    data = torch.tensor([[1.0, 5.0], [2.0, 2.0]], requires_grad=True)
    updates = torch.tensor([[1.0, 4.0], [1.0, 5.0]], requires_grad=True)
    scatter_nd(data, torch.tensor([[0], [0]]), updates, reduction="max").sum().backward()
    assert data.grad is not None and updates.grad is not None
    torch.testing.assert_close(data.grad, torch.tensor([[1 / 3, 1 / 2], [1.0, 1.0]]))
    torch.testing.assert_close(updates.grad, torch.tensor([[1 / 3, 0.0], [1 / 3, 1 / 2]]))


def test_a_result_that_is_nan_belongs_to_what_is_nan() -> None:
    nan = float("nan")
    data = torch.tensor([1.0, nan, nan], requires_grad=True)
    updates = torch.tensor([nan, 2.0, nan], requires_grad=True)
    scatter_elements(data, torch.tensor([0, 0, 1]), updates, reduction="max").sum().backward()
    assert data.grad is not None and updates.grad is not None
    assert data.grad.tolist() == [0, 0.5, 1] and updates.grad.tolist() == [1, 0, 0.5]


# ---- Assignments that are overwritten ----


def test_only_the_last_assignment_has_a_gradient() -> None:
    data, updates = torch.zeros(3, 2, requires_grad=True), torch.ones(4, 2, requires_grad=True)
    scatter_nd(data, torch.tensor([[1], [0], [-2], [0]]), updates).sum().backward()
    assert data.grad is not None and updates.grad is not None
    assert data.grad.tolist() == [[0, 0], [0, 0], [1, 1]]
    assert updates.grad.tolist() == [[0, 0], [0, 0], [1, 1], [1, 1]]


# ---- How autograd sees them ----


def test_operands_that_need_no_gradient_get_none() -> None:
    indices = torch.tensor([[0], [0]])
    for reduction in ("none", "sum", "sub", "prod", "min", "max"):
        data, updates = leaf(3, 2), leaf(2, 2, seed=1)
        expected = torch.autograd.grad(scatter_nd(data, indices, updates, reduction=reduction).sum(), (data, updates))
        (of_data,) = torch.autograd.grad(scatter_nd(data, indices, updates.detach(), reduction=reduction).sum(), data)
        (of_updates,) = torch.autograd.grad(
            scatter_nd(data.detach(), indices, updates, reduction=reduction).sum(), updates
        )
        assert torch.equal(of_data, expected[0]) and torch.equal(of_updates, expected[1])


def test_without_gradients_nothing_is_recorded() -> None:
    data, indices = leaf(3, 2), torch.tensor([[0]])
    with torch.no_grad():
        assert gather_nd(data, indices).grad_fn is None
    assert gather_nd(data.detach(), indices).grad_fn is None
    assert gather_nd(data, indices).grad_fn is not None
    assert torch.ops.strew.gather_nd(data, indices).grad_fn is not None


def test_indices_that_change_before_the_backward_are_noticed() -> None:
    data, indices = leaf(3, 2), torch.tensor([[0]])
    result = gather_nd(data, indices)
    indices += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("reduction, use_init_val", SCATTERS)
def test_gradients_keep_the_dtype(dtype: torch.dtype, reduction: str, use_init_val: bool) -> None:
    indices = torch.tensor([[0, 1], [0, 1], [2, 1]])
    options = {"reduction": reduction, "use_init_val": use_init_val}

    def gradients(dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
        data, updates = leaf(4, 2, dtype=dtype), leaf(3, 2, seed=1, dtype=dtype)
        return torch.autograd.grad(scatter_elements(data, indices, updates, **options).sum(), (data, updates))

    for actual, expected in zip(gradients(dtype), gradients(torch.float64)):
        assert actual.dtype == dtype
        torch.testing.assert_close(actual, expected.to(dtype))


def test_gradients_have_the_same_bits_on_any_number_of_threads() -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.rand(500, 16, generator=generator).requires_grad_()
    indices = torch.randint(0, 500, (40000, 1), generator=generator)
    weights = torch.rand(40000, 16, generator=generator)

    def gradient(threads: int) -> torch.Tensor:
        torch.set_num_threads(threads)
        return torch.autograd.grad((gather_nd(data, indices) * weights).sum(), data)[0]

    before = torch.get_num_threads()
    try:
        expected = gradient(1)
        assert all(torch.equal(gradient(threads), expected) for threads in (2, 3, 4))
    finally:
        torch.set_num_threads(before)
