"""A model that is saved with strew's operations, and read by another program."""

import os
import tempfile

import numpy as np
import openvino as ov
import strew_openvino
from openvino import opset15

os.chdir(tempfile.mkdtemp())
inputs = [opset15.parameter([-1], np.float64), opset15.parameter([-1, 1], np.int64)]
model = ov.Model([opset15.gather_nd(*inputs)], inputs, "model")
strew_openvino.replace(model)

ov.save_model(model, "with_strew.xml")

core = ov.Core()
core.add_extension(strew_openvino.extension_path())
model = core.read_model("with_strew.xml")
compiled = core.compile_model(model, "CPU", {"CACHE_DIR": "cache"})
print(compiled([np.arange(6.0) / 3, np.array([[5], [-5]])])[0])
