"""PyTorch's embedding_bag by strew: its results, the outputs that its backward needs, and the calls that go back to
PyTorch."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import strew.torch  # noqa: E402

MODES = {"sum": 0, "mean": 1, "max": 2}
CASES = list(
    itertools.product(
        ("sum", "mean"), (False, True), (None, 3), (False, True), (torch.int64, torch.int32), (False, True)
    )
)


def operands(dtype: torch.dtype, index: torch.dtype, last: bool, transposed: bool) -> tuple[torch.Tensor, ...]:
    """A table, indices of bags (one of them empty), where the bags begin, and weights."""
    generator = torch.Generator().manual_seed(0)
    shape = (7, 20) if transposed else (20, 7)
    table = torch.rand(shape, generator=generator, dtype=torch.float64).to(dtype)
    indices = torch.randint(0, 20, (40,), generator=generator).to(index)
    offsets = torch.tensor([0, 3, 3, 10, 25] + [40] * last, dtype=index)
    weights = torch.rand(40, generator=generator, dtype=torch.float64).to(dtype)
    return table.t() if transposed else table, indices, offsets, weights


def close(actual: torch.Tensor, expected: torch.Tensor) -> None:
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    halves = actual.dtype in (torch.float16, torch.bfloat16)
    torch.testing.assert_close(actual, expected, rtol=2e-2 if halves else 1e-5, atol=1e-1 if halves else 1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("mode, last, padding, weighted, index, transposed", CASES)
def test_all_that_pytorch_returns(
    dtype: torch.dtype, mode: str, last: bool, padding: int | None, weighted: bool, index: torch.dtype, transposed: bool
) -> None:
    if weighted and mode != "sum":
        return
    table, indices, offsets, weights = operands(dtype, index, last, transposed)

    def results() -> list[torch.Tensor]:
        leaf, of_rows = table.clone().requires_grad_(), weights.clone().requires_grad_()
        given, plain = (of_rows, weights) if weighted else (None, None)
        how: Any = {"mode": mode, "include_last_offset": last, "padding_idx": padding}
        bags = torch.nn.functional.embedding_bag(indices, leaf, offsets, per_sample_weights=given, **how)
        gradients = torch.autograd.grad(bags.float().square().sum(), [leaf, of_rows] if weighted else [leaf])
        at = -1 if padding is None else padding
        raw = torch._embedding_bag(table, indices, offsets, False, MODES[mode], False, plain, last, at)
        only = torch._embedding_bag_forward_only(table, indices, offsets, False, MODES[mode], False, plain, last, at)
        # The fourth has content for a maximum alone.
        return [bags.detach(), *gradients, *raw[:3], only[0], raw[3] * 0]

    expected = results()
    with strew.torch.enabled():
        actual = results()
        taken = strew.torch.report(reset=True).taken
    assert taken["_embedding_bag"] >= 2 and taken["_embedding_bag_forward_only"] == 1
    for one, other in zip(actual, expected):
        close(one, other)


def test_a_sum_of_float32_has_the_bits_of_pytorch() -> None:
    generator = torch.Generator().manual_seed(1)
    table = torch.rand(500, 33, generator=generator)
    indices, offsets = torch.randint(0, 500, (4000,), generator=generator), torch.arange(0, 4000, 13)
    expected = torch.nn.functional.embedding_bag(indices, table, offsets, mode="sum")
    with strew.torch.enabled():
        assert torch.equal(torch.nn.functional.embedding_bag(indices, table, offsets, mode="sum"), expected)


@pytest.mark.parametrize(
    "reason, call",
    [
        ("an index out of bounds", lambda f, t, i, o: f(i + 99, t, o)),
        ("an index out of bounds", lambda f, t, i, o: f(i - 1, t, o)),
        ("arguments", lambda f, t, i, o: f(i, t, o, mode="max")),
        ("arguments", lambda f, t, i, o: f(i, t, o + 1)),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([0, 5, 3]))),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([0, 99]))),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([0, -4001]), padding_idx=3)),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([0, -1, 4]), mode="mean", padding_idx=3)),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([], dtype=torch.int64))),
        ("arguments", lambda f, t, i, o: f(i, t, torch.tensor([0, 2, 5]), include_last_offset=True)),
    ],
)
def test_what_goes_back_to_pytorch(reason: str, call: Any) -> None:
    table, _, offsets, _ = operands(torch.float32, torch.int64, False, False)
    indices = torch.arange(40) % 20

    def outcome() -> Any:
        try:
            return call(torch.nn.functional.embedding_bag, table, indices, offsets).tolist()
        except (RuntimeError, IndexError, ValueError) as error:
            # Any of PyTorch's threads may be the first to report an index.
            return type(error), re.sub(r"Index \d+", "Index", str(error))

    expected = outcome()
    with strew.torch.enabled():
        actual = outcome()
        handed_back = strew.torch.report(reset=True).handed_back
    assert actual == expected
    assert any(text.startswith(reason) for text in handed_back["_embedding_bag_forward_only"])


@pytest.mark.parametrize("mode, dtype, how", [
    ("sum", torch.float64, {}),
    ("mean", torch.float64, {}),
    ("max", torch.float32, {}),
    ("sum", torch.float32, {"padding_idx": 1}),
    ("mean", torch.float64, {"include_last_offset": True}),
])
def test_indices_without_a_bag_are_refused(mode: str, dtype: torch.dtype, how: Any) -> None:
    """PyTorch alone ends the process."""
    table, offsets = torch.rand(50, 8, dtype=dtype), torch.arange(how.get("include_last_offset", 0))
    with strew.torch.enabled(), pytest.raises(ValueError, match=r"offsets name no bag, but there are 4000 indices"):
        torch.nn.functional.embedding_bag(torch.arange(4000) % 50, table, offsets, mode=mode, **how)


def test_a_module_that_is_trained() -> None:
    def losses() -> list[float]:
        torch.manual_seed(0)
        model = torch.nn.EmbeddingBag(100, 16, mode="mean", padding_idx=0)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        found = []
        for _ in range(4):
            loss = (model(torch.randint(0, 100, (30, 6))) ** 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    expected = losses()
    with strew.torch.enabled():
        actual = losses()
    torch.testing.assert_close(actual, expected)
