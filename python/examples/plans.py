"""A plan: shapes, strides, dtypes and attributes are settled once."""

import numpy as np
import strew

sums, edges, messages = np.zeros((3, 2)), np.array([[0], [2], [0]]), np.ones((3, 2))
plan = strew.plan_scatter_nd(sums, edges, messages, reduction="sum")
print(plan)
for step in range(3):
    plan(sums, edges, messages * step, out=sums)
print(sums)
