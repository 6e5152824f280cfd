"""The same models with OpenVINO's own CPU kernels and with strew's, turn by turn in one process, as a Markdown table.

    python integrations/openvino/bench/compare.py [--seconds 2] [--threads 1 2] [--filter WORD]

Inputs and outputs are bound once, so that nothing but the inference is timed; results are compared before. A ratio is
OpenVINO's median time over strew's: 2 is twice as fast.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import openvino as ov
import strew_openvino
from openvino import opset15

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "integrations/openvino/tests"), str(ROOT / "python/tests/core")]

from cases import Array, Case  # noqa: E402
from models import graphs  # noqa: E402

LEAST_RUNS = 7


@dataclass(frozen=True)
class Workload:
    what: str
    make: Callable[[np.random.Generator], Case]
    in_place: bool = False  # data and output are bound to the same memory
    made: bool = False  # data are made by another operation of the model, a Relu
    constants: tuple[int, ...] = ()  # the places of inputs that are constants


def numbers(random: np.random.Generator, *shape: int) -> Array:
    return random.standard_normal(shape, np.float32)


def scatter_rows(rows: int, length: int, count: int, reduction: str = "none") -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        indices = random.permutation(rows)[:count, None].astype(np.int32)
        inputs = numbers(random, rows, length), indices, numbers(random, count, length)
        return Case("ScatterNDUpdate-15", inputs, {"reduction": reduction})

    return make


def scatter_elements(rows: int, columns: int, count: int, axis: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        shape = (count, columns) if axis == 0 else (rows, count)
        indices = random.integers(0, (rows, columns)[axis], shape).astype(np.int32)
        inputs = numbers(random, rows, columns), indices, numbers(random, *shape)
        return Case("ScatterElementsUpdate-12", inputs, {"reduction": "sum", "axis": axis})

    return make


def gather_rows(rows: int, length: int, count: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        indices = random.integers(0, rows, (count, 1)).astype(np.int32)
        return Case("GatherND-8", (numbers(random, rows, length), indices))

    return make


def gather(rows: int, columns: int, count: int, axis: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        indices = random.integers(0, (rows, columns)[axis], count).astype(np.int32)
        return Case("Gather-8", (numbers(random, rows, columns), indices), {"axis": axis})

    return make


def scatter_update(rows: int, length: int, count: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        indices = random.permutation(rows)[:count].astype(np.int32)
        return Case("ScatterUpdate-3", (numbers(random, rows, length), indices, numbers(random, count, length)))

    return make


def slice_scatter(rows: int, length: int, step: int) -> Callable[[np.random.Generator], Case]:
    """Every so many rows."""

    def make(random: np.random.Generator) -> Case:
        slices = (np.array([each]) for each in (0, rows, step))
        return Case("SliceScatter-15", (numbers(random, rows, length), numbers(random, rows // step, length), *slices))

    return make


def bags(rows: int, length: int, count: int, size: int) -> Callable[[np.random.Generator], Case]:
    """Bags of `length` rows each."""

    def make(random: np.random.Generator) -> Case:
        indices = random.integers(0, rows, count * size).astype(np.int32)
        begins = np.arange(0, count * size, size).astype(np.int32)
        return Case("EmbeddingBagOffsets-15", (numbers(random, rows, length), indices, begins))

    return make


def segments(rows: int, length: int, count: int, size: int) -> Callable[[np.random.Generator], Case]:
    """The same as sorted segment_ids."""

    def make(random: np.random.Generator) -> Case:
        indices = random.integers(0, rows, count * size).astype(np.int32)
        ids = np.repeat(np.arange(count), size).astype(np.int32)
        inputs = numbers(random, rows, length), indices, ids, np.array(count, np.int32)
        return Case("EmbeddingSegmentsSum-3", inputs)

    return make


def segment_max(rows: int, length: int, size: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        ids = np.repeat(np.arange(rows // size), size).astype(np.int32)
        inputs = numbers(random, rows, length), ids, np.array(rows // size, np.int32)
        return Case("SegmentMax-16", inputs, {"fill_mode": "ZERO"})

    return make


def gather_elements(rows: int, columns: int, count: int, axis: int) -> Callable[[np.random.Generator], Case]:
    def make(random: np.random.Generator) -> Case:
        shape = (count, columns) if axis == 0 else (rows, count)
        indices = random.integers(0, (rows, columns)[axis], shape).astype(np.int32)
        return Case("GatherElements-6", (numbers(random, rows, columns), indices), {"axis": axis})

    return make


WORKLOADS = [
    Workload("ScatterNDUpdate, [16, 4], 3 rows: a tiny call", scatter_rows(16, 4, 3)),
    Workload("GatherND, [16, 4], 3 rows: a tiny call", gather_rows(16, 4, 3)),
    Workload("ScatterNDUpdate, [65536, 64], 4,096 rows", scatter_rows(65536, 64, 4096)),
    Workload("ScatterNDUpdate, [65536, 64], 4,096 rows, sum", scatter_rows(65536, 64, 4096, "sum")),
    Workload("ScatterNDUpdate, 64 MiB, 3 rows", scatter_rows(262144, 64, 3)),
    Workload("ScatterNDUpdate, 64 MiB, 3 rows, bound in place", scatter_rows(262144, 64, 3), in_place=True),
    Workload("ScatterNDUpdate, 64 MiB that a Relu makes, 3 rows", scatter_rows(262144, 64, 3), made=True),
    Workload(
        "ScatterNDUpdate, 64 MiB, 65,536 rows, sum, in place", scatter_rows(262144, 64, 65536, "sum"), in_place=True
    ),
    Workload("ScatterElementsUpdate, [4096, 256] by [4096, 256], sum, axis 0", scatter_elements(4096, 256, 4096, 0)),
    Workload("ScatterElementsUpdate, [256, 4096] by [256, 4096], sum, axis 1", scatter_elements(256, 4096, 4096, 1)),
    Workload("GatherND, [65536, 64], 65,536 rows", gather_rows(65536, 64, 65536)),
    Workload("GatherND, [1048576, 1], 1,048,576 rows", gather_rows(1048576, 1, 1048576)),
    Workload("Gather, [16, 4], 3 rows: a tiny call", gather(16, 4, 3, 0)),
    Workload("Gather, [30522, 768], 1,024 rows", gather(30522, 768, 1024, 0)),
    Workload("Gather, [1048576, 1], 1,048,576 rows", gather(1048576, 1, 1048576, 0)),
    Workload("Gather, [4096, 1024], 512 columns", gather(4096, 1024, 512, 1)),
    Workload("ScatterUpdate, [65536, 64], 4,096 rows", scatter_update(65536, 64, 4096)),
    Workload("SliceScatter, [65536, 64], every 16th row", slice_scatter(65536, 64, 16), constants=(2, 3, 4)),
    Workload("SliceScatter, 64 MiB, 4 rows, bound in place", slice_scatter(2**18, 64, 2**16), True, constants=(2, 3, 4)),
    Workload("EmbeddingBagOffsets, [5000, 64], 50,000 bags of 4", bags(5000, 64, 50000, 4)),
    Workload("EmbeddingBagOffsets, [1000000, 64], 50,000 bags of 20", bags(1000000, 64, 50000, 20)),
    Workload("EmbeddingSegmentsSum, [5000, 64], 2,000 of 4", segments(5000, 64, 2000, 4), constants=(3,)),
    Workload("SegmentMax, [200000, 64], 50,000 of 4", segment_max(200000, 64, 4), constants=(2,)),
    Workload("GatherElements, [4096, 1024] by [4096, 1024], axis 0", gather_elements(4096, 1024, 4096, 0)),
    Workload("GatherElements, [4096, 1024] by [4096, 1024], axis 1", gather_elements(4096, 1024, 1024, 1)),
]


def model_of(workload: Workload) -> tuple[ov.Model, list[Array]]:
    model, inputs = graphs.model_of([workload.make(np.random.default_rng(1))], workload.constants)
    if workload.made:
        data = model.parameters[0].output(0)
        readers = data.get_target_inputs()
        relu = opset15.relu(data)
        for reader in readers:
            reader.replace_source_output(relu.output(0))
    return model, inputs


def bound(model: ov.Model, inputs: list[Array], threads: int, in_place: bool) -> tuple[ov.InferRequest, list[Array]]:
    """A request, and the arrays that it reads and writes, which must outlive it."""
    request = graphs.compiled(model, threads).create_infer_request()
    arrays = [array.copy() for array in inputs]
    for place, array in enumerate(arrays):
        request.set_input_tensor(place, ov.Tensor(array, shared_memory=True))
    arrays.append(arrays[0] if in_place else np.empty(model.outputs[0].shape, inputs[0].dtype))
    request.set_output_tensor(0, ov.Tensor(arrays[-1], shared_memory=True))
    return request, arrays


def timed(request: ov.InferRequest) -> float:
    start = time.perf_counter()
    request.infer(share_outputs=True)  # without it Python is given a copy of the outputs
    return time.perf_counter() - start


def measure(workload: Workload, threads: int, seconds: float) -> tuple[float, float]:
    """Medians of OpenVINO's time and strew's, in seconds."""
    model, inputs = model_of(workload)
    native, arrays = bound(model, inputs, threads, workload.in_place)
    strew, others = bound(graphs.replaced(model), inputs, threads, workload.in_place)
    before = strew_openvino.calls()
    native.infer()
    strew.infer()
    if strew_openvino.calls() != before + 1 or not graphs.same_bits(others[-1], arrays[-1]):
        raise RuntimeError(f"{workload.what}: with and without strew, results differ")
    times: list[tuple[float, float]] = []
    end = time.perf_counter() + seconds
    while len(times) < LEAST_RUNS or time.perf_counter() < end:
        times.append((timed(native), timed(strew)))
    return statistics.median(time for time, _ in times), statistics.median(time for _, time in times)


def unit(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} us" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2, help="for each workload and number of threads")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--filter", default="", help="workloads whose names have this in them")
    arguments = parser.parse_args()

    print(f"OpenVINO {ov.__version__}; ratios are OpenVINO's time over strew's\n")
    print("| call |" + "".join(f" OpenVINO, {threads} | strew, {threads} | ratio |" for threads in arguments.threads))
    print("|---|" + "---|" * 3 * len(arguments.threads))
    for workload in WORKLOADS:
        if arguments.filter not in workload.what:
            continue
        cells = []
        for threads in arguments.threads:
            native, strew = measure(workload, threads, arguments.seconds)
            cells += [unit(native), unit(strew), f"{native / strew:.2f}"]
        print(f"| {workload.what} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
