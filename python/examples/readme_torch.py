import torch

import strew.torch

strew.torch.enable()

nodes = torch.zeros(3, 2)
print(nodes.index_add_(0, torch.tensor([2, 0, 2]), torch.ones(3, 2)))
