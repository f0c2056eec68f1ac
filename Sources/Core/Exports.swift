// Code that the macros generate calls ActionLog, and users import TCACore alone.
@_exported public import ActionLog
