// The code that macros generate calls ActionLog, but users import just TCACore.
@_exported public import ActionLog
