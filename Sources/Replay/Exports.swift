// Exported, because migrations and engines use the types of logged values.
@_exported public import ActionLog
