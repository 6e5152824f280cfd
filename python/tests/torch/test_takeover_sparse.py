"""Products of sparse tensors by strew, against PyTorch alone."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

import strew.torch  # noqa: E402

pytestmark = pytest.mark.usefixtures("off_afterwards")

LAYOUTS = ("csr", "csc", "coo")
KEYS = {"csr": "SparseCsrCPU", "csc": "SparseCsrCPU", "coo": "SparseCPU"}


def tensors(layout: str, dtype: Any = torch.float32, rows: int = 40, columns: int = 30, width: int = 5) -> tuple[Any, Any]:
    generator = torch.Generator().manual_seed(4)
    dense = torch.randn(rows, columns, generator=generator, dtype=dtype)
    dense[torch.rand(rows, columns, generator=generator) > 0.3] = 0
    dense[2] = 0
    A = {"csr": dense.to_sparse_csr, "csc": dense.to_sparse_csc, "coo": dense.to_sparse}[layout]()
    return A, torch.randn(columns, width, generator=generator, dtype=dtype)


def one_taken(name: str) -> None:
    report = strew.torch.report(reset=True)
    assert report.taken.get(name) == 1 and not any("Sparse" in other for other in report.handed_back)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_products_are_taken(layout: str, dtype: Any) -> None:
    A, X = tensors(layout, dtype)
    expected = A.to_dense() @ X
    with strew.torch.enabled(exact=True):
        assert torch.allclose(A @ X, expected, atol=1e-5)
        one_taken(f"mm, {KEYS[layout]}")
        assert torch.allclose(torch.sparse.mm(A, X), expected, atol=1e-5)
        one_taken(f"addmm, {KEYS[layout]}")
        assert torch.allclose(A @ X[:, ::2], expected[:, ::2], atol=1e-5)
    assert (A @ X).shape == expected.shape


@pytest.mark.parametrize("reduce", ["sum", "mean", "amin", "amax"])
def test_reductions_are_taken(reduce: str) -> None:
    A, X = tensors("csr")
    expected = torch.sparse.mm(A, X, reduce)
    with strew.torch.enabled(exact=True):
        assert torch.allclose(torch.sparse.mm(A, X, reduce), expected, atol=1e-6)
        one_taken("_sparse_mm_reduce_impl, SparseCsrCPU")


def test_coordinates_that_repeat_are_added() -> None:
    A = torch.sparse_coo_tensor([[1, 0, 1], [2, 0, 2]], [1.0, 2, 3], (2, 3))
    X = torch.tensor([[1.0], [10], [100]])
    with strew.torch.enabled(exact=True):
        assert (A @ X).tolist() == [[2], [400]]


GRADIENTS = [(layout, how) for layout in LAYOUTS for how in ("@", "mm")]
GRADIENTS += [("csr", how) for how in ("sum", "mean", "amax")]  # PyTorch reduces no other layout


@pytest.mark.parametrize(("layout", "how"), GRADIENTS)
def test_gradients_are_those_of_pytorch(layout: str, how: str) -> None:
    def gradients() -> Any:
        A, X = tensors(layout, torch.float64)
        A.requires_grad_()
        X.requires_grad_()
        result = A @ X if how == "@" else torch.sparse.mm(A, X) if how == "mm" else torch.sparse.mm(A, X, how)
        try:
            of_A, of_X = torch.autograd.grad(result.square().sum(), (A, X))
        except RuntimeError as error:
            return str(error)
        return of_A.to_dense(), of_X

    alone = gradients()
    with strew.torch.enabled(exact=True):
        through = gradients()
    if isinstance(alone, str):
        assert through == alone
    else:
        assert all(torch.allclose(one, other) for one, other in zip(alone, through))


HANDED_BACK = [
    ("a dtype", "mm", lambda A, X: A.to(torch.complex64) @ X.to(torch.complex64)),
    ("a dtype", "mm", lambda A, X: A @ X.double()),
    ("arguments that PyTorch refuses, or has rules of its own for", "mm", lambda A, X: A @ X[1:]),
    (
        "arguments that PyTorch refuses, or has rules of its own for",
        "addmm",
        lambda A, X: torch.sparse.addmm(torch.ones(40, 5), A, X),
    ),
    ("a tensor that is not plain memory of the CPU", "mm", lambda A, X: A @ X.to_sparse_csr()),
]


@pytest.mark.parametrize(("reason", "operator", "multiply"), HANDED_BACK)
def test_the_rest_is_handed_back(reason: str, operator: str, multiply: Any) -> None:
    A, X = tensors("csr")

    def outcome() -> Any:
        try:
            result = multiply(A, X)
        except RuntimeError as error:
            return str(error)
        return result.to_dense()

    alone = outcome()
    with strew.torch.enabled(exact=True):
        through = outcome()
        assert strew.torch.report().handed_back[f"{operator}, SparseCsrCPU"] == {reason: 1}
    assert through == alone if isinstance(alone, str) else torch.equal(through, alone)


def test_what_pytorch_is_faster_at_is_left_to_it() -> None:
    A, X = tensors("csr")
    C, _ = tensors("coo", rows=5)
    with strew.torch.enabled():
        expected = A @ X, C @ X, torch.sparse.mm(A, X, "amax")
        back = strew.torch.report(reset=True).handed_back
        assert back == {
            "mm, SparseCsrCPU": {"a kind that PyTorch is faster at": 1},
            "mm, SparseCPU": {"a kind that PyTorch is faster at": 1},
            "_sparse_mm_reduce_impl, SparseCsrCPU": {"a kind that PyTorch is faster at": 1},
        }
    A, X = tensors("csr", rows=200, columns=200, width=16)
    with strew.torch.enabled():
        assert torch.allclose(A @ X, A.to_dense() @ X, atol=1e-4)
        one_taken("mm, SparseCsrCPU")
    assert len(expected) == 3


def test_a_wrong_index_is_refused() -> None:
    """PyTorch would read beyond X."""
    A = torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([0, 9]), torch.ones(2), (2, 3), check_invariants=False)
    with strew.torch.enabled(exact=True):
        with pytest.raises(IndexError, match=r"indices\[1\] is 9, outside"):
            A @ torch.ones(3, 2)


def test_off_is_off() -> None:
    A, X = tensors("coo")
    with strew.torch.enabled(exact=True):
        A @ X
    strew.torch.report(reset=True)
    A @ X
    assert strew.torch.report().taken == {}
