"""Times of models on ONNX Runtime's own kernels, on strew's execution provider and on strew's custom operators.

    python bench/ratios.py [--threads 1 2] [--only PATTERN] [--rounds 15]

The three sessions of a case run in turns in one process, and a time is the least of its rounds: other programs only add
to it. A ratio is the native time over strew's: 2 is twice as fast. Results are compared bit for bit. "differs" means that
the native result is not that of strew, whose two ways must agree. For a model with other nodes around its scatters there
is one more row with the scatters alone, from the runtime's profile.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

import strew_onnxruntime

Array = NDArray[Any]
TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "float16": TensorProto.FLOAT16}
MEBIBYTE = 2**20


@dataclass
class Case:
    """A model and its inputs. is_bound: one tensor of the user's is bound as data and output. is_profiled: only the
    scatters are timed, not the nodes around them."""

    name: str
    nodes: list[onnx.NodeProto]
    feeds: dict[str, Array]
    is_bound: bool = False
    is_profiled: bool = False
    constants: dict[str, Array] = field(default_factory=dict)

    def model(self) -> onnx.ModelProto:
        inputs = [
            helper.make_tensor_value_info(name, TYPES[str(array.dtype)], array.shape)
            for name, array in self.feeds.items()
        ]
        output = helper.make_tensor_value_info("output", TYPES[str(self.feeds["data"].dtype)], None)
        initializers = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "bench", inputs, [output], initializers)
        opset = 24 if any(each.op_type == "TensorScatter" for each in self.nodes) else 18
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


# ---- Cases -----------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(17)


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape, np.float32)


def node(kind: str, data: str = "data", output: str = "output", **attributes: Any) -> onnx.NodeProto:
    names = [data, "indices"] + (["updates"] if kind.startswith("Scatter") else [])
    return helper.make_node(kind, names, [output], **attributes)


def rows(total: int, width: int, count: int) -> dict[str, Array]:
    """Rows of a table that are named by index."""
    return {
        "data": floats(total, width),
        "indices": RNG.integers(0, total, (count, 1)),
        "updates": floats(count, width),
    }


def tiny() -> Case:
    return Case("tiny: ScatterND of 2 rows of [4, 3]", [node("ScatterND")], rows(4, 3, 2))


def bound() -> Case:
    name = "ScatterND of 800 rows into 146 MiB, one tensor bound as data and output"
    return Case(name, [node("ScatterND")], rows(600_000, 64, 800), is_bound=True)


def chain() -> Case:
    """Between other nodes, tensors are the runtime's own: each scatter may write over the one before."""
    nodes = [helper.make_node("Neg", ["data"], ["a0"])]
    nodes += [node("ScatterND", f"a{i}", f"a{i + 1}", reduction="add") for i in range(3)]
    nodes.append(helper.make_node("ReduceMax", ["a3"], ["output"]))
    return Case(
        "Neg of 146 MiB, 3 sums of 800 rows into it, ReduceMax", nodes, rows(600_000, 64, 800), is_profiled=True
    )


def outer() -> Case:
    nodes = [node("ScatterND", reduction="add")]
    return Case("ScatterND sum of 4,096 rows, input and output of 16 MiB", nodes, rows(65_536, 64, 4096))


def zipf() -> Case:
    feeds = rows(10_000, 64, 200_000)
    feeds["indices"] = np.minimum(RNG.zipf(1.3, (200_000, 1)), 10_000) - 1
    return Case("ScatterND sum of 200,000 rows of 64, Zipf", [node("ScatterND", reduction="add")], feeds)


def issue_28584() -> Case:
    edges = RNG.integers(0, 556_416, 481_385)
    feeds: dict[str, Array] = {
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


def with_constant_indices(case: Case) -> Case:
    case.name += ", which are constant"
    case.constants["indices"] = case.feeds.pop("indices")
    return case


def constant_tuples() -> Case:
    return with_constant_indices(tuples())


def triples() -> Case:
    feeds = {"data": floats(64, 64, 64), "indices": RNG.integers(0, 64, (100_000, 3)), "updates": floats(100_000)}
    return Case("ScatterND sum of 100,000 elements by tuples of 3", [node("ScatterND", reduction="add")], feeds)


def constant_triples() -> Case:
    return with_constant_indices(triples())


def token() -> Case:
    """A window of one token into each sequence of a cache."""
    feeds = {"data": floats(8, 16, 1024, 128), "updates": floats(8, 16, 1, 128), "indices": RNG.integers(0, 1024, 8)}
    written = helper.make_node("TensorScatter", list(feeds), ["output"], mode="circular")
    return Case("TensorScatter of a token into 64 MiB", [written], feeds)


def bound_token() -> Case:
    case = token()
    case.name += ", one tensor bound as data and output"
    case.is_bound = True
    return case


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
    constant_tuples,
    triples,
    constant_triples,
    token,
    bound_token,
]


