// Those who attach a recorder write reducers, and set up recordings.
@_exported public import ActionRecording
@_exported public import TCACore
