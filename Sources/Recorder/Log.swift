import ActionLog

/// A log that is being written: the lines that wait, and where they go.
struct Log: Sendable {
  private let sink: any LogSink
  private let start = ContinuousClock().now
  private var pending: [UInt8] = []

  init(sink: any LogSink) { self.sink = sink }

  /// Microseconds since the log was begun, on a clock that goes on while the machine sleeps.
  var now: Int { (ContinuousClock().now - start).microseconds }

  /// Adds a line to those that wait.
  mutating func append(_ event: LogEvent) {
    pending += event.line
    pending.append(UInt8(ascii: "\n"))
  }

  /// Hands out the lines that wait, for more to be written behind them; `restore` brings them back.
  mutating func take() -> [UInt8] {
    var lines: [UInt8] = []
    swap(&lines, &pending)
    return lines
  }

  /// Takes back the lines that were handed out; what was added in the meantime stands behind them.
  mutating func restore(_ lines: consuming [UInt8]) {
    let added = pending
    pending = lines
    if !added.isEmpty { pending += added }
  }

  /// Hands to the sink what waits.
  mutating func flush() throws {
    guard !pending.isEmpty else { return }
    try sink.append(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
