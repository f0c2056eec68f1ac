// A host names features, and features are written with the recorder's import or the core's.
@_exported public import TCARecorder
