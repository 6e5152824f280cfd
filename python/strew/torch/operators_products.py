"""The products of all factors but one. The derivatives of a product consist of them.

`other_products(factors, places, count)` multiplies for each factor all others of its place and column. Factors of shape
(n, columns, 1) are numbers. Factors of shape (n, columns, 2 ** k) are polynomials of k infinitesimals whose squares are
0, with a coefficient for each set of them. The derivatives of such products are such products again, with one
infinitesimal more. Nothing is divided, so the results are right for all factors, including zeros, infinities and NaN.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch import library as torch_library

from strew.torch.operators_autograd import Differentiable, call_below_autograd, operator_of


def with_derivative(factors: Tensor, derivative: Tensor, places: Tensor, count: int) -> Tensor:
    """The derivative of the products, if factors have this one."""
    both = call_other_products(torch.cat([factors, derivative], 2), places, count)
    return both[:, :, factors.shape[2] :]


class Multiplying(torch.autograd.Function):
    """other_products with its derivatives."""

    @staticmethod
    def forward(ctx: Any, factors: Tensor, places: Tensor, count: int) -> Tensor:
        result = call_below_autograd(operator_of("other_products"), factors, places, count)
        Multiplying.keep(ctx, (factors, places, count), result)
        return result

    @staticmethod
    def keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        factors, places, ctx.count = inputs
        ctx.save_for_backward(factors, places)
        ctx.save_for_forward(factors, places)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        factors, places = ctx.saved_tensors
        # Second derivatives of a product are symmetric, and a coefficient's partner is that of all other infinitesimals.
        return with_derivative(factors.conj(), grad.flip(2), places, ctx.count).flip(2), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Tensor:
        factors, places = ctx.saved_tensors
        assert tangents[0] is not None
        return with_derivative(factors, tangents[0], places, ctx.count)


class MultiplyingTransformed(Multiplying):
    """The same for torch.func, which wants forward and setup_context apart; that takes longer."""

    generate_vmap_rule = True

    @staticmethod
    def forward(factors: Tensor, places: Tensor, count: int) -> Tensor:  # type: ignore[override]
        return call_below_autograd(operator_of("other_products"), factors, places, count)

    setup_context = staticmethod(Multiplying.keep)


call_other_products = Differentiable("other_products", Multiplying.apply, MultiplyingTransformed.apply, (0,))


def shape_rule(factors: Tensor, places: Tensor, count: int) -> Tensor:
    return factors.new_empty(factors.shape)


def vmap_rule(
    info: Any, in_dims: tuple[Any, ...], factors: Tensor, places: Tensor, count: int
) -> tuple[Tensor, int]:
    """One call: the places of all batches follow each other."""
    size = info.batch_size
    factors = factors.expand(size, -1, -1, -1) if in_dims[0] is None else factors.movedim(in_dims[0], 0)
    places = places.expand(size, -1) if in_dims[1] is None else places.movedim(in_dims[1], 0)
    starts = count * torch.arange(size, device=places.device).unsqueeze(1)
    moved = torch.where((places >= 0) & (places < count), places + starts, -1)
    products = operator_of("other_products")(factors.flatten(0, 1), moved.flatten(), size * count)
    return products.unflatten(0, factors.shape[:2]), 0


def register(library: torch_library.Library) -> None:
    """Gives the operator its derivatives and rules."""
    call_other_products.register(library)
    torch_library.register_fake("strew::other_products", shape_rule, lib=library)
    torch_library.register_vmap("strew::other_products", vmap_rule, lib=library)
