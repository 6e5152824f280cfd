"""strew's own operators for PyTorch: rows by tuples of coordinates, every reduction, gradients."""

import torch

import strew.torch

table = torch.tensor([[1.0, 5.0], [2.0, 2.0], [7.0, 0.0]], requires_grad=True)
rows = torch.tensor([[0], [-1], [0]])  # -1 counts from the end; row 0 is updated twice
updates = torch.tensor([[1.0, 4.0], [3.0, 3.0], [1.0, 6.0]], requires_grad=True)

# The maximum of each element and its updates. table does not change.
highest = strew.torch.scatter_nd(table, rows, updates, reduce="amax")
print("highest", highest.tolist())

# Operands that tie for a maximum share its gradient equally.
of_table, of_updates = torch.autograd.grad(highest.sum(), (table, updates))
print("of table", [[round(x, 3) for x in row] for row in of_table.tolist()])
print("of updates", [[round(x, 3) for x in row] for row in of_updates.tolist()])

# The last assignment to a row wins, and only it has a gradient.
assigned = strew.torch.scatter_nd(table, rows, updates)
(of_updates,) = torch.autograd.grad(assigned.sum(), updates)
print("of assigned", of_updates.tolist())

# Means of the updates of an element. Elements that no index names stay.
places = torch.tensor([[0, 1], [0, 1], [2, 2]])
means = strew.torch.scatter_reduce(table, 0, places, updates, "mean", include_self=False)
print("means", means.tolist())

# One call for a batch: vmap adds a dimension to batch_dims.
tables, batches = torch.arange(12.0).reshape(2, 3, 2), torch.tensor([[[2]], [[0]]])
print("batch", torch.vmap(strew.torch.gather_nd)(tables, batches).tolist())

# For an index out of bounds a gather fills, and a scatter drops the update.
strays = torch.tensor([1, 7])
print("filled", strew.torch.index_select(table, 0, strays, mode="fill", fill_value=-1).tolist())
print("left out", strew.torch.index_add(table, 0, strays, updates[:2], mode="drop").tolist())

try:
    strew.torch.gather_nd(table, torch.tensor([[0], [3]]))
except strew.BoundsError as error:
    print(f"{error}; position {error.position}")
