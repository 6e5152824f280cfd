"""Indices out of bounds."""

import numpy as np
import strew

table, rows = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), np.array([1, 7, -4])

# Fill: a gather writes zeros or fill_value. Drop: a scatter writes nothing.
print(strew.gather(table, rows, mode="fill"))
print(strew.gather(table, rows, mode="fill", fill_value=-1))
print(strew.scatter(table, rows, np.ones((3, 2)), reduction="sum", mode="drop"))

# Clip to the nearest row, or wrap to the remainder.
print(strew.gather(table, rows, mode="clip")[:, 0], strew.gather(table, rows, mode="wrap")[:, 0])

# Stop: refuse, after the updates before the bad index.
try:
    strew.scatter(table, rows, np.zeros((3, 2)), mode="stop", out=table)
except strew.BoundsError as error:
    print(error)
print(table[:, 0])
