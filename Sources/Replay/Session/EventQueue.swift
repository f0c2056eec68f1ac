import ActionLog

/// Events with a look ahead.
struct EventQueue {
  private let source: LogComparison.Events
  private var ahead: LogEvent?
  private var isAtEnd = false

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  mutating func peek() throws -> LogEvent? {
    if ahead == nil, !isAtEnd {
      ahead = try source()
      isAtEnd = ahead == nil
    }
    return ahead
  }

  mutating func next() throws -> LogEvent? {
    defer { ahead = nil }
    return try peek()
  }
}
