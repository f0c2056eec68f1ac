@_exported public import TCAReplaying
