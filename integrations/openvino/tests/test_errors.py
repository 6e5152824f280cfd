"""Refusals, and the names in their messages."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import openvino as ov
import pytest
from openvino import opset8, opset15

import strew_openvino
from cases import Case, as_array, infer, make_model, replaced, tensor

DATA = np.arange(12.0, dtype=np.float32).reshape(4, 3)


def scatter(indices: Any, reduction: str = "sum") -> Case:
    indices = np.array(indices)
    return Case("ScatterNDUpdate-15", (DATA, indices, np.ones((len(indices), 3), np.float32)), {"reduction": reduction})


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("index", [4, -5, 10**6])
def test_an_index_outside_names_the_operation(core: ov.Core, index: int, dynamic: bool) -> None:
    case = scatter([[1], [index], [99]])
    compiled = core.compile_model(replaced(make_model(case, dynamic)), "CPU")
    message = f"the_operation (ScatterNDUpdate-15 by strew): indices[1][0] is {index}, outside [-4, 3] for dimension 0"
    with pytest.raises(RuntimeError, match=re.escape(message)):
        infer(compiled, case.arrays)


def test_openvino_does_not_notice(core: ov.Core) -> None:
    """docs/openvino.md says this of OpenVINO's GatherND. If this fails, OpenVINO has changed."""
    case = Case("GatherND-8", (DATA, np.array([[4]])))
    assert infer(core.compile_model(make_model(case), "CPU"), case.arrays)[0].shape == (1, 3)
    with pytest.raises(RuntimeError, match=r"indices\[0\]\[0\] is 4"):
        infer(core.compile_model(replaced(make_model(case)), "CPU"), case.arrays)


ONE_THREAD = """
import sys
import numpy as np, openvino as ov, strew_openvino
from openvino import opset8
inputs = [opset8.parameter([4], np.float32), opset8.parameter([1, 1], np.int64)]
model = ov.Model([opset8.gather_nd(*inputs)], inputs, "model")
strew_openvino.replace(model, exact=True)
settings = {"INFERENCE_NUM_THREADS": int(sys.argv[1]), "NUM_STREAMS": 1}
request = ov.Core().compile_model(model, "CPU", settings).create_infer_request()
arrays = [np.zeros(4, np.float32), np.array([[4]])]
try:
    request.start_async(arrays) if sys.argv[2] == "async" else request.infer(arrays)
    request.wait()
    print("forgotten")
except RuntimeError as error:
    print("by strew" in str(error))
"""


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("way", ["infer", "async"])
def test_an_error_that_openvino_forgets_is_on_the_standard_error(threads: str, way: str) -> None:
    """OpenVINO does so with one thread and `infer`, its own operations' errors too. If not, the page has changed."""
    done = subprocess.run(
        [sys.executable, "-c", ONE_THREAD, threads, way], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout.strip() == ("forgotten" if (threads, way) == ("1", "infer") else "True")
    assert ("indices[0][0] is 4, outside [-4, 3]" in done.stderr) == (threads == "1")


def test_a_request_that_was_refused_runs_again(core: ov.Core) -> None:
    case = scatter([[1]])
    request = core.compile_model(replaced(make_model(case)), "CPU").create_infer_request()
    data, _, updates = map(tensor, case.arrays)
    with pytest.raises(RuntimeError, match="outside"):
        request.infer([data, np.array([[7]]), updates])
    request.infer([data, np.array([[1]]), updates])
    assert as_array(request.get_output_tensor())[1].tolist() == [4, 5, 6]


def test_a_refused_call_leaves_a_tensor_in_place_as_it_was(core: ov.Core) -> None:
    case = scatter([[0], [9]])
    request = core.compile_model(replaced(make_model(case)), "CPU").create_infer_request()
    data = ov.Tensor(DATA.copy())
    request.set_input_tensor(0, data)
    request.set_output_tensor(data)
    request.set_input_tensor(1, tensor(case.arrays[1]))
    request.set_input_tensor(2, tensor(case.arrays[2]))
    with pytest.raises(RuntimeError, match="outside"):
        request.infer()
    assert np.array_equal(data.data, DATA)


def test_a_constant_index_outside_is_refused_while_it_is_compiled(core: ov.Core) -> None:
    node = opset8.gather_nd(opset15.constant(DATA), opset15.constant(np.array([[9]])))
    node.set_friendly_name("folded")
    bias = opset15.parameter([], np.float32)
    model = replaced(ov.Model([opset15.add(node, bias)], [bias], "constant"))
    with pytest.raises(RuntimeError, match=r"folded \(GatherND-8 by strew\): indices\[0\]\[0\] is 9"):
        compiled = core.compile_model(model, "CPU")
        infer(compiled, [np.float32(0)])


def test_dynamic_shapes_that_do_not_fit(core: ov.Core) -> None:
    case = scatter([[1], [2]])
    compiled = core.compile_model(replaced(make_model(case, dynamic=True)), "CPU")
    with pytest.raises(RuntimeError, match="(?i)updates|shape"):
        infer(compiled, [DATA, case.arrays[1], np.ones((3, 3), np.float32)])


def test_what_is_no_model() -> None:
    with pytest.raises(TypeError, match="model is a str; it must be an openvino.Model"):
        strew_openvino.replace("model.xml")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="NoneType"):
        strew_openvino.replace(None)  # type: ignore[arg-type]


def test_a_compiled_model_is_no_model(core: ov.Core) -> None:
    compiled = core.compile_model(make_model(scatter([[1]])), "CPU")
    with pytest.raises(TypeError, match="CompiledModel"):
        strew_openvino.replace(compiled)


def test_a_report_reads_well() -> None:
    shapes = ([2, 1], [1024, 1])
    inputs = [opset15.parameter([4], ov.Type.string), *(opset15.parameter(shape, np.int64) for shape in shapes)]
    odd = opset8.gather_nd(inputs[0], inputs[1])
    odd.set_friendly_name("names")
    good = opset8.gather_nd(opset15.constant(DATA), inputs[2])
    good.set_friendly_name("rows")
    report = strew_openvino.replace(ov.Model([odd, good], inputs, "two"))
    assert str(report).splitlines() == [
        "replaced 1, left 1",
        "  strew     rows (GatherND-8)",
        "  OpenVINO  names (GatherND-8): data is string, which this guest has no dtype for",
    ]
