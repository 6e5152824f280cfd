"""A layer of a graph network on strew's own operators, trained by PyTorch."""

import torch

import strew.torch


class MessagePassing(torch.nn.Module):
    """Adds the messages of the sources of a node's edges."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, features: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        nothing = features.new_zeros(()).expand(features.shape)  # takes no memory
        return strew.torch.gather_scatter(nothing, self.linear(features), *edges)


torch.manual_seed(0)
features, edges = torch.rand(100, 8), torch.randint(0, 100, (2, 1000))
layer = MessagePassing(8)
optimizer = torch.optim.SGD(layer.parameters(), lr=1e-4)
losses = []
for _ in range(20):
    optimizer.zero_grad()
    loss = (layer(features, edges) - 1).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print("the loss falls in each step:", all(after < before for before, after in zip(losses, losses[1:])))
