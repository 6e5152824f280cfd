"""Sparse matrices times dense ones."""

import numpy as np
import scipy.sparse
import strew.sparse

A = scipy.sparse.csr_array(np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]]))
X = np.array([[1.0, 2], [10, 20], [100, 200]])
print(strew.sparse.matmul(A, X))
print(strew.sparse.matmul(A, X[:, 0]))

# The maximum of the terms of a row.
print(strew.sparse.matmul(A, X, reduce="max"))

# Add to an existing array.
out = np.ones((3, 2))
strew.sparse.matmul(A, X, out=out, add=True)
print(out)

# Three arrays are a matrix too. Without values all are 1.
print(strew.sparse.matmul((None, A.indices, A.indptr), X))
