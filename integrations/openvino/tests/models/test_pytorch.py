"""PyTorch's own operations, converted by OpenVINO's PyTorch frontend: with strew in them, PyTorch's bits."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import openvino as ov
import pytest

import strew_openvino
from models import graphs

torch = pytest.importorskip("torch")

ROWS, LENGTH, COUNT = 50, 8, 200


@dataclass(frozen=True)
class Operation:
    """A function of PyTorch, and a function that makes its arguments."""

    name: str
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]


def numbers(*shape: int) -> Any:
    return torch.randn(shape)


def integers(*shape: int) -> Any:
    return torch.randint(-100, 100, shape)


def small_integers(*shape: int) -> Any:
    """Integers whose products fit OpenVINO's 32 bits."""
    return torch.randint(-2, 3, shape)


def places(*shape: int, size: int = ROWS) -> Any:
    return torch.randint(0, size, shape)


def scatter_reduce(reduction: str, include_self: bool) -> Callable[..., Any]:
    return lambda data, index, updates: data.scatter_reduce(0, index, updates, reduction, include_self=include_self)


def embedding_bag(mode: str) -> Callable[..., Any]:
    return lambda table, *named: torch.nn.functional.embedding_bag(named[0], table, *named[1:], mode=mode)


def message_passing(nodes: Any, sources: Any, targets: Any) -> Any:
    """A layer of a graph network: each node takes the sum of its neighbours' messages."""
    messages = torch.relu(nodes.gather(0, sources))
    return torch.relu(nodes + torch.zeros_like(nodes).scatter_add(0, targets, messages))


def row_wise(make: Callable[..., Any]) -> tuple[Any, ...]:
    return make(ROWS, LENGTH), places(COUNT, LENGTH), make(COUNT, LENGTH)


OPERATIONS = [
    Operation(
        "gather along rows", lambda a, b: torch.gather(a, 0, b), lambda: (numbers(ROWS, LENGTH), places(20, LENGTH))
    ),
    Operation(
        "gather along columns",
        lambda a, b: torch.gather(a, 1, b),
        lambda: (numbers(ROWS, LENGTH), places(ROWS, 3, size=LENGTH)),
    ),
    Operation("index_select", lambda a, b: a.index_select(0, b), lambda: (numbers(ROWS, LENGTH), places(COUNT))),
    Operation("embedding", lambda a, b: torch.nn.functional.embedding(b, a), lambda: (numbers(ROWS, 8), places(3, 4))),
    Operation("rows by indices", lambda a, b: a[b - ROWS], lambda: (numbers(ROWS, LENGTH), places(3, 4))),
    Operation("scatter_add", lambda a, b, c: a.scatter_add(0, b, c), lambda: row_wise(numbers)),
    Operation(
        "scatter",
        lambda a, b, c: a.scatter(0, b, c),
        lambda: (numbers(ROWS, LENGTH), torch.randperm(ROWS)[:20, None].repeat(1, LENGTH), numbers(20, LENGTH)),
    ),
    Operation(
        "index_add",
        lambda a, b, c: a.index_add(0, b, c),
        lambda: (numbers(ROWS, LENGTH), places(COUNT), numbers(COUNT, LENGTH)),
    ),
    Operation(
        "message passing",
        message_passing,
        lambda: (numbers(ROWS, LENGTH), places(COUNT, LENGTH), places(COUNT, LENGTH)),
    ),
    *(
        Operation(f"embedding_bag {mode} of {name}", embedding_bag(mode), arguments)
        for mode in ("sum", "mean")
        for name, arguments in (
            ("offsets", lambda: (numbers(ROWS, LENGTH), places(COUNT), torch.tensor([0, 3, 3, 60]))),
            ("rows", lambda: (numbers(ROWS, LENGTH), places(COUNT // 5, 5))),
        )
    ),
    *(
        Operation(
            f"scatter_reduce {reduction} of {make.__name__}{'' if include_self else ' alone'}",
            scatter_reduce(reduction, include_self),
            lambda make=make: row_wise(make),
        )
        for reduction in ("sum", "prod", "mean", "amax", "amin")
        for make in (numbers, small_integers if reduction == "prod" else integers)
        for include_self in (True, False)
    ),
]


def converted(function: Callable[..., Any], arguments: tuple[Any, ...]) -> ov.Model:
    class Model(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the frontend traces the module
        return ov.convert_model(Model().eval(), example_input=arguments)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name.replace(" ", "-"))
def test_operation(operation: Operation) -> None:
    torch.manual_seed(17)
    arguments = operation.arguments()
    expected = operation.function(*arguments).numpy()
    model = converted(operation.function, arguments)
    report = strew_openvino.replace(model, exact=True)
    shapes = [node for node in report.left if node.reason.startswith("data is made of shapes")]
    assert report.replaced and len(shapes) == len(report.left), str(report)

    executable = graphs.compiled(model)
    before = strew_openvino.calls()
    (output,) = graphs.infer(executable, [argument.numpy() for argument in arguments])
    assert strew_openvino.calls() - before == len(report.replaced)
    assert graphs.same_bits(output, expected)
