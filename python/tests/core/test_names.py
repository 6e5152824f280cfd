"""The page of names agrees with the code; former words; lists in place of arrays."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import strew
from strew import _names

from required import ROOT, missing

PAGE = ROOT / "docs/names.md"
MODULES = ("strew", "strew.jax", "strew.torch")
# Functions that are no operators.
OTHERS = {"get_num_threads", "set_num_threads", "info", "operators", "plan", "run", "version"}
OTHERS |= {"disable", "enable", "enabled", "is_enabled", "report", "embedding_bag of strew.jax"}


def module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing(str(error))


def table(heading: str) -> list[dict[str, str]]:
    """The rows of the table under a heading, by the names of its columns."""
    text = PAGE.read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    heads, _, *rows = [[cell.strip() for cell in line] for line in lines]
    assert all(len(row) == len(heads) for row in rows)
    return [dict(zip(heads, row)) for row in rows]


def quoted(row: dict[str, str], column: str) -> list[str]:
    """The names in a cell that are code."""
    cells = [cell for head, cell in row.items() if column in head.replace("`", "").split(", ")]
    return re.findall(r"`([^`]+)`", " ".join(cells))


def functions(name: str) -> set[str]:
    found = {each for each in module(name).__all__ if each[0].islower() and not each.startswith("plan_")}
    return found - OTHERS - ({"embedding_bag"} if name == "strew.jax" else set())


@pytest.mark.parametrize("name", MODULES)
def test_functions_are_those_of_the_page(name: str) -> None:
    named = {each for row in table("Functions") for each in quoted(row, name)}
    assert named == functions(name)


@pytest.mark.parametrize("column", ["NumPy", "PyTorch", "JAX"])
def test_functions_of_others_exist(column: str) -> None:
    library = module({"NumPy": "numpy", "PyTorch": "torch", "JAX": "jax"}[column])
    for row in table("Functions") + table("Words of the reduction"):
        for name in quoted(row, column):
            if name.startswith(library.__name__ + "."):
                found = library
                for part in name.split(".")[1:]:
                    found = getattr(found, part)


@pytest.mark.parametrize("name", MODULES)
def test_keywords_are_those_of_the_page(name: str) -> None:
    signatures = [inspect.signature(getattr(module(name), each)) for each in functions(name)]
    known = {parameter for signature in signatures for parameter in signature.parameters}
    for row in table("Keywords"):
        assert set(quoted(row, name)) <= known, row


def test_words_are_those_of_the_page() -> None:
    def words(cells: list[str]) -> list[Any]:
        return [None if cell == "None" else cell.strip('"') for cell in cells if cell[0] == '"' or cell == "None"]

    modes = table("Words of `mode`")
    assert {word: row["C, and the command line"] for row in modes for word in words(quoted(row, "strew"))} == _names.MODES
    reductions = table("Words of the reduction")
    for row in reductions:
        for word in words(quoted(row, "strew")):
            strew.scatter([1.0], [0], [2.0], reduction=word)
    known = module("strew.torch.operators").REDUCTIONS
    assert {word for row in reductions for word in words(quoted(row, "strew.torch"))} == set(known)


def test_operators_are_published() -> None:
    for column, collection in (("ONNX", "ONNX"), ("OpenVINO", "OpenVINO")):
        published = {each["name"].partition("-")[0] for each in strew.operators() if each["collection"] == collection}
        assert {row[column] for row in table("Functions")} - {"-"} <= published


# ---- Former words ---------------------------------------------------------------------------------------------------

X, FAR = np.arange(6.0).reshape(3, 2), np.array([1, 9, -7])
FORMER: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], dict[str, Any], str]] = [
    (strew.gather, (X, FAR), {"bounds": "skip", "fill": 5}, {"mode": "fill", "fill_value": 5}, "fill is now fill_value"),
    (strew.gather, (X, FAR), {"mode": "clamp"}, {"mode": "clip"}, "mode='clamp' is now mode='clip'"),
    (strew.scatter, (X, FAR, X), {"bounds": "skip"}, {"mode": "drop"}, "bounds is now mode"),
    (strew.gather_nd, (X, [[1]]), {"bounds": "refuse"}, {"mode": "raise"}, "mode='refuse' is now mode='raise'"),
    (strew.embedding_bag_packed, (X, [FAR]), {"bounds": "wrap"}, {"mode": "wrap"}, "bounds is now mode"),
    (strew.run, ("Gather-8", X, FAR), {"axis": 0, "fill": 2}, {"axis": 0, "fill_value": 2}, "fill is now fill_value"),
    (
        lambda *arrays, **how: strew.plan_gather(*arrays, **how)(*arrays),
        (X, FAR),
        {"bounds": "clamp"},
        {"mode": "clip"},
        "bounds is now mode",
    ),
]


@pytest.mark.parametrize(("function", "arrays", "former", "now", "message"), FORMER)
def test_former_words_warn_and_give_the_same(
    function: Callable[..., Any], arrays: Any, former: Any, now: Any, message: str
) -> None:
    with pytest.warns(DeprecationWarning, match=message) as warned:
        found = function(*arrays, **former)
    assert {warning.filename for warning in warned} == {__file__}
    np.testing.assert_array_equal(found, function(*arrays, **now))


def test_former_words_that_a_function_does_not_take() -> None:
    function: Any = strew.scatter
    with pytest.raises(TypeError, match=r"scatter\(\) has no argument 'fill'; it takes data, indices, "):
        function(X, FAR, X, fill=1)
    with pytest.raises(TypeError, match=r"has its argument 'mode' twice"), pytest.warns(DeprecationWarning):
        function(X, FAR, X, mode="drop", bounds="skip")


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_a_warning_that_is_an_error_is_raised() -> None:
    for how in ({"bounds": "wrap"}, {"mode": "skip"}):
        with pytest.raises(DeprecationWarning):
            strew.gather(X, FAR, **how)  # type: ignore[call-overload]


# ---- Lists ----------------------------------------------------------------------------------------------------------


class Wrapped:
    """An object that NumPy can make an array of."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return X


