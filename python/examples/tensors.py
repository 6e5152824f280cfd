"""PyTorch's tensors and JAX's arrays, as they are."""

import jax.numpy as jnp
import numpy as np
import strew
import torch

features = torch.arange(6.0).reshape(3, 2)
print(strew.gather_nd(features, torch.tensor([[2], [0]])))
strew.scatter_nd(features, torch.tensor([[1]]), torch.tensor([[9.0, 9.0]]), out=features)
print(features)

# strew never writes JAX's arrays: the result is NumPy's.
print(repr(strew.gather_elements(jnp.arange(4.0), np.array([3, 1]))))
