"""A model of ONNX with strew's operations in it."""

import os
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper

os.chdir(tempfile.mkdtemp())
tensors = {"table": ["rows", 2], "words": ["count", 1], "gradients": ["count", 2]}
inputs = [
    helper.make_tensor_value_info(name, TensorProto.INT64 if name == "words" else TensorProto.FLOAT, shape)
    for name, shape in tensors.items()
]
output = helper.make_tensor_value_info("new_table", TensorProto.FLOAT, tensors["table"])
node = helper.make_node("ScatterND", list(tensors), ["new_table"], reduction="add", name="add_gradients")
graph = helper.make_graph([node], "graph", inputs, [output])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), "model.onnx")

import openvino as ov
import strew_openvino

core = ov.Core()
model = core.read_model("model.onnx")
print(strew_openvino.replace(model))
compiled = core.compile_model(model, "CPU")

table = np.zeros((6, 2), np.float32)
words = np.array([[2], [0], [-4]])
gradients = np.array([[1, 2], [7, 7], [10, 20]], np.float32)
print(compiled([table, words, gradients])[0])
print("calls:", strew_openvino.calls())
