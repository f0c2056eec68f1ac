// Who attaches a recorder sets it up, and marks types for the log.
@_exported public import ActionLog
@_exported public import ActionRecording
