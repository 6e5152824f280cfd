"""Accumulates gradients into the rows of an embedding table, as training does: rows that repeat add up."""

import numpy as np
import strew

table = np.zeros((6, 2), np.float32)
words = np.array([[2], [0], [-4]])  # -4 counts from the end, and is word 2 again
gradients = np.array([[1, 2], [7, 7], [10, 20]], np.float32)

# out=table is in place: the call touches only the rows that words names.
strew.scatter_nd(table, words, gradients, reduction="sum", out=table)
print(strew.gather_nd(table, words))

# strew refuses a bad index, names its place, and leaves the table as it was.
try:
    strew.scatter_nd(table, np.array([[1], [6]]), gradients[:2], out=table)
except IndexError as error:
    print(error)
