"""Modules of the processes that answer requests: the process that these are forked from imports them, once for all."""

import gc

# As at the front door: what is imported stays, and looking for garbage among it would copy it into every process.
gc.disable()
from nacre.cli import servers, supervisors  # noqa: E402

gc.freeze()
gc.enable()

__all__ = ["servers", "supervisors"]
