"""OpenVINO's threads and streams: the same bits for any number of them, and no state between calls."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import openvino as ov
import pytest

import oracle
import strew_openvino
from cases import Case, Counted, as_array, assert_same, infer, is_replacement, make_model, replaced, tensor


def large(reduction: str = "sum", dtype: str = "float32") -> Case:
    """Large enough to be shared, with sums that depend on their order."""
    random = np.random.default_rng(11)
    data = (random.standard_normal((3000, 32)) * 100).astype(dtype)
    indices = random.integers(-3000, 3000, (20000, 1))
    updates = (random.standard_normal((20000, 32)) * 100).astype(dtype)
    return Case("ScatterNDUpdate-15", (data, indices, updates), {"reduction": reduction})


def elements(reduction: str) -> Case:
    random = np.random.default_rng(13)
    data = random.standard_normal((2000, 40)).astype(np.float32)
    indices = random.integers(-2000, 2000, (9000, 40))
    updates = random.standard_normal((9000, 40)).astype(np.float32)
    return Case("ScatterElementsUpdate-12", (data, indices, updates), {"axis": 0, "reduction": reduction})


def by_rows(case: Case) -> Any:
    """The sum of `large`, row by row."""
    out = case.arrays[0].copy()
    for (row,), update in zip(case.arrays[1], case.arrays[2]):
        out[row] += update
    return out


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_any_number_of_threads(core: ov.Core, threads: int) -> None:
    case = large()
    settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1}
    with Counted(1):
        (result,) = infer(core.compile_model(replaced(make_model(case)), "CPU", settings), case.arrays)
    assert_same(result, by_rows(case))


@pytest.mark.parametrize("make", [lambda: large("prod"), lambda: elements("mean"), lambda: elements("sum")])
def test_threads_agree(core: ov.Core, make: Any) -> None:
    case = make()
    results = []
    for threads, hint in ((1, "LATENCY"), (2, "LATENCY"), (2, "THROUGHPUT")):
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": hint}
        compiled = core.compile_model(replaced(make_model(case)), "CPU", settings)
        results += [infer(compiled, case.arrays)[0] for _ in range(3)]
    for result in results[1:]:
        assert_same(result, results[0])


@pytest.mark.parametrize("streams", [1, 2, 4])
def test_a_queue_of_requests(core: ov.Core, streams: int) -> None:
    """One node serves all streams at once."""
    random = np.random.default_rng(17)
    case = elements("mean")
    settings = {"NUM_STREAMS": streams}
    compiled = core.compile_model(replaced(make_model(case)), "CPU", settings)
    data, indices, updates = case.arrays
    jobs = [np.roll(indices, shift, 0) for shift in random.integers(0, 9000, 6)]
    expected = [infer(compiled, [data, job, updates])[0] for job in jobs]
    queue = ov.AsyncInferQueue(compiled, 4)
    found: dict[int, Any] = {}

    def keep(request: ov.InferRequest, job: int) -> None:
        found[job] = as_array(request.get_output_tensor())

    queue.set_callback(keep)
    with Counted(24):
        for job in range(24):
            queue.start_async([data, jobs[job % 6], updates], job)
        queue.wait_all()
    for job in range(24):
        assert_same(found[job], expected[job % 6])


def test_requests_of_several_python_threads(core: ov.Core) -> None:
    case = large()
    expected = by_rows(case)
    compiled = core.compile_model(replaced(make_model(case)), "CPU", {"NUM_STREAMS": 2})
    with ThreadPoolExecutor(4) as pool, Counted(12):
        results = list(pool.map(lambda _: infer(compiled, case.arrays)[0], range(12)))
    for result in results:
        assert_same(result, expected)


def test_replace_in_several_threads(core: ov.Core) -> None:
    case = Case("GatherND-8", (np.arange(6.0), np.array([[1], [-1]])))
    failures: list[Exception] = []

    def work() -> None:
        try:
            for _ in range(10):
                compiled = core.compile_model(replaced(make_model(case)), "CPU")
                assert_same(infer(compiled, case.arrays)[0], case.expected())
        except Exception as error:  # pylint: disable=broad-except
            failures.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


def test_an_error_in_one_request_is_not_in_another(core: ov.Core) -> None:
    data = np.arange(6.0, dtype=np.float32)
    case = Case("GatherND-8", (data, np.array([[1], [-1]])))
    compiled = core.compile_model(replaced(make_model(case)), "CPU", {"NUM_STREAMS": 2})
    good, bad = compiled.create_infer_request(), compiled.create_infer_request()
    for _ in range(20):
        bad.start_async([data, np.array([[1], [6]])])
        good.start_async([data, np.array([[1], [-1]])])
        good.wait()
        with pytest.raises(RuntimeError, match=r"indices\[1\]\[0\] is 6"):
            bad.wait()
        assert as_array(good.get_output_tensor()).tolist() == [1, 5]


def test_output_and_input_may_be_one_tensor(core: ov.Core) -> None:
    data, indices, updates = np.arange(12.0).reshape(4, 3), np.array([[1], [-1]]), np.ones((2, 3))
    case = Case("ScatterNDUpdate-15", (data, indices, updates), {"reduction": "sum"})
    request = core.compile_model(replaced(make_model(case)), "CPU").create_infer_request()
    table = ov.Tensor(data.copy())
    request.set_input_tensor(0, table)
    request.set_input_tensor(1, tensor(indices))
    request.set_input_tensor(2, tensor(updates))
    request.set_output_tensor(table)
    expected = data
    for _ in range(3):
        request.infer()
        expected = oracle.scatter_nd(expected, indices, updates, "sum")
        assert_same(np.array(table.data), expected)


@pytest.mark.parametrize("offset", [1, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "int64", "float64"])
def test_memory_of_any_alignment(core: ov.Core, dtype: str, offset: int) -> None:
    def unaligned(array: Any) -> ov.Tensor:
        memory = np.zeros(array.nbytes + 64, np.uint8)
        begin = -memory.ctypes.data % 64 + offset
        view = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
        view[...] = array
        return ov.Tensor(view, shared_memory=True)

    random = np.random.default_rng(19)
    data, updates = random.integers(0, 99, (50, 3)).astype(dtype), random.integers(0, 99, (70, 3)).astype(dtype)
    case = Case("ScatterNDUpdate-15", (data, random.integers(-50, 50, (70, 1)), updates), {"reduction": "sum"})
    request = core.compile_model(replaced(make_model(case)), "CPU").create_infer_request()
    inputs = [unaligned(array) for array in case.arrays]
    for position, given in enumerate(inputs):
        request.set_input_tensor(position, given)
    output = unaligned(np.zeros_like(data))
    request.set_output_tensor(output)
    request.infer()
    assert_same(np.array(output.data), case.expected())


def operation_of(case: Case) -> ov.Node:
    (operation,) = filter(is_replacement, replaced(make_model(case)).get_ops())
    return operation


def part_of(array: Any, shape: Sequence[int]) -> ov.Tensor:
    """A tensor of this shape in the middle of a larger one."""
    whole = ov.Tensor(np.full([size + 3 for size in shape], 99, array.dtype))
    part = ov.Tensor(whole, [1] * len(shape), [size + 1 for size in shape])
    if array.shape == tuple(shape):
        np.array(part.data, copy=False)[...] = array
    return part


@pytest.mark.parametrize("version", ["ScatterNDUpdate-15", "GatherND-5", "GatherND-8"])
def test_tensors_with_strides(version: str) -> None:
    random = np.random.default_rng(23)
    data = random.integers(0, 50, (3, 2, 4, 5)).astype(np.float32)
    if version.startswith("Gather"):
        case = Case(version, (data, random.integers(-4, 4, (3, 2, 6, 1))), {"batch_dims": 2})
    else:
        arrays = (data, random.integers(-2, 2, (7, 2)), random.integers(0, 9, (7, 4, 5)).astype(np.float32))
        case = Case(version, arrays, {"reduction": "sum"})
    expected = case.expected()
    inputs = [part_of(array, array.shape) for array in case.arrays]
    target = part_of(expected, expected.shape)
    np.array(target.data, copy=False)[...] = -1
    with Counted(1):
        assert operation_of(case).evaluate([target], inputs)
    assert_same(np.array(target.data), expected)


def test_calls_only_grow() -> None:
    before = strew_openvino.calls()
    assert before == strew_openvino.calls() >= 0
