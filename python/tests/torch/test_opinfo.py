"""PyTorch's own samples and error samples of its operators, with strew underneath.

Results must equal those of PyTorch's own kernels, errors by class and text; and strew's counts must show that strew
ran.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

import strew.torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

# OpInfo's name, and the operators that strew must have taken over while its samples ran.
OPERATORS = {
    "gather": "gather",
    "scatter": "scatter.src",
    "scatter_add": "scatter_add",
    "scatter_reduce.sum": "scatter_reduce.two",
    "scatter_reduce.prod": "scatter_reduce.two",
    "scatter_reduce.mean": "scatter_reduce.two",
    "scatter_reduce.amax": "scatter_reduce.two",
    "scatter_reduce.amin": "scatter_reduce.two",
    "index_copy": "index_copy",
    "index_select": "index_select",
    "__getitem__": "index.Tensor",
    "index_put": "_index_put_impl_",
    "take_along_dim": "gather",
    "nn.functional.embedding": "index_select",
}

OPINFOS = {
    name: info
    for info in op_db
    if (name := f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name) in OPERATORS
}
CASES = [
    pytest.param(info, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")
    for name, info in OPINFOS.items()
    for dtype in sorted(info.supported_dtypes("cpu"), key=str)
]
FLOATS = [pytest.param(name, id=name) for name in OPINFOS]

# PyTorch's sums of halves are rounded in another order than strew's, which rounds once per step.
TOLERANCE = {torch.float16: {"rtol": 1e-2, "atol": 1e-2}, torch.bfloat16: {"rtol": 5e-2, "atol": 5e-2}}
MOVES = {"gather", "index_copy", "index_select", "__getitem__", "take_along_dim", "nn.functional.embedding"}


def test_every_operator_has_its_samples():
    assert OPINFOS.keys() == OPERATORS.keys()


def name_of(info: Any) -> str:
    return f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name


def copy(value: Any) -> Any:
    """Arguments of their own for a call that may write them."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone(memory_format=torch.preserve_format)
    if isinstance(value, (list, tuple)):
        return type(value)(copy(item) for item in value)
    return value


def outcome(function: Callable[..., Any], sample: Any) -> Any:
    """The result of a call, or class and text of its error."""
    named = {name: copy(value) for name, value in sample.kwargs.items()}
    try:
        return function(copy(sample.input), *copy(sample.args), **named)
    except Exception as error:
        return type(error), str(error)


def same(expected: Any, actual: Any, exact: bool) -> None:
    if isinstance(expected, tuple):
        assert actual == expected
        return
    assert isinstance(actual, torch.Tensor), actual
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    moving = [d for d in range(actual.ndim) if actual.shape[d] > 1]
    assert [actual.stride(d) for d in moving] == [expected.stride(d) for d in moving] or expected.numel() == 0
    tolerance = {"rtol": 0.0, "atol": 0.0} if exact else TOLERANCE.get(expected.dtype, {})
    torch.testing.assert_close(actual, expected, equal_nan=True, **tolerance)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def function_of(info: Any) -> Callable[..., Any]:
    """PyTorch's own function: torch_geometric puts one of its own in the place of torch.index_select."""
    return getattr(torch._C._VariableFunctions, info.name, info.op)


def functions_of(info: Any) -> list[Callable[..., Any]]:
    return [form for form in (function_of(info), info.inplace_variant) if form is not None]


@pytest.mark.parametrize("info, dtype", CASES)
def test_samples(info, dtype):
    exact = name_of(info) in MOVES or not (dtype.is_floating_point or dtype.is_complex)
    for function in functions_of(info):
        samples = list(info.sample_inputs("cpu", dtype)) + list(info.reference_inputs("cpu", dtype))
        expected = [outcome(function, sample) for sample in samples]
        with strew.torch.enabled(exact=True):
            strew.torch.report(reset=True)
            actual = [outcome(function, sample) for sample in samples]
            report = strew.torch.report()
        for before, after in zip(expected, actual):
            same(before, after, exact)
    if dtype not in (torch.complex32, torch.float8_e4m3fn):
        assert sum(report.taken.values()) > 0, str(report)


