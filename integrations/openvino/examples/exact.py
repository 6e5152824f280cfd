"""Exact types, and a refused index."""

import numpy as np
import openvino as ov
import strew_openvino
from openvino import opset15

core = ov.Core()
arrays = [np.array([2**40, 0]), np.array([[0], [0]]), np.array([1, 1])]


def run(model, *values):
    try:
        return core.compile_model(model, "CPU")(list(values))[0]
    except RuntimeError as error:
        return next(line for line in str(error).splitlines() if "by strew" in line)


def make_sum():
    inputs = [opset15.parameter(list(array.shape), array.dtype) for array in arrays]
    scattered = opset15.scatter_nd_update(*inputs, "sum")
    scattered.set_friendly_name("count")
    return ov.Model([scattered], inputs, "sum")


model = make_sum()
print("OpenVINO:", run(model, *arrays))
strew_openvino.replace(model)
print("strew:   ", run(model, *arrays))
print(run(model, arrays[0], np.array([[0], [2**32 + 1]]), arrays[2]))

# OpenVINO computes in 32 bits; the report names the inputs that strew gets so. exact runs short operations too.
indices = opset15.parameter([2, 1], np.int64)
rows = opset15.parameter([4, 3], np.float32)
gathered = opset15.gather_nd(rows, opset15.add(indices, indices))
gathered.set_friendly_name("rows")
report = strew_openvino.replace(ov.Model([gathered], [rows, indices], "computed"), exact=True)
print(report)
for node in report.replaced:
    print(node.name, "|", node.operator, "|", node.note)
