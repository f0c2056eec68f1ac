// Whoever attaches a recorder writes reducers.
@_exported public import TCACore
