"""strew's own operators for PyTorch: results, accepted tensors, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

import operators_oracle as oracle  # noqa: E402

import strew  # noqa: E402
import strew.torch  # noqa: E402
from core_words import gather_elements, gather_nd, scatter_elements, scatter_nd  # noqa: E402

OPAQUE = [torch.complex32, torch.float8_e5m2, torch.float8_e4m3fn]


def same(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


def each_reduction(dtypes: list[torch.dtype] = oracle.DTYPES) -> list[Any]:
    return [(r, d) for r in oracle.REDUCTIONS for d in dtypes if oracle.has(r, d)]


# ---- What they return ----


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
@pytest.mark.parametrize("batch_dims, count", [(0, 0), (0, 1), (0, 3), (1, 1), (2, 1), (1, 0)])
def test_gather_nd(dtype: torch.dtype, batch_dims: int, count: int) -> None:
    data = oracle.sample((3, 3, 3), dtype)
    indices = oracle.sample_indices((3, 3, 4, count), 3)
    actual = gather_nd(data, indices, batch_dims=batch_dims)
    same(actual, oracle.gather(data, oracle.row_addresses(data, indices, batch_dims), tuple(actual.shape)))
    assert actual.shape == indices.shape[:-1] + data.shape[batch_dims + count :]
    assert actual.is_contiguous()


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_elements(dtype: torch.dtype, axis: int) -> None:
    data, indices = oracle.sample((4, 4, 5), dtype), oracle.sample_indices((4, 3, 5), 4)
    actual = gather_elements(data, indices, axis=axis)
    same(actual, oracle.gather(data, oracle.element_addresses(data, indices, axis), (4, 3, 5)))


@pytest.mark.parametrize("reduction, dtype", [case for case in each_reduction() if case[0] != "mean"], ids=str)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_scatter_nd(reduction: str, dtype: torch.dtype, count: int) -> None:
    data, indices = oracle.sample((3, 3, 2), dtype), oracle.sample_indices((2, 3, count), 3)
    updates = oracle.sample((2, 3) + (3, 3, 2)[count:], dtype, seed=1)
    expected = oracle.scatter(data, updates, oracle.row_addresses(data, indices), reduction)
    same(scatter_nd(data, indices, updates, reduction=reduction), expected)


@pytest.mark.parametrize("reduction, dtype", each_reduction(), ids=str)
@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("axis", [0, -1])
def test_scatter_elements(reduction: str, dtype: torch.dtype, use_init_val: bool, axis: int) -> None:
    data, indices = oracle.sample((3, 4, 3), dtype), oracle.sample_indices((3, 4, 3), 3)
    updates = oracle.sample((3, 4, 3), dtype, seed=1)
    addresses = oracle.element_addresses(data, indices, axis)
    expected = oracle.scatter(data, updates, addresses, reduction, use_init_val)
    same(scatter_elements(data, indices, updates, axis=axis, reduction=reduction, use_init_val=use_init_val), expected)


@pytest.mark.parametrize("reduction, dtype", [case for case in each_reduction() if case[0] != "mean"], ids=str)
@pytest.mark.parametrize("batch_dims", [1, 2])
def test_scatter_nd_of_batches(reduction: str, dtype: torch.dtype, batch_dims: int) -> None:
    data, indices = oracle.sample((2, 3, 3, 2), dtype), oracle.sample_indices((2, 3, 4, 1), 3)
    updates = oracle.sample((2, 3, 4) + (3, 3, 2)[batch_dims:], dtype, seed=1)
    if batch_dims == 2:
        indices = oracle.sample_indices((2, 3, 4, 1), 3)
    expected = oracle.scatter(data, updates, oracle.row_addresses(data, indices, batch_dims), reduction)
    same(torch.ops.strew.scatter_nd(data, indices, updates, reduction, batch_dims), expected)


@pytest.mark.parametrize("dtype", oracle.INTEGERS, ids=str)
def test_indices_have_any_integer_dtype(dtype: torch.dtype) -> None:
    data, indices = oracle.sample((5, 3), torch.float32), oracle.sample_indices((6, 1), 5, dtype)
    same(gather_nd(data, indices), oracle.gather(data, oracle.row_addresses(data, indices), (6, 3)))


@pytest.mark.parametrize("dtype", OPAQUE, ids=str)
def test_elements_that_only_move(dtype: torch.dtype) -> None:
    data = torch.arange(12.0).reshape(4, 3).to(dtype)
    indices = torch.tensor([[3], [0]])
    rows = gather_nd(data, indices)
    assert rows.dtype == dtype
    same(rows.to(torch.complex64), data.to(torch.complex64)[[3, 0]])
    same(scatter_nd(data, indices, rows).to(torch.complex64), data.to(torch.complex64))
    with pytest.raises(TypeError):
        scatter_nd(data, indices, rows, reduction="sum")
    if dtype != torch.complex32:
        with pytest.raises(TypeError, match="updates"):
            scatter_nd(data, indices, rows.view(next(d for d in OPAQUE[1:] if d != dtype)))


def test_any_strides_are_read() -> None:
    data = torch.as_strided(torch.arange(200.0), (3, 4, 5), (2, 11, 30), 3)
    indices = oracle.sample_indices((1, 4, 1), 3).expand(3, 4, 5)
    updates = oracle.sample((6, 5, 4), torch.float32, seed=1).mT[::2]
    assert not data.is_contiguous() and not indices.is_contiguous() and not updates.is_contiguous()
    expected = oracle.scatter(data, updates, oracle.element_addresses(data, indices, 0), "sum")
    same(scatter_elements(data, indices, updates, reduction="sum"), expected)
    same(gather_elements(data, indices), torch.gather(data, 0, indices % 3))


def test_views_of_conjugates_and_negatives() -> None:
    data = oracle.sample((4, 3), torch.complex64)
    indices = torch.tensor([[1], [2]])
    assert data.conj().is_conj()
    same(gather_nd(data.conj(), indices), gather_nd(data.conj().resolve_conj(), indices))
    negative = data.conj().imag
    assert negative.is_neg()
    same(gather_nd(negative, indices), -gather_nd(data.imag, indices))


def test_tensors_without_elements() -> None:
    data = torch.zeros(4, 3)
    assert gather_nd(data, torch.zeros(0, 1, dtype=torch.int64)).shape == (0, 3)
    assert gather_elements(data, torch.zeros(0, 3, dtype=torch.int64)).shape == (0, 3)
    same(scatter_nd(data, torch.zeros(0, 1, dtype=torch.int64), torch.zeros(0, 3)), data)
    assert torch.ops.strew.scatter_nd(
        torch.zeros(0, 4), torch.zeros(0, 2, 1, dtype=torch.int64), torch.zeros(0, 2), "sum", 1
    ).shape == (0, 4)


def test_a_reduction_has_the_names_of_onnx_too() -> None:
    data, indices, updates = torch.ones(3), torch.tensor([[0], [0]]), torch.tensor([2.0, 3.0])
    same(scatter_nd(data, indices, updates, reduction="add"), torch.tensor([6.0, 1.0, 1.0]))
    same(scatter_nd(data, indices, updates, reduction="mul"), torch.tensor([6.0, 1.0, 1.0]))


def test_operands_are_left_as_they_are() -> None:
    data, indices, updates = torch.rand(4, 3), torch.tensor([[1], [1]]), torch.rand(2, 3)
    before = [tensor.clone() for tensor in (data, indices, updates)]
    result = scatter_nd(data, indices, updates, reduction="sum")
    assert result.data_ptr() != data.data_ptr()
    for tensor, old in zip((data, indices, updates), before):
        same(tensor, old)
        assert tensor._version == 0


def test_under_inference_mode() -> None:
    with torch.inference_mode():
        assert gather_nd(torch.rand(4, 3), torch.tensor([[1]])).is_inference()


# ---- Threads ----


@pytest.fixture
def threads() -> Any:
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64], ids=str)
def test_the_bits_do_not_depend_on_threads(threads: Any, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.rand(3000, 16, generator=generator).to(dtype)
    updates = torch.rand(40000, 16, generator=generator).to(dtype)
    rows = torch.randint(-3000, 3000, (40000, 1), generator=generator)
    spread = torch.randint(0, 3000, (3000, 16), generator=generator)

    def results() -> list[torch.Tensor]:
        return [
            scatter_nd(data, rows, updates, reduction="sum"),
            scatter_nd(data, rows, updates, reduction="prod"),
            scatter_nd(data, rows, updates),
            scatter_elements(data, spread, updates[:3000], reduction="mean"),
            torch.ops.strew.scatter_nd(
                data.reshape(2, 1500, 16), (rows % 1500).reshape(2, 20000, 1), updates.reshape(2, 20000, 16), "sum", 1
            ),
            torch.ops.strew.scatter_nd(
                data.reshape(600, 5, 16),
                (rows[:6000] % 5).reshape(600, 10, 1),
                updates[:6000].reshape(600, 10, 16),
                "sum",
                1,
            ),
            gather_nd(data, rows),
        ]

    threads(1)
    expected = results()
    for count in (2, 3, 5):
        threads(count)
        for actual, one in zip(results(), expected):
            assert torch.equal(actual, one)


# ---- What they refuse ----

DATA, ROWS = torch.zeros(4, 3), torch.zeros(2, 3)


@pytest.mark.parametrize(
    "call, kind, fields",
    [
        (
            lambda: gather_nd(DATA, torch.tensor([[0], [4]])),
            IndexError,
            {"status": "index_out_of_bounds", "position": (1, 0), "value": 4, "lower": -4, "upper": 3},
        ),
        (lambda: gather_elements(DATA, torch.full((4, 3), -5)), IndexError, {"dimension": 0, "value": -5}),
        (lambda: scatter_nd(DATA, torch.tensor([[0], [9]]), ROWS, reduction="sum"), IndexError, {"value": 9}),
        (lambda: scatter_elements(DATA, torch.full((2, 3), 7), ROWS, axis=1), IndexError, {"dimension": 1}),
        (lambda: scatter_nd(DATA, torch.tensor([[0]]), ROWS), ValueError, {"operand": "updates"}),
        (lambda: scatter_nd(DATA, torch.tensor([[0], [1]]), ROWS, reduction="median"), ValueError, {}),
        (lambda: scatter_nd(DATA, torch.tensor([[0], [1]]), ROWS, reduction="mean"), TypeError, {}),
        (lambda: scatter_nd(DATA, torch.tensor([[0], [1]]), ROWS.double()), TypeError, {"operand": "updates"}),
        (lambda: gather_nd(DATA, torch.tensor([[0.0]])), TypeError, {"operand": "indices"}),
        (lambda: gather_nd(DATA, torch.tensor([[0]]), batch_dims=2), ValueError, {"operand": "batch_dims"}),
        (lambda: gather_elements(DATA, torch.zeros(4, 3, dtype=torch.int64), axis=2), ValueError, {"operand": "dim"}),
        (lambda: gather_nd(torch.tensor(1.0), torch.tensor([[0]])), ValueError, {"operand": "data"}),
        (
            lambda: scatter_elements(DATA.bool(), torch.zeros(2, 3, dtype=torch.int64), ROWS.bool(), reduction="mean"),
            TypeError,
            {"status": "unsupported_reduction"},
        ),
        (
            lambda: gather_nd(DATA.clone().requires_grad_(), torch.tensor([[0], [4]])),
            IndexError,
            {"position": (1, 0)},
        ),
    ],
)
def test_refusals_are_those_of_strew(call: Any, kind: type[Exception], fields: dict[str, Any]) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert isinstance(raised.value, strew.Error)
    for name, value in fields.items():
        assert getattr(raised.value, name) == value


def test_a_refusal_of_torch_ops_has_the_class_and_the_message() -> None:
    data, indices = torch.zeros(2, 4, 3), torch.tensor([[[1], [0]], [[2], [9]]])
    with pytest.raises(IndexError, match=r"indices\[1\]\[1\]\[0\] is 9, outside \[-4, 3\] for dimension 1 of data"):
        torch.ops.strew.scatter_nd(data, indices, torch.zeros(2, 2, 3), "sum", 1)
    with pytest.raises(ValueError, match="updates must have the shape"):
        torch.ops.strew.scatter_nd(data, indices % 4, torch.zeros(1, 2, 3), "sum", 1)
    with pytest.raises(ValueError, match="batch_dims"):
        torch.ops.strew.scatter_nd(data, indices % 4, torch.zeros(2, 2, 3), "sum", 3)


def test_the_first_of_wrong_batches_is_named(threads: Any) -> None:
    data, updates = torch.zeros(500, 4, 64), torch.zeros(500, 8, 64)
    indices = torch.zeros(500, 8, 1, dtype=torch.int64)
    indices[123, 5] = 4
    indices[400:, 0] = -9
    for count in (1, 2, 4):
        threads(count)
        with pytest.raises(IndexError, match=r"indices\[123\]\[5\]\[0\] is 4"):
            torch.ops.strew.scatter_nd(data, indices, updates, "sum", 1)


def test_what_is_no_tensor() -> None:
    with pytest.raises(TypeError, match="data must be a torch.Tensor, not list"):
        gather_nd([1.0], torch.tensor([[0]]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="updates must be a torch.Tensor, not float"):
        scatter_nd(DATA, torch.tensor([[0]]), 1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dim must be an int"):
        gather_elements(DATA, torch.zeros(4, 3, dtype=torch.int64), axis="0")  # type: ignore[arg-type]


def test_what_has_no_memory_of_its_own() -> None:
    with pytest.raises(NotImplementedError):
        gather_nd(DATA.to_sparse(), torch.tensor([[0]]))
    with pytest.raises(RuntimeError, match="no memory"):
        gather_nd(torch.zeros(1), torch.zeros(1, 1, dtype=torch.int64).expand(1 << 46, 1))


def test_zeros_without_memory_are_refused_as_others() -> None:
    zeros = torch._efficientzerotensor(4, 3)
    same(scatter_nd(zeros, torch.tensor([[0], [1]]), ROWS + 1), torch.tensor([[1.0], [1], [0], [0]]).expand(4, 3))
    with pytest.raises(IndexError, match=r"indices\[1\]\[0\] is 4, outside \[-4, 3\]"):
        gather_nd(zeros, torch.tensor([[0], [4]]))


@pytest.mark.parametrize("reduction", [b"sum", 1])
def test_the_name_of_a_reduction_is_a_str(reduction: Any) -> None:
    message = f"reduce must be a str, not {type(reduction).__name__}"
    with pytest.raises(TypeError, match=message):
        scatter_nd(DATA, torch.tensor([[0], [1]]), ROWS, reduction=reduction)
    with pytest.raises(TypeError, match=message):
        scatter_elements(DATA, torch.zeros(2, 3, dtype=torch.int64), ROWS, reduction=reduction)


def test_many_refusals_leak_nothing() -> None:
    resource = pytest.importorskip("resource")
    data, indices, updates = torch.zeros(1 << 20), torch.tensor([[1 << 20]]), torch.zeros(1)

    def refuse(times: int) -> int:
        for _ in range(times):
            with pytest.raises(IndexError):
                torch.ops.strew.scatter_nd(data, indices, updates, "sum", 0)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first = refuse(3)
    # ru_maxrss is in kilobytes, or bytes. A result has 4 MB, so the results of 200 refusals would have 800 MB.
    assert refuse(200) < first * 1.5
