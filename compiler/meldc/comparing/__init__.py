"""What differs between games, and what house rules change, in words."""

from meldc.comparing.changes import Change, differences, house_changes, house_lines, join_rows
from meldc.comparing.classing import Class

__all__ = ["Change", "Class", "differences", "house_changes", "house_lines", "join_rows"]
