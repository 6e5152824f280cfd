"""The error of a refused call."""

import numpy as np
import strew

data = np.zeros((4, 3), np.float32)
calls = [
    lambda: strew.gather_nd(data, np.array([[0], [7]])),
    lambda: strew.scatter_nd(data, np.array([[0], [1]]), np.zeros((2, 5), np.float32)),
    lambda: strew.scatter_nd(data, np.array([[0]]), np.zeros((1, 3))),
    lambda: strew.scatter_nd(data, np.array([[0]]), data[:1], reduction="average"),
    lambda: strew.gather_nd(data, np.array([[0]]), out=[0.0, 0.0, 0.0]),
]
for call in calls:
    try:
        call()
    except (IndexError, ValueError, TypeError) as error:
        print(f"{type(error).__name__}: {error}")

try:
    strew.gather_nd(data, np.array([[0], [7]]))
except strew.BoundsError as error:
    print(error.operand, error.position, error.value, (error.lower, error.upper), "dimension", error.dimension)
