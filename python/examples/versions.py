"""Operators as OpenVINO and ONNX publish them."""

import numpy as np
import strew

data, indices, updates = np.arange(4.0), np.array([[1], [-1]]), np.array([10.0, 20.0])
print(strew.run("ScatterNDUpdate-15", data, indices, updates, reduction="sum"))

# An older version refuses features that it does not have.
try:
    strew.run("ScatterNDUpdate-3", data, indices, updates)
except strew.Error as error:
    print(error)

for entry in strew.operators():
    if entry["operator"] == "gather_elements":
        print(entry["name"], entry["collection"], entry["attributes"], entry["index_dtypes"])
