"""Your own options, and two ways to the same result."""

import numpy as np
import onnxruntime
import strew_onnxruntime
from onnx import TensorProto, helper

node = helper.make_node("GatherElements", ["data", "indices"], ["output"], axis=1)
inputs = [
    helper.make_tensor_value_info("data", TensorProto.FLOAT, ["rows", "columns"]),
    helper.make_tensor_value_info("indices", TensorProto.INT64, ["rows", "count"]),
]
outputs = [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["rows", "count"])]
graph = helper.make_graph([node], "graph", inputs, outputs)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
feeds = {"data": np.array([[1, 2], [3, 4]], np.float32), "indices": np.array([[0, 0], [-1, 0]])}

options = strew_onnxruntime.session_options()
options.intra_op_num_threads = 2
session = onnxruntime.InferenceSession(model.SerializeToString(), options)
print(session.run(None, feeds)[0])

converted = strew_onnxruntime.convert(model)
print(converted.graph.node[0].domain, [entry.domain for entry in converted.opset_import])
options = onnxruntime.SessionOptions()
options.register_custom_ops_library(strew_onnxruntime.extension_path())
session = onnxruntime.InferenceSession(converted.SerializeToString(), options, providers=["CPUExecutionProvider"])
print(session.run(None, feeds)[0])
