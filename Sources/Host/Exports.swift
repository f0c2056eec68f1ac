@_exported public import TCARecorder

// A host names features, and features are written with the recorder's import or the core's.
@_exported public import struct ReplayEngine.Migration
