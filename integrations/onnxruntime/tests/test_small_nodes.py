"""Nodes so small that the runtime runs them as well: it keeps them, unless exact=True asks for strew's guarantees."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper

import models
import reference

Array = models.Array
WAYS = ("custom operators", "provider")
# The bytes of output, indices and updates up to which a node is left.
LITTLE = 1024
MOVED = {name for name in models.DTYPES if name not in ("string", "bfloat16")}
REDUCED = {"int32", "int64", "float", "double"}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    if request.param == "provider" and not strew_onnxruntime.has_provider():
        pytest.skip("needs ONNX Runtime 1.24 or newer")
    return str(request.param)


def known(kind: str, operands: tuple[Array, ...], dtype: str, **attributes: Any) -> onnx.ModelProto:
    """A model of one node with known shapes."""
    names = ("data", "indices", "updates")[: len(operands)]
    types = (dtype, operands[1].dtype.name, dtype)
    inputs = [
        models.value(name, each, array.shape) for name, each, array in zip(names, types, operands, strict=False)
    ]
    output = reference.run(kind, *operands, **attributes).shape
    node = helper.make_node(kind, list(names), ["output"], **attributes)
    return models.make_model([node], inputs, [models.value("output", dtype, output)])


def open_session(way: str, model: onnx.ModelProto, **exact: bool) -> onnxruntime.InferenceSession:
    options = models.quiet_options(2)
    if way == "provider":
        return onnxruntime.InferenceSession(
            model.SerializeToString(), strew_onnxruntime.session_options(options, **exact)
        )
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    converted = strew_onnxruntime.convert(model, **exact).SerializeToString()
    return onnxruntime.InferenceSession(converted, options, providers=["CPUExecutionProvider"])


def run(session: onnxruntime.InferenceSession, nodes: int, *operands: Array) -> Array:
    before = strew_onnxruntime.runs()
    output = models.run(session, *operands)
    assert strew_onnxruntime.runs() == before + nodes
    return output


def is_left(kind: str, dtype: str, reduction: str) -> bool:
    if reduction == "none":
        return dtype in MOVED
    return dtype in REDUCED and not (reduction in ("min", "max") and dtype in ("float", "double"))


@pytest.mark.parametrize("dtype", models.DTYPES)
@pytest.mark.parametrize("kind", ["Gather", "GatherND", "GatherElements", "ScatterND", "ScatterElements"])
def test_what_is_left_gives_the_same(way: str, kind: str, dtype: str) -> None:
    """NaN, infinities and duplicates among the numbers; and exact, all of it is strew's."""
    for reduction, seed in itertools.product(models.reductions_of(kind, 18, dtype), range(3)):
        operands = models.draw_operands(np.random.default_rng(seed), kind, dtype)
        attributes = {"reduction": reduction} if kind.startswith("Scatter") else {}
        model = known(kind, operands, dtype, **attributes)
        moved = sum(array.nbytes for array in (*operands[1:], reference.run(kind, *operands, **attributes)))
        right = reference.run(kind, *operands, **attributes)
        left = is_left(kind, dtype, reduction) and moved <= LITTLE
        assert reference.same_bits(run(open_session(way, model), int(not left), *operands), right)
        assert reference.same_bits(run(open_session(way, model, exact=True), 1, *operands), right)


EMPTY = {
    "ScatterND": ((3, 4), (0, 1), (0, 4)),
    "ScatterElements": ((3, 4), (0, 4), (0, 4)),
    "GatherND": ((3, 4), (0, 1)),
    "GatherElements": ((3, 4), (0, 4)),
    "Gather": ((3, 4), (0,)),
}


@pytest.mark.parametrize("kind", EMPTY)
def test_no_elements(way: str, kind: str) -> None:
    data, indices, *updates = EMPTY[kind]
    operands = (np.ones(data, np.float32), np.zeros(indices, np.int64), *(np.ones(each, np.float32) for each in updates))
    model = known(kind, operands, "float")
    right = reference.run(kind, *operands)
    assert reference.same_bits(run(open_session(way, model), 0, *operands), right)
    assert reference.same_bits(run(open_session(way, model, exact=True), 1, *operands), right)