@pytest.mark.parametrize("name, operators", [pytest.param(*item, id=item[0]) for item in OPERATORS.items()])
def test_strew_ran(name, operators):
    info = OPINFOS[name]
    with strew.torch.enabled(exact=True):
        strew.torch.report(reset=True)
        for sample in info.sample_inputs("cpu", torch.float32):
            outcome(function_of(info), sample)
        report = strew.torch.report()
    assert report.taken.keys() >= set(operators.split()), str(report)


@pytest.mark.parametrize("name", FLOATS)
def test_error_samples(name):
    info = OPINFOS[name]
    if info.error_inputs_func is None:
        pytest.skip("PyTorch has none")
    found = list(info.error_inputs("cpu"))
    for case in found:
        for function in functions_of(info):
            expected = outcome(function, case.sample_input)
            with strew.torch.enabled(exact=True):
                assert outcome(function, case.sample_input) == expected if isinstance(expected, tuple) else True
    assert found


@pytest.mark.parametrize("name", FLOATS)
def test_out(name):
    info = OPINFOS[name]
    if not info.supports_out:
        pytest.skip("PyTorch has no out= for it")
    for sample in info.sample_inputs("cpu", torch.float64):
        expected = function_of(info)(copy(sample.input), *copy(sample.args), **sample.kwargs)
        outs = [torch.full_like(expected, 7), torch.empty(0, dtype=expected.dtype)]
        if expected.ndim > 1:
            outs.append(torch.full_like(expected.mT.contiguous(), 7).mT)
        with strew.torch.enabled(exact=True):
            for out in outs:
                result = function_of(info)(copy(sample.input), *copy(sample.args), out=out, **sample.kwargs)
                assert result is out
                torch.testing.assert_close(out, expected)


def differentiable(info: Any) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """A function of each sample's differentiable tensors alone, and they, in float64."""
    for sample in info.sample_inputs("cpu", torch.float64, requires_grad=True):
        values = [sample.input, *sample.args]
        places = [p for p, v in enumerate(values) if isinstance(v, torch.Tensor) and v.requires_grad]
        if not places or all(values[p].numel() == 0 for p in places):
            continue

        def function(*tensors: Any, values=values, places=places, sample=sample) -> Any:
            filled = list(values)
            for place, tensor in zip(places, tensors):
                filled[place] = tensor
            result = function_of(info)(*filled, **sample.kwargs)
            return sample.output_process_fn_grad(result)

        yield function, tuple(values[p] for p in places)


def jvp(function: Callable[..., Any], tensors: tuple[Any, ...]) -> Any:
    generator = torch.Generator().manual_seed(7)
    values = tuple(t.detach() for t in tensors)
    tangents = tuple(torch.randn(t.shape, dtype=t.dtype, generator=generator) for t in values)
    return torch.func.jvp(function, values, tangents)


def vmap(function: Callable[..., Any], tensors: tuple[Any, ...]) -> Any:
    stacked = tuple(torch.stack([t.detach(), t.detach() * 2, t.detach() - 1]) for t in tensors)
    return torch.func.vmap(function)(*stacked)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("way", [jvp, vmap])
def test_transforms(name, way):
    for function, tensors in differentiable(OPINFOS[name]):
        try:
            expected = way(function, tensors)
        except Exception as error:
            expected = error
        with strew.torch.enabled(exact=True):
            if isinstance(expected, Exception):
                with pytest.raises(type(expected)):
                    way(function, tensors)
            else:
                torch.testing.assert_close(way(function, tensors), expected)


@pytest.mark.parametrize("name", FLOATS)
def test_gradients(name):
    info = OPINFOS[name]
    options = {"check_batched_grad": False, "nondet_tol": 0.0, "fast_mode": True}
    with strew.torch.enabled(exact=True):
        strew.torch.report(reset=True)
        for function, tensors in differentiable(info):
            assert torch.autograd.gradcheck(function, tensors, **options)
            if info.supports_gradgrad:
                assert torch.autograd.gradgradcheck(function, tensors, **options)
        report = strew.torch.report()
    assert sum(report.taken.values()) > 0, str(report)
