"""A graph whose edges stay the same: inspected when it is loaded, run for each request."""

import numpy as np
import strew

nodes, ends, messages = np.zeros(4), np.array([2, 0, 2, -1, 2]), np.arange(1.0, 6)
plan = strew.plan_scatter(nodes, ends, messages, reduction="sum")
sums = plan.inspect(ends)
print(sums)
for request in (1, 2):
    print(sums(nodes, messages * request))

# The inspection refuses a bad index and names it as a run would.
try:
    plan.inspect(np.array([2, 0, 4, -1, 2]))
except strew.BoundsError as error:
    print(error)
