"""strew under a layer of a graph network that knows nothing of it."""

import torch

import strew.torch

strew.torch.enable()

nodes = torch.arange(12.0).reshape(4, 3).requires_grad_()
senders = torch.tensor([0, 1, 2, 3, 3])
receivers = torch.tensor([1, 2, 3, 0, 1])


def layer(x: torch.Tensor) -> torch.Tensor:
    messages = x.index_select(0, senders)
    index = receivers[:, None].expand(-1, 3)
    return torch.zeros_like(x).scatter_add_(0, index, messages)


(gradient,) = torch.autograd.grad(layer(nodes).sum(), nodes)
print(gradient[:, 0])
print(strew.torch.report())

# Only for a block, with a new count:
strew.torch.disable()
with strew.torch.enabled():
    nodes.detach()[senders]
    try:
        nodes.detach().gather(0, senders[:, None] + 7)
    except RuntimeError as error:
        print(error)
    print(strew.torch.report())
