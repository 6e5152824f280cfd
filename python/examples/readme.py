import numpy as np
import strew

table = np.zeros((6, 2), np.float32)
words = np.array([[2], [0], [-4]])  # -4 counts from the end, and is word 2 again
gradients = np.array([[1, 2], [7, 7], [10, 20]], np.float32)

strew.scatter_nd(table, words, gradients, reduction="sum", out=table)  # in place
print(strew.gather_nd(table, words))
