"""Counts the published results that OpenVINO's own CPU kernels give, and those that strew gives, as a Markdown table.

    python integrations/openvino/bench/agreement.py [--list]

tests/models has the models and results; --list names those in which a bit differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import openvino as ov

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "integrations/openvino/tests"), str(ROOT / "python/tests/core")]

from cases import Array  # noqa: E402
from models import graphs  # noqa: E402

# A model, its inputs, and the name and result of each of its outputs.
Sample = tuple[ov.Model, list[Array], list[tuple[str, Array]]]


def onnx_nodes() -> Iterator[Sample]:
    from models.test_onnx_nodes import arrays, stamped, variants

    for variant in variants():
        case, opset = variant.values
        if len(case.model.graph.node) == 1:
            model = graphs.CORE.read_model(stamped(case.model, opset).SerializeToString())
            for inputs, outputs in case.data_sets:
                yield model, arrays(inputs), [(f"{case.name} in opset {opset}", each) for each in arrays(outputs)]


def published() -> Iterator[Sample]:
    from models.test_published import PUBLISHED, branches, name_of

    for facts in PUBLISHED["cases"]:
        calls = branches(facts)
        model, inputs = graphs.model_of([case for case, _ in calls.values()])
        names = [f"{name_of(facts)}, {dtype} by {index_dtype}" for dtype, index_dtype in calls]
        yield model, inputs, list(zip(names, (expected for _, expected in calls.values())))


def pytorch() -> Iterator[Sample]:
    import torch
    from models.test_pytorch import OPERATIONS, converted

    for operation in OPERATIONS:
        torch.manual_seed(17)
        arguments = operation.arguments()
        expected = operation.function(*arguments).numpy()
        inputs = [argument.numpy() for argument in arguments]
        yield converted(operation.function, arguments), inputs, [(operation.name, expected)]


def wrong(model: ov.Model, inputs: list[Array], expected: list[tuple[str, Array]]) -> list[str]:
    outputs = graphs.run(model, inputs)
    return [name for output, (name, result) in zip(outputs, expected) if not graphs.same_bits(output, result)]


def count(samples: Callable[[], Iterator[Sample]]) -> tuple[int, list[str], list[str]]:
    """The number of results, those that OpenVINO does not give, and those that strew does not give."""
    results, native, strew = 0, [], []
    for model, inputs, expected in samples():
        results += len(expected)
        native += wrong(model, inputs, expected)
        strew += wrong(graphs.replaced(model), inputs, expected)
    return results, native, strew


SOURCES = {
    "node tests of ONNX, in opsets 10 to 23": onnx_nodes,
    "examples and reference tests of OpenVINO, by dtype": published,
    "operations of PyTorch, converted": pytorch,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the results that are not given")
    arguments = parser.parse_args()
    print(f"OpenVINO {ov.__version__}, NumPy {np.__version__}\n")
    print("| results | | OpenVINO gives | strew gives |\n|---|---|---|---|")
    for name, samples in SOURCES.items():
        results, native, strew = count(samples)
        print(f"| {name} | {results} | {results - len(native)} | {results - len(strew)} |", flush=True)
        missed = [f"OpenVINO: {each}" for each in native] + [f"strew: {each}" for each in strew]
        for each in missed if arguments.list else []:
            print(f"  {each}")


if __name__ == "__main__":
    main()
