@_exported public import TCARecorder

// Those who write hosts and tests name features, and features are written with the recorder's import or the core's.
@_exported public import struct ReplayEngine.Migration
