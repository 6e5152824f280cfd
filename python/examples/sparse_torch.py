"""Gradients of a sparse matrix and of a dense one."""

import torch
import strew.sparse

A = torch.tensor([[1.0, 0, 2], [0, 3, 0]]).to_sparse_coo().requires_grad_()
X = torch.tensor([[1.0], [10], [100]], requires_grad=True)
strew.sparse.matmul(A, X).sum().backward()
print(X.grad)
print(A.grad.to_dense())
