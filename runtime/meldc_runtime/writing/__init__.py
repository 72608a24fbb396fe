"""From the nodes of a Program to Python functions."""

from meldc_runtime.writing.code import Code
from meldc_runtime.writing.module import write_code, write_further

__all__ = ["Code", "write_code", "write_further"]
