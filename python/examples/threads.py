"""Any number of threads, the same bits."""

import numpy as np
import strew

draw = np.random.default_rng(1)
values, groups = draw.random(1_000_000, np.float32), draw.integers(0, 1000, 1_000_000)
zeros = np.zeros(1000, np.float32)

alone = strew.scatter_elements(zeros, groups, values, reduction="sum", num_threads=1)
shared = strew.scatter_elements(zeros, groups, values, reduction="sum", num_threads=4)
print(np.array_equal(alone, shared))

strew.set_num_threads(2)
print(strew.get_num_threads())
