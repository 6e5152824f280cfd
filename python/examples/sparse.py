"""Sparse matrices times dense ones."""

import numpy as np
import scipy.sparse
import strew.sparse

A = scipy.sparse.csr_array(np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]]))
X = np.array([[1.0, 2], [10, 20], [100, 200]])
print(strew.sparse.matmul(A, X))
print(strew.sparse.matmul(A, X[:, 0]))

# Of the terms of a row: the least, the greatest, the mean.
print(strew.sparse.matmul(A, X, reduce="max"))

# Into an array that is there, or onto what it holds.
out = np.ones((3, 2))
strew.sparse.matmul(A, X, out=out, add=True)
print(out)

# Three arrays are a matrix too; without values all are 1.
print(strew.sparse.matmul((None, A.indices, A.indptr), X))
