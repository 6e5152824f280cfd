"""OpenVINO's published results for these operations: the examples of its specification, the cases of its reference tests.

published.json has their inputs and expected values, for the dtypes that they were written for. The page of
ScatterNDUpdate-15 contradicts itself in its layers 1 and 4; for these it has the results of the page's own rule.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import pytest

import strew_openvino
from cases import BFLOAT16, Array, Case
from models import graphs

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text())

Facts = dict[str, Any]


def dtype_of(name: str) -> np.dtype[Any]:
    return BFLOAT16 if name == "bf16" else np.dtype(getattr(ov.Type, name).to_dtype())


def array(facts: Facts, name: str, dtype: str) -> Array:
    return np.array(facts[name]["values"]).astype(dtype_of(dtype)).reshape(facts[name]["shape"])


def branches(facts: Facts) -> dict[tuple[str, str], tuple[Case, Array]]:
    """For each dtype of data and of indices: the call and its result."""
    calls = {}
    for dtype in facts["dtypes"]:
        for index_dtype in facts["index_dtypes"]:
            arrays = [array(facts, "data", dtype), array(facts, "indices", index_dtype)]
            if "updates" in facts:
                arrays.append(array(facts, "updates", dtype))
            case = Case(facts["operator"], tuple(arrays), facts.get("attributes", {}))
            calls[dtype, index_dtype] = case, array(facts, "expected", dtype)
    return calls


def name_of(facts: Facts) -> str:
    return f"{facts['operator']} {Path(facts['source']).name} {facts['name']}".replace(" ", "-")


@pytest.mark.parametrize("constants", [(), (1, 2)], ids=["parameters", "constants"])
@pytest.mark.parametrize("facts", PUBLISHED["cases"], ids=name_of)
def test_case(facts: Facts, constants: tuple[int, ...]) -> None:
    calls = branches(facts)
    model, inputs = graphs.model_of([case for case, _ in calls.values()], constants)
    outputs, evaluated = graphs.run_with_strew(model, inputs)

    assert evaluated == len(calls)
    for (dtype, index_dtype), output in zip(calls, outputs):
        expected = calls[dtype, index_dtype][1]
        assert graphs.same_bits(output, expected), f"{dtype} by {index_dtype}: {output}, not {expected}"


# -- layers for which the specification gives only shapes, read as IR as published --------------------------------

IR = """<?xml version="1.0"?>
<net name="published" version="11">
  <layers>{layers}
  </layers>
  <edges>{edges}
  </edges>
</net>
"""


def port(index: int, shape: list[int], precision: str) -> str:
    dims = "".join(f"<dim>{size}</dim>" for size in shape)
    return f'<port id="{index}" precision="{precision}">{dims}</port>'


def parameter(index: int, shape: list[int], precision: str) -> str:
    sizes = ",".join(map(str, shape))
    return f"""
    <layer id="{index}" name="input{index}" type="Parameter" version="opset1">
      <data shape="{sizes}" element_type="{precision.lower()}"/><output>{port(0, shape, precision)}</output>
    </layer>"""


def layer_as_ir(layer: Facts) -> str:
    """The layer between parameters and a result; an axis is a parameter as well."""
    name, version = layer["operator"].split("-")
    attributes = layer.get("attributes", {})
    shapes = [*layer["shapes"][:-1], *([[1]] if "axis" in attributes else [])]
    precisions = ["I64" if place in (1, 3) else "FP32" for place in range(len(shapes))]
    last = len(shapes)
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items() if key != "axis")
    opset = "opset4" if layer["operator"] == "ScatterNDUpdate-3" else f"opset{version}"
    layers = "".join(
        parameter(place, shape, precision.replace("FP", "f"))
        for place, (shape, precision) in enumerate(zip(shapes, precisions))
    )
    inputs = "".join(port(place, shape, precision) for place, (shape, precision) in enumerate(zip(shapes, precisions)))
    output = port(last, layer["shapes"][-1], "FP32")
    layers += f"""
    <layer id="{last}" name="published" type="{name}" version="{opset}">
      <data {written}/><input>{inputs}</input><output>{output}</output>
    </layer>
    <layer id="{last + 1}" name="output" type="Result" version="opset1">
      <input>{port(0, layer["shapes"][-1], "FP32")}</input>
    </layer>"""
    ends = [*((place, 0, last, place) for place in range(last)), (last, last, last + 1, 0)]
    edges = "".join(
        f'\n    <edge from-layer="{source}" from-port="{out}" to-layer="{target}" to-port="{into}"/>'
        for source, out, target, into in ends
    )
    return IR.format(layers=layers, edges=edges)


def layer_inputs(layer: Facts) -> list[Array]:
    """Indices that name every place at most once, so that NumPy's assignment is a reference."""
    data_shape, indices_shape = layer["shapes"][:2]
    random = np.random.default_rng(17)
    data = np.arange(np.prod(data_shape), dtype=np.float32).reshape(data_shape)
    if "axis" in layer.get("attributes", {}):
        draws = random.random((data_shape[0], *indices_shape[1:])).argsort(axis=0)
        indices = draws[: indices_shape[0]]
    else:
        batch, depth = layer.get("attributes", {}).get("batch_dims", 0), indices_shape[-1]
        sizes = data_shape[batch : batch + depth]
        count = int(np.prod(indices_shape[batch:-1]))
        batches = int(np.prod(indices_shape[:batch]))
        rows = [random.choice(np.prod(sizes), count, replace=False) for _ in range(batches)]
        indices = np.stack(np.unravel_index(np.concatenate(rows), sizes), axis=-1).reshape(indices_shape)
    inputs = [data, indices.astype(np.int64)]
    if layer["operator"].startswith("Scatter"):
        inputs.append(-np.arange(np.prod(layer["shapes"][2]), dtype=np.float32).reshape(layer["shapes"][2]))
    return [*inputs, *(np.array([value]) for name, value in layer.get("attributes", {}).items() if name == "axis")]


def by_numpy(layer: Facts, inputs: list[Array]) -> Array:
    data, indices = inputs[:2]
    if "axis" in layer.get("attributes", {}):
        out = data.copy()
        np.put_along_axis(out[:, :20, :, :6], indices, inputs[2], axis=0)
        return out
    batch = layer.get("attributes", {}).get("batch_dims", 0)
    rest = [1] * (indices.ndim - 1 - batch)
    lead = [axis.reshape(*axis.shape, *rest) for axis in np.ix_(*map(range, data.shape[:batch]))]
    place = (*lead, *np.moveaxis(indices, -1, 0))
    if layer["operator"].startswith("Gather"):
        return np.asarray(data[place])
    out = data.copy()
    out[place] = inputs[2]
    return out


@pytest.mark.parametrize("layer", PUBLISHED["layers"], ids=lambda layer: f"{layer['operator']}-{layer['shapes'][0]}")
def test_layer_read_from_ir(layer: Facts) -> None:
    model = graphs.CORE.read_model(layer_as_ir(layer).encode(), b"")
    inputs = layer_inputs(layer)
    report = strew_openvino.replace(model, exact=True)
    assert [str(node) for node in report.left] == []

    executable = graphs.compiled(model)
    before = strew_openvino.calls()
    (output,) = graphs.infer(executable, inputs)
    assert strew_openvino.calls() == before + 1
    assert list(output.shape) == layer["shapes"][-1]
    assert graphs.same_bits(output, by_numpy(layer, inputs))
