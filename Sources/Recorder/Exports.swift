// Apps that attach a recorder also need the configuration types.
@_exported public import ActionRecording
@_exported public import TCACore
