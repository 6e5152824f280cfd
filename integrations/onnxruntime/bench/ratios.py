"""Times of models on ONNX Runtime's own kernels, on strew's execution provider and on strew's custom operators.

    python bench/ratios.py [--threads 1 2] [--only PATTERN] [--rounds 15]

The three sessions of a case run in turns in one process, and a time is the least of its rounds: other programs only add
to it. A ratio is the native time over strew's: 2.0x is twice as fast. Results are compared, bit for bit: "differs" stands
where the native result is another than strew's, which the first run checks against plain NumPy where that is quick.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper

import strew_onnxruntime

Array = NDArray[Any]
TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "float16": TensorProto.FLOAT16}
MEBIBYTE = 2**20


@dataclass
class Case:
    """A model and its inputs. is_bound: data and output are one tensor of the user's, bound to both."""

    name: str
    nodes: list[onnx.NodeProto]
    feeds: dict[str, Array]
    is_bound: bool = False

    def model(self) -> onnx.ModelProto:
        inputs = [
            helper.make_tensor_value_info(name, TYPES[str(array.dtype)], array.shape)
            for name, array in self.feeds.items()
        ]
        output = helper.make_tensor_value_info("output", TYPES[str(self.feeds["data"].dtype)], None)
        graph = helper.make_graph(self.nodes, "bench", inputs, [output])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


# ---- Cases -----------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(17)


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape, np.float32)


def node(kind: str, data: str = "data", output: str = "output", **attributes: Any) -> onnx.NodeProto:
    names = [data, "indices"] + (["updates"] if kind.startswith("Scatter") else [])
    return helper.make_node(kind, names, [output], **attributes)


def rows(total: int, width: int, count: int) -> dict[str, Array]:
    """Rows of a table that are named by index."""
    return {"data": floats(total, width), "indices": RNG.integers(0, total, (count, 1)), "updates": floats(count, width)}


def tiny() -> Case:
    return Case("tiny: ScatterND of 2 rows of [4, 3]", [node("ScatterND")], rows(4, 3, 2))


def bound() -> Case:
    name = "ScatterND of 800 rows into 146 MiB, one tensor bound as data and output"
    return Case(name, [node("ScatterND")], rows(600_000, 64, 800), is_bound=True)


def chain() -> Case:
    nodes = [helper.make_node("Neg", ["data"], ["a0"])]
    nodes += [node("ScatterND", f"a{i}", f"a{i + 1}", reduction="add") for i in range(3)]
    nodes.append(helper.make_node("ReduceMax", ["a3"], ["output"]))
    return Case("Neg of 64 MiB, 3 sums of 4,096 rows into it, ReduceMax", nodes, rows(262_144, 64, 4096))


def outer() -> Case:
    nodes = [node("ScatterND", reduction="add")]
    return Case("ScatterND sum of 4,096 rows, input and output of 16 MiB", nodes, rows(65_536, 64, 4096))


def zipf() -> Case:
    feeds = rows(10_000, 64, 200_000)
    feeds["indices"] = np.minimum(RNG.zipf(1.3, (200_000, 1)), 10_000) - 1
    return Case("ScatterND sum of 200,000 rows of 64, Zipf", [node("ScatterND", reduction="add")], feeds)


def issue_28584() -> Case:
    edges = RNG.integers(0, 556_416, 481_385)
    feeds = {
        "data": np.zeros((556_416, 80), np.float32),
        "indices": np.repeat(edges[:, None], 80, axis=1),
        "updates": floats(481_385, 80),
    }
    return Case("issue 28584: ScatterElements sum [481385, 80]", [node("ScatterElements", reduction="add")], feeds)


def elements() -> Case:
    count = 4 * MEBIBYTE
    feeds = {"data": floats(count), "indices": RNG.integers(0, count, count), "updates": floats(count)}
    return Case("ScatterElements sum of 4 Mi single elements", [node("ScatterElements", reduction="add")], feeds)


def assigned() -> Case:
    feeds = {"data": floats(1024, 4096), "indices": RNG.integers(0, 4096, (1024, 512)), "updates": floats(1024, 512)}
    return Case("ScatterElements [1024, 512] into [1024, 4096], axis 1", [node("ScatterElements", axis=1)], feeds)


