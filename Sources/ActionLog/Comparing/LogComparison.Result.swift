extension LogComparison {
  /// The extent of a comparison.
  ///
  /// ```swift
  /// var comparison = LogComparison(recorded: recorded, replayed: replayed, extent: .all)
  /// try comparison.run().differences  // those of all logs, not of the first event alone
  /// ```
  public enum Extent: Sendable {
    /// Through one log, to the first event that differs or to the place where the recording stops.
    case first
    /// Through one log and all its differences, if the second log says where it continued from the first one's state.
    case resynced
    /// Through all logs and all differences, as long as the events correspond to each other.
    case all
  }

  /// The options of a comparison.
  ///
  /// ```swift
  /// LogComparison.Options(ignored: [JSON.Pointer(["todos", "*", "id"])], isStrict: true)
  /// ```
  public struct Options: Sendable, Equatable {
    /// The parts of the state that are not compared; a token `*` stands for every member or element.
    public var ignored: [JSON.Pointer] = []
    /// Whether members that only the log or only the code has are a difference.
    public var isStrict = false
    /// Whether elements of arrays are compared with those at the same index, and not with those of the same identity.
    package var isInPlace = false

    /// Options that compare everything.
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
    /// The last action up to which both logs were compared.
    public var seq = 0
    /// The reason why the comparison ended.
    public var stop = Stop.ended
    /// The number of events of unknown kinds in the recording.
    public var unknown = 0
    /// The findings of the second log that are not differences.
    public var notes: [LogEvent.Finding] = []

    /// How many of the differences belong to the first event that differs, at which `first` ends.
    package var firstDifferences = 0

    /// The ignored places that the second log had when its state differed.
    package var matchedIgnores: Set<JSON.Pointer> = []

    /// A result without differences, of a comparison that has not begun.
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
    /// Both logs were closed.
    case ended
    /// The recording stops, possibly within an action; `isReplayed` when the other log has that action's change.
    case recordingStops(openAction: Int?, isReplayed: Bool)
    /// The other log stops where the recording continues.
    case replayStops(openAction: Int?)
    /// The logs differ.
    case differs
  }
}
