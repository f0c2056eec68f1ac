// Exported, because migrations and engines use the values of a log.
@_exported public import ActionLog
