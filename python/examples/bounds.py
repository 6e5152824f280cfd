"""What becomes of indices out of bounds."""

import numpy as np
import strew

table, rows = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), np.array([1, 7, -4])

# Left out: a gather writes zeros, or what fill says, and a scatter nothing.
print(strew.gather(table, rows, bounds="skip"))
print(strew.gather(table, rows, bounds="skip", fill=-1))
print(strew.scatter(table, rows, np.ones((3, 2)), reduction="sum", bounds="skip"))

# The nearest row instead, or the remainder.
print(strew.gather(table, rows, bounds="clamp")[:, 0], strew.gather(table, rows, bounds="wrap")[:, 0])

# Refused, once what comes before has been done.
try:
    strew.scatter(table, rows, np.zeros((3, 2)), bounds="stop", out=table)
except strew.BoundsError as error:
    print(error)
print(table[:, 0])
