"""From the nodes of a Program to Python functions."""

from meldc_runtime.writing.code import Code
from meldc_runtime.writing.running import code_of

__all__ = ["Code", "code_of"]