def test_the_most_that_is_left(way: str) -> None:
    """85 indices of 8 bytes and as many elements of 4; with one more it is strew's."""
    data = np.arange(24, dtype=np.float32)
    for count, nodes in ((85, 0), (86, 1)):  # 8 and 4 bytes each
        indices = np.arange(count) % 24
        model = known("GatherElements", (data, indices), "float")
        assert reference.same_bits(run(open_session(way, model), nodes, data, indices), data[indices])


def test_shapes_that_are_not_known(way: str) -> None:
    """A named dimension may have any size, so strew takes the node."""
    operands = models.draw_operands(np.random.default_rng(0), "GatherElements", "float")
    model = models.one_node("GatherElements")
    right = reference.run("GatherElements", *operands)
    assert reference.same_bits(run(open_session(way, model), 1, *operands), right)


def test_exact_refuses_before_it_writes(way: str) -> None:
    """A table that is bound as data and output stays unchanged after a bad index."""
    operands = np.zeros((4, 2), np.float32), np.array([[0], [4]]), np.ones((2, 2), np.float32)
    good = (operands[0], operands[1] % 4, operands[2])
    session = open_session(way, known("ScatterND", good, "float"), exact=True)
    binding = session.io_binding()
    table = onnxruntime.OrtValue.ortvalue_from_numpy(operands[0])
    binding.bind_ortvalue_input("data", table)
    binding.bind_ortvalue_input("indices", onnxruntime.OrtValue.ortvalue_from_numpy(operands[1]))
    binding.bind_ortvalue_input("updates", onnxruntime.OrtValue.ortvalue_from_numpy(operands[2]))
    binding.bind_ortvalue_output("output", table)
    with pytest.raises(Exception, match=r"indices\[1\]\[0\] is 4, outside \[-4, 3\]"):
        session.run_with_iobinding(binding)
    assert not operands[0].any()


def test_exact_of_a_session() -> None:
    """exact also works for the whole package; options that were made without it are refused."""
    operands = models.draw_operands(np.random.default_rng(0), "GatherND", "float")
    model = known("GatherND", operands, "float").SerializeToString()
    run(strew_onnxruntime.session(model), 0, *operands)
    run(strew_onnxruntime.session(model, exact=True), 1, *operands)
    if strew_onnxruntime.has_provider():
        run(strew_onnxruntime.session(model, strew_onnxruntime.session_options(exact=True)), 1, *operands)
    with pytest.raises(ValueError, match="without exact=True"):
        strew_onnxruntime.session_options(strew_onnxruntime.session_options(), exact=True)


def test_exact_of_the_command(tmp_path: Path) -> None:
    operands = models.draw_operands(np.random.default_rng(0), "GatherND", "float")
    onnx.save(known("GatherND", operands, "float"), tmp_path / "model.onnx")
    command = [sys.executable, "-m", "strew_onnxruntime.convert", "model.onnx", "converted.onnx"]
    for arguments, nodes in (([], 0), (["--exact"], 1)):
        output = subprocess.run([*command, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        assert output == f"converted.onnx: nodes for strew: {nodes}\n"


@pytest.mark.skipif(not strew_onnxruntime.has_provider(), reason="needs ONNX Runtime 1.24 or newer")
@pytest.mark.parametrize("value", ["", "2", "true"])
def test_a_wrong_option(value: str) -> None:
    strew_onnxruntime.session_options()
    device = next(each for each in onnxruntime.get_ep_devices() if each.ep_name == strew_onnxruntime.PROVIDER)
    options = models.quiet_options()
    options.add_provider_for_devices([device], {"exact": value})
    with pytest.raises(Exception, match="option exact must be 0 or 1"):
        onnxruntime.InferenceSession(models.one_node("GatherND").SerializeToString(), options, enable_fallback=0)
