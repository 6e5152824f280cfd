"""Windows of caches, and slices."""

import numpy as np
import strew

# Two caches of five places. Each gets two entries; the second cache wraps around.
caches, entries = np.zeros((2, 5, 1)), np.array([[[1.0], [2]], [[3], [4]]])
strew.tensor_scatter(caches, np.array([1, 4]), entries, axis=1, circular=True, out=caches)
print(caches[:, :, 0])

# A slice as in Python: data[3:0:-2] = updates.
print(strew.slice_scatter(np.zeros(4), np.array([7.0, 8.0]), [3], [0], [-2]))
