"""Rows that are combined as they are gathered."""

import numpy as np
import strew

table = np.arange(8.0).reshape(4, 2)

# Bags of an embedding: rows 0 and 3, none, and 1, 1 and 2.
words, begins = np.array([0, 3, 1, 1, 2]), np.array([0, 2, 2])
print(strew.embedding_bag_offsets(table, words, begins))
print(strew.embedding_bag_offsets(table, words, begins, reduction="mean", default_index=3))

# Edges of a graph: add the row of each source, times a weight, to the row of the target.
sources, targets = np.array([0, 1, 3]), np.array([2, 2, 0])
print(strew.gather_scatter(np.zeros((4, 2)), table, sources, targets, np.array([1.0, 10, 100])))

# Segments: of consecutive rows, or of rows that indices name in any order.
print(strew.segment_reduce(table, np.array([0, 0, 2, 2]), reduction="max"))
print(strew.embedding_segments(table, sources, targets, num_segments=3))
