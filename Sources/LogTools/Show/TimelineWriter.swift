import ActionLog

/// A way to write the events of a log.
protocol TimelineWriter: AnyObject {
  var opening: String { get }
  var closing: String { get }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - text: Its line, where it is written as recorders write.
  ///   - before: The state before it.
  ///   - output: What is written to.
  func write(
    _ event: SkimmedEvent,
    text: SkimmedEvent.Text?,
    before: JSON?,
    to output: inout [UInt8]
  )

  /// Takes note of an event, of which only what it changes at one path is written.
  func note(_ event: SkimmedEvent)

  /// Writes what an event changed at the one path.
  func write(
    _ event: SkimmedEvent,
    seq: Int,
    from before: JSON?,
    to after: JSON?,
    to output: inout [UInt8]
  )
}
