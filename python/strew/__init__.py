"""strew: exact, fast tensor scatter and gather on CPUs."""

from strew import _core

__version__ = _core.version()