# ---- Sessions --------------------------------------------------------------------------------------------------------


def options(threads: int) -> onnxruntime.SessionOptions:
    chosen = onnxruntime.SessionOptions()
    chosen.intra_op_num_threads = threads
    chosen.log_severity_level = 3
    chosen.add_session_config_entry(
        "session.force_spinning_stop", "1"
    )  # or the threads of one disturb the others' runs
    return chosen


Sessions = dict[str, onnxruntime.InferenceSession]


def sessions(case: Case, threads: int, folder: str = "") -> Sessions:
    """Native, provider and custom operators; with a folder, ones that write profiles into it."""
    model = case.model()
    chosen = {"native": options(threads), "provider": options(threads), "custom": options(threads)}
    if strew_onnxruntime.has_provider():
        strew_onnxruntime.session_options(chosen["provider"], exact=True)
    else:
        del chosen["provider"]
    chosen["custom"].register_custom_ops_library(strew_onnxruntime.extension_path())
    sources = {way: model for way in chosen} | {"custom": strew_onnxruntime.convert(model, exact=True)}
    for way, each in chosen.items():
        each.enable_profiling = bool(folder)
        each.profile_file_prefix = str(Path(folder) / way)
    return {
        way: onnxruntime.InferenceSession(sources[way].SerializeToString(), each, providers=each_provider(way))
        for way, each in chosen.items()
    }


def each_provider(way: str) -> list[str] | None:
    """The provider that is asked for; strew's own is in the options."""
    return None if way == "provider" else ["CPUExecutionProvider"]


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
        output: Array = values["data"].numpy()
        return output

    return run


def measure(run: Callable[[], Array], least: float = 2e-3) -> float:
    """The seconds of a run; for short runs the mean of several."""
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
    if results.get("provider", results["custom"]) != results["custom"]:
        raise SystemExit(f"{case.name}: the two ways differ")
    same = results["native"] == results["custom"]
    least = {name: float("inf") for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            least[name] = min(least[name], measure(run))
    return least, same


def profiled(case: Case, threads: int, rounds: int) -> dict[str, float]:
    """The least time of all scatters of a run, from the runtime's profile."""
    least = {}
    with tempfile.TemporaryDirectory() as folder:
        made = sessions(case, threads, folder)
        for _ in range(rounds):
            for session in made.values():
                session.run(None, case.feeds)
        for way, session in made.items():
            events = json.loads(Path(session.end_profiling()).read_text())
            durations = [
                event["dur"] for event in events if event.get("args", {}).get("op_name", "").startswith("Scatter")
            ]
            count = len(durations) // rounds
            least[way] = min(sum(durations[at : at + count]) for at in range(0, len(durations), count)) / 1e6
    return least


def shown(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.1f} us"


def line(name: str, threads: int, least: dict[str, float], verdict: str) -> str:
    cells = [name, str(threads), shown(least["native"])]
    for way in ("provider", "custom"):
        cells += [shown(least[way]), f"{least['native'] / least[way]:.3g}"] if way in least else ["", ""]
    return f"| {' | '.join(cells)} | {verdict} |"


def lines(threads: list[int], only: str, rounds: int) -> Iterator[str]:
    yield "| model | threads | native | provider | | custom operators | | native result |"
    yield "|---|---|---|---|---|---|---|---|"
    for make in CASES:
        if not re.search(only, make.__name__):
            continue
        case = make()
        for count in threads:
            least, same = times(case, count, rounds)
            yield line(case.name, count, least, "same bits" if same else "differs")
            if case.is_profiled:
                yield line("the scatters of it alone", count, profiled(case, count, rounds), "")


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
