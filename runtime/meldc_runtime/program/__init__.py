"""The Program: what the compiler makes and the runtime plays."""

from meldc_runtime.program.codec import ProgramError, content_hash, dump, load, read
from meldc_runtime.program.declarations import Program

__all__ = ["Program", "ProgramError", "content_hash", "dump", "load", "read"]
