extension LogComparison {
  /// The extent of a comparison: up to the first event that differs, through the first log, or through all logs.
  ///
  /// ```swift
  /// var comparison = LogComparison(recorded: recorded, replayed: replayed, extent: .all)
  /// try comparison.run().differences  // differences in all logs, not just up to the first event that differs
  /// ```
  public enum Extent: Sendable {
    /// Compares one log up to the first event that differs, or to the end of the recording.
    case first
    /// Compares the first log of the recording completely, and continues after a difference.
    ///
    /// Requires that the second log report where it adopted the recorded state.
    case resynced
    /// Compares all logs of both sources completely, until their events no longer correspond.
    case all
  }

  /// The options of a comparison.
  ///
  /// ```swift
  /// LogComparison.Options(ignored: [JSON.Pointer(["todos", "*", "id"])], isStrict: true)
  /// ```
  public struct Options: Sendable, Equatable {
    /// The paths in the state that are not compared.
    ///
    /// The token `*` matches every member or element.
    public var ignored: [JSON.Pointer] = []
    /// Whether a member that exists in only one of the logs counts as a difference.
    public var isStrict = false
    /// Whether array elements are matched by index instead of by identity.
    package var isInPlace = false

    /// Creates comparison options.
    ///
    /// By default, every path is compared. A member that exists in only one log doesn't count as a difference.
    public init(ignored: [JSON.Pointer] = [], isStrict: Bool = false) {
      self.ignored = ignored
      self.isStrict = isStrict
    }
  }

  /// The result of a comparison.
  ///
  /// ```swift
  /// let result = try comparison.run()
  /// for difference in result.differences { print(difference.seq, difference.path) }  // 3 /count
  /// result.seq   // 3
  /// result.stop  // .differs
  /// ```
  public struct Result: Sendable, Equatable {
    /// The differences, in the order of the events.
    public var differences: [LogDifference] = []
    /// The number of the last action that was compared.
    public var seq = 0
    /// The reason why the comparison ended.
    public var stop = Stop.ended
    /// The number of events in the recording whose kind this version doesn't know.
    public var unknown = 0
    /// Findings in the second log that don't count as differences.
    public var notes: [LogEvent.Finding] = []

    /// The number of differences at the first event that differs.
    ///
    /// A comparison with the extent `first` reports only these.
    package var firstDifferences = 0

    /// The ignored paths that existed in the second log's state when the states differed.
    package var matchedIgnores: Set<JSON.Pointer> = []

    /// Creates the result of a comparison that hasn't started.
    public init() {}
  }

  /// The reason why a comparison ends.
  ///
  /// ```swift
  /// if case .recordingStops(let action?, _) = try comparison.run().stop {
  ///   print("the app ended while it reduced action \(action)")
  /// }
  /// ```
  public enum Stop: Sendable, Equatable {
    /// The comparison reached the end of both logs.
    ///
    /// With the extent `all`, both logs can also stop at the same action without an `end` event.
    case ended
    /// The recording stops without an `end` event.
    ///
    /// - Parameters:
    ///   - openAction: The number of the action whose change is missing, or `nil` if no change is missing.
    ///   - isReplayed: Whether the second log has that change.
    case recordingStops(openAction: Int?, isReplayed: Bool)
    /// The second log stops before the recording does.
    ///
    /// - Parameter openAction: The number of the action whose change is missing in the second log, or `nil` if no
    ///   change is missing.
    case replayStops(openAction: Int?)
    /// The logs differ.
    ///
    /// A comparison with the extent `all` continues after a difference, if the events still correspond. With the extent
    /// `resynced`, the comparison ends here only if it can't continue from the recorded state.
    case differs
  }
}
