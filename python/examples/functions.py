"""Each function once."""

import numpy as np
import strew

data = np.arange(12.0).reshape(3, 4)

# Rows along an axis: the dimensions of indices replace the axis.
print(strew.gather(data, np.array([2, 0])))
print(strew.gather(data, np.array([[3, 0], [1, 1]]), axis=1).shape)

# Rows by tuples: the last dimension of indices holds coordinates of data's leading dimensions.
print(strew.gather_nd(data, np.array([[2], [0]])))
print(strew.gather_nd(data, np.array([[2, 1], [0, 3]])))

# Elements: each index replaces the coordinate of the axis.
columns = np.array([[3, 0], [1, 1], [0, 2]])
print(strew.gather_elements(data, columns, axis=1))

# Scatters. Updates of one row are added to the row of data.
print(strew.scatter(data, np.array([1, 1]), np.ones((2, 4)), reduction="sum"))
print(strew.scatter_nd(data, np.array([[1], [1]]), np.ones((2, 4)), reduction="sum"))

# The last assignment wins. A mean may leave out the element of data.
updates = np.array([[10.0, 20.0], [30.0, 50.0], [60.0, 70.0]])
print(strew.scatter_elements(data, columns, updates, axis=1))
print(strew.scatter_elements(data, columns, updates, axis=1, reduction="mean", use_init_val=False))
