"""Arrays: any strides, existing outputs, any library."""

import array

import ml_dtypes
import numpy as np
import strew

# strew reads and writes views in place.
image = np.zeros((4, 4))
strew.scatter_nd(image.T, np.array([[1]]), np.full((1, 4), 5.0), out=image.T)
print(image[0])

# A result may go to an existing array.
out = np.empty(2)
result = strew.gather_elements(np.array([1.5, 2.5, 3.5]), np.array([2, 0]), out=out)
print(result is out, out)

# bfloat16, text, dates and structures.
halves = np.array([1, 2, 3], ml_dtypes.bfloat16)
print(strew.scatter_elements(halves, np.array([0, 0]), halves[:2], reduction="prod"))
print(strew.gather_elements(np.array(["red", "green", "blue"]), np.array([2, 1])))
print(strew.gather_elements(np.array(["2026-01-01", "2026-02-01"], "M8[D]"), np.array([1])))

# Lists and numbers, as NumPy takes them.
print(strew.gather([1.5, 2.5, 3.5], [2, 0]))

# Any object with a buffer.
print(strew.gather_elements(array.array("i", [7, 8, 9]), np.array([2, 2])))
