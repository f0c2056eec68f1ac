/// The maximum number of bytes and actions that a recording writes.
///
/// ```swift
/// configuration.limits.second = .init(actions: 500)
/// configuration.limits.day = .init(bytes: 50_000_000)
/// ```
///
/// Beyond a limit, the recorder drops events. A `gap` states the limit and the number of dropped events. After the
/// second or day, the log continues with a checkpoint. A session limit ends the log.
public struct RecordingLimits: Sendable, Hashable {
  /// A maximum number of bytes and of actions.
  ///
  /// ```swift
  /// configuration.limits.day = .init(bytes: 50_000_000)
  /// ```
  public struct Amount: Sendable, Hashable {
    /// The maximum number of bytes that are written to the log, or `nil` for no limit.
    ///
    /// All lines of the action that reaches the limit are still written.
    public var bytes: Int?
    /// The maximum number of actions, or `nil` for no limit.
    public var actions: Int?

    /// Creates an amount, in which `nil` means no limit.
    public init(bytes: Int? = nil, actions: Int? = nil) {
      self.bytes = bytes
      self.actions = actions
    }

    var isEmpty: Bool { bytes == nil && actions == nil }
  }

  /// The limit for the complete log.
  public var session = Amount()
  /// The limit for each period of 24 hours, counted from the beginning of the log.
  public var day = Amount()
  /// The limit for each second, counted from the beginning of the log.
  public var second = Amount()

  /// Creates a set of limits, in which an omitted amount means no limit.
  public init(session: Amount = Amount(), day: Amount = Amount(), second: Amount = Amount()) {
    self.session = session
    self.day = day
    self.second = second
  }

  var isEmpty: Bool { session.isEmpty && day.isEmpty && second.isEmpty }
}

/// A meter that compares the size of a log with its limits.
struct LimitMeter: Sendable {
  private var windows: [Window] = []

  struct ReachedLimit: Sendable {
    /// The reason for the gap, such as the limit and its period.
    let reason: String
    /// The time at which the limit ends, in microseconds since the recording began, or `nil` if it never ends.
    let end: Int?
  }

  private struct Window: Sendable {
    let name: String
    let limit: RecordingLimits.Amount
    /// The length of the window in microseconds, or `nil` for the complete log.
    let length: Int?
    var start = 0
    /// The size of the log in bytes when the window began.
    var bytes = 0
    var actions = 0
  }

  init(_ limits: RecordingLimits) {
    let all = [
      Window(name: "session", limit: limits.session, length: nil),
      Window(name: "day", limit: limits.day, length: 86_400_000_000),
      Window(name: "second", limit: limits.second, length: 1_000_000),
    ]
    windows = all.filter { !$0.limit.isEmpty }
  }

  /// Whether no limits are set.
  var isEmpty: Bool { windows.isEmpty }

  /// Returns the limit that the log has reached, or the one that ends last if there are several.
  ///
  /// - Parameters:
  ///   - now: The time in microseconds since the recording began.
  ///   - bytes: The number of bytes in the log so far.
  ///   - actions: The number of actions in the log so far.
  /// - Returns: The reached limit, or `nil` if the log has reached none.
  mutating func reached(at now: Int, bytes: Int, actions: Int) -> ReachedLimit? {
    var reached: ReachedLimit?
    for index in windows.indices.reversed() {
      if let length = windows[index].length, now - windows[index].start >= length {
        windows[index].start = now - (now - windows[index].start) % length
        (windows[index].bytes, windows[index].actions) = (bytes, actions)
      }
      let window = windows[index]
      let end = window.length.map { window.start + $0 }
      if let limit = window.limit.actions, actions - window.actions >= limit {
        reached = ReachedLimit(reason: Wording.limit(limit, "action", a: window.name), end: end)
      } else if let limit = window.limit.bytes, bytes - window.bytes >= limit {
        reached = ReachedLimit(reason: Wording.limit(limit, "byte", a: window.name), end: end)
      }
    }
    return reached
  }
}
