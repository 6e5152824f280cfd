"""Sets up JAX with 64-bit types for all tests of strew.jax. Without JAX they are skipped."""

try:
    import jax
except ImportError as error:
    print(f"the tests of strew.jax are left out: {error}")
    collect_ignore_glob = ["test_*.py"]
else:
    jax.config.update("jax_enable_x64", True)
