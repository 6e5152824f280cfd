"""strew under torch.compile: the same results from inductor's own loops and from the operators that strew took over."""

from __future__ import annotations

import shutil
import subprocess
import sys
import warnings

import pytest

torch = pytest.importorskip("torch")

import strew.torch  # noqa: E402

COMPILER = shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(not COMPILER, reason="inductor needs a compiler")


def layer(x, index, expanded, source):
    gathered = x[index] + x.gather(0, expanded) + x.index_select(0, index)
    scattered = torch.zeros_like(x).scatter_add(0, expanded, source) + x.index_put((index,), source, accumulate=True)
    scattered = scattered + torch.scatter(x, 0, expanded[:5], 2.5)
    return gathered, scattered + torch.zeros_like(x).scatter_reduce(0, expanded, source, "amax")


@pytest.mark.parametrize("inductor", [False, True])
def test_compiled(inductor):
    torch.manual_seed(0)
    x, source = torch.randn(50, 8), torch.randn(90, 8)
    index = torch.randint(0, 50, (90,))
    expanded = index[:, None].expand(-1, 8)
    x.requires_grad_()
    expected = layer(x, index, expanded, source)
    gradient = torch.autograd.grad(sum(part.sum() for part in expected), x)[0]
    with warnings.catch_warnings(), strew.torch.enabled(inductor=inductor):
        warnings.simplefilter("ignore")
        torch.compiler.reset()
        actual = torch.compile(layer)(x, index, expanded, source)
        compiled_gradient = torch.autograd.grad(sum(part.sum() for part in actual), x)[0]
        taken = strew.torch.report().taken
    torch.compiler.reset()
    torch.testing.assert_close(actual, expected)
    torch.testing.assert_close(compiled_gradient, gradient)
    assert not inductor or taken.keys() >= {"index.Tensor", "gather", "scatter_add", "_index_put_impl_"}


def test_inductor_has_its_own_way_back():
    from torch._inductor import lowering

    before, tag = dict(lowering.lowerings), torch.compiler.config.cache_key_tag
    with strew.torch.enabled(inductor=True):
        assert torch.compiler.config.cache_key_tag != tag
        assert lowering.lowerings[torch.ops.aten.gather.default] is not before[torch.ops.aten.gather.default]
    assert lowering.lowerings == before and torch.compiler.config.cache_key_tag == tag


def test_a_block_within_an_enabled_state():
    from torch._inductor import lowering

    before, tag = dict(lowering.lowerings), torch.compiler.config.cache_key_tag
    with strew.torch.enabled():
        with strew.torch.enabled(inductor=True):
            assert torch.compiler.config.cache_key_tag != tag
            with strew.torch.enabled(inductor=True):
                pass
            assert torch.compiler.config.cache_key_tag != tag
        assert lowering.lowerings == before and torch.compiler.config.cache_key_tag == tag
        assert strew.torch.is_enabled()


def test_disabling_does_not_import_inductor():
    program = """
import sys, strew.torch
with strew.torch.enabled():
    pass
assert "torch._inductor.lowering" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