@pytest.mark.parametrize(
    ("call", "right"),
    [
        (lambda: strew.gather(X.tolist(), [2, 0]), X[[2, 0]]),
        (lambda: strew.gather(X, (2, -1)), X[[2, -1]]),
        (lambda: strew.gather(X, 1), X[1]),
        (lambda: strew.gather(X, range(2)), X[:2]),
        (lambda: strew.gather(X, []), X[:0]),
        (lambda: strew.gather(Wrapped(), [0]), X[:1]),
        (lambda: strew.gather(["red", "green"], [1]), np.array(["green"])),
        (lambda: strew.gather_elements([[1, 2], [3, 4]], [[1], [0]], axis=1), np.array([[2], [3]])),
        (lambda: strew.scatter([0, 0, 0], [1, 1], [2, 3], reduction="sum"), np.array([0, 5, 0])),
        (lambda: strew.scatter(X.astype("f4"), [0], [[7, True]]), np.array([[7, 1], [2, 3], [4, 5]], "f4")),
        (lambda: strew.scatter(np.zeros(2, "u1"), [0], [255]), np.array([255, 0], "u1")),
        (lambda: strew.scatter(np.zeros(2, int), [], []), np.zeros(2, int)),
        (lambda: strew.embedding_bag_offsets(X.astype("f4"), [0, 2], [0], [1, 10]), np.array([[40, 51]], "f4")),
        (lambda: strew.embedding_segments(X, [0, 2], [1, 1]), np.array([[0, 0], [4.0, 6.0]])),
        (lambda: strew.gather(X, [9], mode="fill", fill_value=2), np.full((1, 2), 2.0)),
        (lambda: strew.plan_scatter(X, [0], [[1, 2]])(X, [1], [[8, 9]]), np.array([[0, 1], [8, 9.0], [4, 5]])),
        (lambda: strew.plan_gather(X, [0, 0]).inspect([2, 1])(X.tolist()), X[[2, 1]]),
    ],
)
def test_lists_become_arrays(call: Callable[[], Any], right: Any) -> None:
    found = call()
    assert isinstance(found, np.ndarray) and found.dtype == right.dtype
    np.testing.assert_array_equal(found, right)


def test_lists_that_do_not_fit() -> None:
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: strew.gather(X, [0.5]), strew.DtypeError, "indices is float64"),
        (lambda: strew.scatter([0, 0], [0], [0.5]), strew.DtypeError, "updates is float64; int64 is needed"),
        (lambda: strew.scatter(np.zeros(2, "i1"), [0], [300]), strew.ArgumentError, "a number that no element of int8"),
        (lambda: strew.gather([[1], [1, 2]], [0]), ValueError, "inhomogeneous"),
        (lambda: strew.gather(X, [0], out=[0.0, 0.0]), TypeError, "output must be an array .*, not list"),
        (lambda: strew.gather([object()], [0]), TypeError, "data must be an array .*, not list"),
    ]
    for call, kind, message in refused:
        with pytest.raises(kind, match=message):
            call()
