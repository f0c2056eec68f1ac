/// The most that a recording writes.
///
/// ```swift
/// configuration.limits.second = .init(actions: 500)
/// configuration.limits.day = .init(bytes: 50_000_000)
/// ```
///
/// Beyond a limit the recorder leaves events out, and a `gap` says how many are missing and which limit it was. After a second or a
/// day the log goes on with the whole state. The limits of a session end the log.
public struct RecordingLimits: Sendable, Hashable {
  /// Bytes and actions.
  ///
  /// ```swift
  /// configuration.limits.day = .init(bytes: 50_000_000)
  /// ```
  public struct Amount: Sendable, Hashable {
    /// Bytes of the log, `nil` for any number.
    ///
    /// The lines of the action that reaches the limit are still written.
    public var bytes: Int?
    /// Actions; `nil` for any number.
    public var actions: Int?

    /// An amount.
    public init(bytes: Int? = nil, actions: Int? = nil) {
      self.bytes = bytes
      self.actions = actions
    }

    var isEmpty: Bool { bytes == nil && actions == nil }
  }

  /// The whole of one log.
  public var session = Amount()
  /// Each 24 hours of a log, from its beginning.
  public var day = Amount()
  /// Each second of a log in which there are actions.
  public var second = Amount()

  /// Limits; there is none for what is not given.
  public init(session: Amount = Amount(), day: Amount = Amount(), second: Amount = Amount()) {
    self.session = session
    self.day = day
    self.second = second
  }

  var isEmpty: Bool { session.isEmpty && day.isEmpty && second.isEmpty }
}

/// Measures a log by its limits.
struct LimitMeter: Sendable {
  private var windows: [Window] = []

  /// A limit that is reached.
  struct Reached: Sendable {
    /// Why nothing is written, in words.
    let reason: String
    /// When it ends, in microseconds since the recording began; `nil` for never.
    let end: Int?
  }

  private struct Window: Sendable {
    let name: String
    let limit: RecordingLimits.Amount
    /// Microseconds; `nil` for the whole log.
    let length: Int?
    var start = 0
    /// What the log had when the window began.
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

  /// Whether nothing is limited.
  var isEmpty: Bool { windows.isEmpty }

  /// The limit that has been reached; of several, the one that lasts longest.
  ///
  /// - Parameters:
  ///   - now: Microseconds since the recording began.
  ///   - bytes: The bytes of the log so far.
  ///   - actions: The actions of the log so far.
  /// - Returns: The limit; `nil` when there is none.
  mutating func reached(at now: Int, bytes: Int, actions: Int) -> Reached? {
    var reached: Reached?
    for index in windows.indices.reversed() {
      if let length = windows[index].length, now - windows[index].start >= length {
        windows[index].start = now - (now - windows[index].start) % length
        (windows[index].bytes, windows[index].actions) = (bytes, actions)
      }
      let window = windows[index]
      let end = window.length.map { window.start + $0 }
      if let limit = window.limit.actions, actions - window.actions >= limit {
        reached = Reached(reason: Wording.limit(limit, "action", a: window.name), end: end)
      } else if let limit = window.limit.bytes, bytes - window.bytes >= limit {
        reached = Reached(reason: Wording.limit(limit, "byte", a: window.name), end: end)
      }
    }
    return reached
  }
}
