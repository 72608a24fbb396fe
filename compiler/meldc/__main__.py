"""`python -m meldc`."""

from meldc.cli import main

main()
