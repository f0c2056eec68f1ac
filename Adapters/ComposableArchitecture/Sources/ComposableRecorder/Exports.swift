// An app that attaches a recorder also configures it, and marks types for the log.
@_exported public import ActionLog
@_exported public import ActionRecording
