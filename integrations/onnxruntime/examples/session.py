"""An unchanged model on strew, and the nodes that strew ran."""

import numpy as np
import strew_onnxruntime
from onnx import TensorProto, helper

node = helper.make_node("ScatterND", ["table", "words", "gradients"], ["sums"], name="embedding", reduction="add")
inputs = [
    helper.make_tensor_value_info("table", TensorProto.FLOAT, ["vocabulary", "width"]),
    helper.make_tensor_value_info("words", TensorProto.INT64, ["count", 1]),
    helper.make_tensor_value_info("gradients", TensorProto.FLOAT, ["count", "width"]),
]
outputs = [helper.make_tensor_value_info("sums", TensorProto.FLOAT, ["vocabulary", "width"])]
graph = helper.make_graph([node], "graph", inputs, outputs)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)

session = strew_onnxruntime.session(model.SerializeToString())  # or the path of a model
table = np.zeros((6, 2), np.float32)
words = np.array([[2], [0], [-4]])  # -4 counts from the end, and is word 2 again
gradients = np.array([[1, 2], [7, 7], [10, 20]], np.float32)
[sums] = session.run(None, {"table": table, "words": words, "gradients": gradients})
print(sums[:3])
print("nodes that strew ran:", strew_onnxruntime.runs())

words[1] = 6
try:
    session.run(None, {"table": table, "words": words, "gradients": gradients})
except Exception as error:
    print(str(error).partition("Status Message: ")[2])
