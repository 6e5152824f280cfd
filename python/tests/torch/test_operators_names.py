"""strew.torch by PyTorch's names: results equal to PyTorch's own functions, and the former words, which still work and
warn."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402

import strew  # noqa: E402
import strew.torch as S  # noqa: E402

Tensor = torch.Tensor
GENERATOR = torch.Generator().manual_seed(0)
X, V = torch.rand(4, 5, 3, generator=GENERATOR), torch.rand(4, 5, 3, generator=GENERATOR)
I = torch.randint(0, 3, (3, 4, 2), generator=GENERATOR)  # noqa: E741
ROWS = torch.tensor([2, 0, 1])
WORDS = ["sum", "prod", "mean", "amax", "amin"]


def like_torch(name: str, *arguments: Any, **how: Any) -> None:
    """Compares a function of strew.torch with that of torch, with the same arguments."""
    actual, expected = getattr(S, name)(*arguments, **how), getattr(torch, name)(*arguments, **how)
    torch.testing.assert_close(actual, expected)


@pytest.mark.parametrize("dim", [0, 1, 2, -2])
def test_elements(dim: int) -> None:
    like_torch("gather", X, dim, I)
    like_torch("gather", input=X, dim=dim, index=I)
    like_torch("scatter_add", X, dim, I, V)
    for reduce in ("add", "multiply"):
        like_torch("scatter", X, dim, I, V, reduce=reduce)
    for reduce in WORDS:
        for include_self in (True, False):
            like_torch("scatter_reduce", X, dim, I, V, reduce, include_self=include_self)
    places = torch.arange(3).reshape(-1, *[1] * 2).expand(3, 4, 2)  # assigned once each
    like_torch("scatter", X, 0, places, V)
    like_torch("scatter", input=X, dim=0, index=places, src=V)
    like_torch("scatter", X, dim, I, 2)
    like_torch("scatter", X, dim, I, value=0.5, reduce="add")
    like_torch("scatter", X.int(), dim, I, 2.5)
    with pytest.raises(TypeError, match="src or value"):
        S.scatter(X, dim, I, V, value=2)


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_rows(dim: int) -> None:
    source = torch.rand(4, 5, 3, generator=GENERATOR).index_select(dim, ROWS)
    like_torch("index_select", X, dim, ROWS)
    like_torch("index_select", X, dim, ROWS[0])
    like_torch("index_copy", X, dim, ROWS, source)
    like_torch("index_add", X, dim, ROWS, source)
    like_torch("index_add", X, dim, ROWS, source, alpha=0.5)
    for reduce in WORDS[1:]:
        like_torch("index_reduce", X, dim, ROWS, source, reduce, include_self=False)


def test_rows_beyond_pytorch() -> None:
    assert torch.equal(S.index_select(X, 1, ROWS[:, None]), X[:, ROWS[:, None]])
    batches = torch.tensor([[0, 1], [4, 4], [3, -1], [0, 0]])
    assert torch.equal(S.index_select(X, 1, batches, batch_dims=1)[2], X[2, batches[2]])
    assert S.index_select(X, 0, torch.tensor([9]), mode="fill", fill_value=7.0).eq(7).all()
    twice = torch.tensor([0, 0])
    assert torch.equal(S.index_copy(X, 0, twice, V[:2])[0], V[1])
    assert torch.equal(S.index_reduce(X, 0, twice, V[:2], "sub")[0], X[0] - V[0] - V[1])


def test_slices() -> None:
    like_torch("slice_scatter", X, V)
    like_torch("slice_scatter", X, V[:, 1:3], 1, 1, 3)
    like_torch("slice_scatter", X, V[:, ::2], dim=1, step=2)
    like_torch("slice_scatter", X, V[..., -2:], -1, -2, 2**62)
    several = S.slice_scatter(X, V[:1, :2], [0, 1], [1, 3])
    assert torch.equal(several, S.slice_scatter(X, V[:1, :2], starts=[0, 1], stops=[1, 3], axes=[0, 1]))
    assert torch.equal(several[0, 1:3], V[0, :2]) and torch.equal(several[1:], X[1:])
    with pytest.raises(TypeError, match="takes starts, stops, steps and axes, and no other"):
        S.slice_scatter(X, V, starts=[0], stops=[1], end=[2], ends=[1])


TABLE, WEIGHTS = torch.rand(6, 3, generator=GENERATOR), torch.rand(8, generator=GENERATOR)
INPUT, OFFSETS = torch.tensor([1, 2, 4, 5, 4, 3, 2, 0]), torch.tensor([0, 3, 3, 5])


@pytest.mark.parametrize("mode", [None, "sum", "mean", "max"])
@pytest.mark.parametrize("padding_idx", [None, 4, -2, 3])
@pytest.mark.parametrize("last", [None, 8])
@pytest.mark.parametrize("weighted", [False, True])
def test_embedding_bag(mode: str | None, padding_idx: int | None, last: int | None, weighted: bool) -> None:
    if weighted and mode != "sum":
        return
    how: dict[str, Any] = {"padding_idx": padding_idx, "include_last_offset": last is not None}
    how |= {} if mode is None else {"mode": mode}
    how |= {"per_sample_weights": WEIGHTS} if weighted else {}
    offsets = OFFSETS if last is None else torch.cat([OFFSETS, torch.tensor([last])])
    torch.testing.assert_close(
        S.embedding_bag(INPUT, TABLE, offsets, **how), functional.embedding_bag(INPUT, TABLE, offsets, **how)
    )
    if last is None:
        how["per_sample_weights"] = WEIGHTS.reshape(2, 4) if weighted else None
        packed = INPUT.reshape(2, 4)
        torch.testing.assert_close(
            S.embedding_bag(packed, TABLE, **how), functional.embedding_bag(packed, TABLE, **how)
        )


def test_the_last_bag_ends_where_the_last_offset_says() -> None:
    """PyTorch documents this. PyTorch itself goes on to the end of input, except for plain sums."""
    offsets = torch.cat([OFFSETS, torch.tensor([7])])
    for mode in ("sum", "mean", "max"):
        actual = S.embedding_bag(INPUT, TABLE, offsets, mode=mode, include_last_offset=True)
        torch.testing.assert_close(actual, functional.embedding_bag(INPUT[:7], TABLE, OFFSETS, mode=mode))
    how: dict[str, Any] = {"mode": "sum", "per_sample_weights": WEIGHTS, "include_last_offset": True}
    torch.testing.assert_close(
        S.embedding_bag(INPUT, TABLE, offsets, **how), functional.embedding_bag(INPUT, TABLE, offsets, **how)
    )


def test_padding_has_no_gradient_and_an_index_out_of_bounds_is_refused_beside_it() -> None:
    table = TABLE.clone().requires_grad_()
    S.embedding_bag(INPUT, table, OFFSETS, padding_idx=4).sum().backward()
    assert table.grad is not None and table.grad[4].eq(0).all() and table.grad[5].ne(0).all()
    wrong = INPUT.clone()
    wrong[6] = 6
    with pytest.raises(strew.BoundsError, match=r"input\[6\] is 6, outside \[-6, 5\] for dimension 0 of weight") as told:
        S.embedding_bag(wrong, TABLE, OFFSETS, padding_idx=4)
    assert (told.value.operand, told.value.other, told.value.position) == ("input", "weight", (6,))
    with pytest.raises(strew.ArgumentError, match=r"padding_idx is 6, outside \[-6, 5\]"):
        S.embedding_bag(INPUT, TABLE, OFFSETS, padding_idx=6)
    with pytest.raises(strew.ArgumentError, match=r"the last of offsets is 9, outside \[0, 8\]"):
        S.embedding_bag(INPUT, TABLE, torch.tensor([0, 9]), include_last_offset=True)
    with pytest.raises(strew.ArgumentError, match="mode is 'fill', which is none of sum, mean, max, amax, amin, prod"):
        S.embedding_bag(INPUT, TABLE, OFFSETS, mode="fill")


def test_refusals_speak_of_pytorch_s_arguments() -> None:
    for call, message, operand in (
        (lambda: S.gather(X, 0, I + 9), r"index\[0\]\[0\]\[0\] is .*, outside \[-4, 3\] for dimension 0 of input", "index"),
        (lambda: S.gather(X, 3, I), "dim is 3", "dim"),
        (lambda: S.scatter(X, 0, I, V[:1]), "src", "src"),
        (lambda: S.index_copy(X, 0, ROWS, V), "source", "source"),
        (lambda: S.gather(X, 0, I, mode="skip it"), "mode is 'skip it', which is none of raise, ", "mode"),
        (lambda: S.scatter_reduce(X, 0, I, V, "most"), "reduce is 'most', which is none of None, sum, add, ", "reduce"),
    ):
        with pytest.raises(strew.Error, match=message) as told:
            call()
        assert told.value.operand == operand
    with pytest.raises(TypeError, match="index must be a torch.Tensor, not list"):
        S.gather(X, 0, [0])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"gather_nd\(\) has no argument 'dims'; it takes data, indices, batch_dims, mode, "):
        S.gather_nd(X, I, dims=1)
    with pytest.raises(TypeError, match=r"gather_elements\(\) has its argument 'dim' twice"):
        S.gather_elements(X, I, dim=1, axis=1)


# ---- Former words ---------------------------------------------------------------------------------------------------

PAIRS, TWO = torch.tensor([[0, 1], [3, 9]]), torch.tensor([0, 9])
FORMER: dict[str, tuple[str, Callable[[], Tensor], Callable[[], Tensor]]] = {
    "gather": (
        r"gather\(data, indices, axis=\) is now strew.torch.index_select",
        lambda: S.gather(X, TWO, axis=1, bounds="skip", fill=2.0),
        lambda: S.index_select(X, 1, TWO, mode="fill", fill_value=2.0),
    ),
    "gather alone": (r"is now strew.torch.index_select", lambda: S.gather(X, ROWS), lambda: X[ROWS]),
    "gather of one": (r"is now strew.torch.index_select", lambda: S.gather(X, ROWS[0]), lambda: X[2]),
    "gather with today's mode": (
        r"is now strew.torch.index_select",
        lambda: S.gather(X, TWO, mode="clip"),
        lambda: S.index_select(X, 0, TWO, mode="clip"),
    ),
    "gather's keywords": (
        "bounds is now mode",
        lambda: S.gather(X, 0, I + 2, bounds="clamp"),
        lambda: S.gather(X, 0, I + 2, mode="clip"),
    ),
    "scatter": (
        r"scatter\(data, indices, updates, axis=\) is now strew.torch.index_copy, index_add or index_reduce",
        lambda: S.scatter(X, ROWS, V[:, :3], axis=1, reduction="max", use_init_val=False, unique_indices=True),
        lambda: S.index_reduce(X, 1, ROWS, V[:, :3], "amax", include_self=False),
    ),
    "scatter's keywords": (
        "bounds is now mode",
        lambda: S.scatter(X, 0, I + 2, V, bounds="skip"),
        lambda: S.scatter(X, 0, I + 2, V, mode="drop"),
    ),
    "gather_nd": (
        "fill is now fill_value",
        lambda: S.gather_nd(X, PAIRS, bounds="skip", fill=1),
        lambda: S.gather_nd(X, PAIRS, mode="fill", fill_value=1),
    ),
    "gather_elements": ("axis is now dim", lambda: S.gather_elements(X, I, axis=1), lambda: S.gather(X, 1, I)),
    "scatter_nd": (
        "reduction is now reduce",
        lambda: S.scatter_nd(X, PAIRS[:1], V[0, :1], reduction="mul"),
        lambda: S.scatter_nd(X, PAIRS[:1], V[0, :1], reduce="prod"),
    ),
    "scatter_elements": (
        "use_init_val is now include_self",
        lambda: S.scatter_elements(X, I, V[:3, :4, :2], axis=1, reduction="min", use_init_val=False),
        lambda: S.scatter_reduce(X, 1, I, V, "amin", include_self=False),
    ),
    "a word of reduce": (
        "reduce='max' is now reduce='amax'",
        lambda: S.scatter_reduce(X, 0, I, V, "max"),
        lambda: S.scatter_reduce(X, 0, I, V, "amax"),
    ),
    "no reduction": (
        "reduce='none' is now reduce=None",
        lambda: S.scatter_nd(X, PAIRS[:1], V[0, :1], reduction="none"),
        lambda: S.scatter_nd(X, PAIRS[:1], V[0, :1]),
    ),
    "tensor_scatter": (
        "axis is now dim",
        lambda: S.tensor_scatter(X, None, V[:, :2], axis=1),
        lambda: S.tensor_scatter(X, None, V[:, :2], dim=1),
    ),
    "embedding_bag": (
        r"embedding_bag\(data, indices, offsets, weights\) is now strew.torch.embedding_bag_offsets",
        lambda: S.embedding_bag(TABLE, INPUT, OFFSETS),
        lambda: S.embedding_bag(INPUT, TABLE, OFFSETS, mode="sum"),
    ),
    "embedding_bag with weights": (
        "is now strew.torch.embedding_bag_offsets",
        lambda: S.embedding_bag(TABLE, INPUT + 1, OFFSETS, WEIGHTS, reduction="max", default_index=1, bounds="skip"),
        lambda: S.embedding_bag_offsets(
            TABLE, INPUT + 1, OFFSETS, WEIGHTS, reduce="amax", default_index=1, mode="drop"
        ),
    ),
    "embedding_bag_packed": (
        "reduction is now reduce",
        lambda: S.embedding_bag_packed(TABLE, PAIRS, reduction="mean", bounds="skip"),
        lambda: S.embedding_bag_packed(TABLE, PAIRS, reduce="mean", mode="drop"),
    ),
    "embedding_segments": (
        "reduction is now reduce",
        lambda: S.embedding_segments(TABLE, INPUT, INPUT, reduction="prod"),
        lambda: S.embedding_segments(TABLE, INPUT, INPUT, reduce="prod"),
    ),
    "segment_reduce": (
        "reduction is now reduce",
        lambda: S.segment_reduce(TABLE, INPUT[:6].sort()[0], reduction="mean"),
        lambda: S.segment_reduce(TABLE, INPUT[:6].sort()[0], reduce="mean"),
    ),
    "gather_scatter": (
        "use_init_val is now include_self",
        lambda: S.gather_scatter(TABLE, TABLE, INPUT, INPUT, reduction="add", use_init_val=False),
        lambda: S.gather_scatter(TABLE, TABLE, INPUT, INPUT, reduce="sum", include_self=False),
    ),
}


@pytest.mark.parametrize("name", FORMER)
def test_former_words_warn_and_give_the_same(name: str) -> None:
    message, former, now = FORMER[name]
    with pytest.warns(DeprecationWarning, match=message) as warned:
        actual = former()
    assert {warning.filename for warning in warned} == {__file__}
    assert torch.equal(actual, now())


def test_today_s_keywords_beside_former_operands_are_refused() -> None:
    for how in ({"mode": "mean"}, {"padding_idx": 1}):
        with pytest.raises(TypeError, match="takes input, weight and offsets, in this order, beside "):
            S.embedding_bag(TABLE, INPUT, OFFSETS, **how)
    assert inspect.signature(S.embedding_bag).parameters["mode"].default == "mean"


def test_every_function_with_former_words_is_tested() -> None:
    functions = {name for name in S.__all__ if "former" in inspect.signature(getattr(S, name)).parameters}
    assert functions <= FORMER.keys()


@pytest.mark.filterwarnings("error")
def test_today_s_words_warn_of_nothing_under_compile() -> None:
    def function(x: Tensor, weight: Tensor) -> Tensor:
        rows = S.index_add(x, 0, ROWS, S.gather(x, 0, I.new_zeros(3, 5, 3)), mode="clip")
        return S.scatter_reduce(rows, 1, I, V, "amax").sum() + S.embedding_bag(INPUT, weight, OFFSETS).sum()

    compiled = torch.compile(function, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(X, TABLE), function(X, TABLE))