def picked() -> Case:
    feeds = {"data": floats(1024, 4096), "indices": RNG.integers(0, 4096, (1024, 4096))}
    return Case("GatherElements [1024, 4096], axis 1", [node("GatherElements", axis=1)], feeds)


def embedded() -> Case:
    feeds = {"data": floats(65_536, 64), "indices": RNG.integers(0, 65_536, (65_536, 1))}
    return Case("GatherND of 65,536 rows of 64", [node("GatherND")], feeds)


def tuples() -> Case:
    feeds = {"data": floats(1024, 1024), "indices": RNG.integers(0, 1024, (1_000_000, 2))}
    return Case("GatherND of 1,000,000 single elements", [node("GatherND")], feeds)


CASES: list[Callable[[], Case]] = [
    tiny,
    bound,
    chain,
    outer,
    zipf,
    issue_28584,
    elements,
    assigned,
    picked,
    embedded,
    tuples,
]


# ---- Sessions --------------------------------------------------------------------------------------------------------


def options(threads: int) -> onnxruntime.SessionOptions:
    chosen = onnxruntime.SessionOptions()
    chosen.intra_op_num_threads = threads
    chosen.log_severity_level = 3
    chosen.add_session_config_entry("session.force_spinning_stop", "1")  # or the threads of one disturb the others' runs
    return chosen


def sessions(case: Case, threads: int) -> dict[str, onnxruntime.InferenceSession]:
    """Native, provider and custom operators."""
    model = case.model()
    custom = options(threads)
    custom.register_custom_ops_library(strew_onnxruntime.library_path())
    made = {"native": onnxruntime.InferenceSession(model.SerializeToString(), options(threads))}
    if strew_onnxruntime.has_provider():
        with_provider = strew_onnxruntime.session_options(options(threads))
        made["provider"] = onnxruntime.InferenceSession(model.SerializeToString(), with_provider)
    made["custom"] = onnxruntime.InferenceSession(strew_onnxruntime.convert(model).SerializeToString(), custom)
    return made


def runner(case: Case, session: onnxruntime.InferenceSession) -> Callable[[], Array]:
    """A run, and its output."""
    if not case.is_bound:
        return lambda: session.run(None, case.feeds)[0]
    binding = session.io_binding()
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array.copy()) for name, array in case.feeds.items()}
    for name, value in values.items():
        binding.bind_ortvalue_input(name, value)
    binding.bind_ortvalue_output("output", values["data"])

    def run() -> Array:
        session.run_with_iobinding(binding)
        return values["data"].numpy()

    return run


def measure(run: Callable[[], Array], least: float = 2e-3) -> float:
    """Seconds of a run; of short ones the mean of several."""
    times, start = 0, time.perf_counter()
    while True:
        run()
        times += 1
        passed = time.perf_counter() - start
        if passed > least:
            return passed / times


def times(case: Case, threads: int, rounds: int) -> tuple[dict[str, float], bool]:
    """The least time of each session, and whether the native result has strew's bits."""
    runs = {name: runner(case, session) for name, session in sessions(case, threads).items()}
    before = strew_onnxruntime.runs()
    results = {name: run().tobytes() for name, run in runs.items()}
    if strew_onnxruntime.runs() == before:
        raise SystemExit(f"{case.name}: strew did not run")
    same = all(result == results["custom"] for result in results.values())
    least = {name: float("inf") for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            least[name] = min(least[name], measure(run))
    return least, same


def shown(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-4 else f"{1e6 * seconds:.1f} us"


def lines(threads: list[int], only: str, rounds: int) -> Iterator[str]:
    yield "| model | threads | native | provider | | custom operators | | native result |"
    yield "|---|---|---|---|---|---|---|---|"
    for make in CASES:
        if not re.search(only, make.__name__):
            continue
        case = make()
        for count in threads:
            least, same = times(case, count, rounds)
            cells = [case.name, str(count), shown(least["native"])]
            for way in ("provider", "custom"):
                known = way in least
                cells += [shown(least[way]), f"{least['native'] / least[way]:.2f}x"] if known else ["", ""]
            yield f"| {' | '.join(cells)} | {'same bits' if same else 'differs'} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of the runtime's pool")
    parser.add_argument("--only", default="", help="a pattern that the function of a case matches")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    for line in lines(arguments.threads, arguments.only, arguments.rounds):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
