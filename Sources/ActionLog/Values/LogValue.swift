/// A value that describes itself to the log.
public protocol LogValue {}
