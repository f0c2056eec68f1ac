extension LogComparison {
  /// How far a comparison goes.
  public enum Extent: Sendable {
    /// Through one log, to the first event that differs. Where the recording stops, nothing is compared any more.
    case first
    /// Through one log and all its differences, as far as the second log says where it went on from the first one's state.
    case resynced
    /// Through all logs and all differences, as long as the events still go together.
    case all
  }

  /// Actions that are the same in both logs, and of which nothing came but patches.
  package struct PassedActions: Sendable {
    /// The last of them.
    package let seq: Int
    /// Their patches.
    package let patches: LoggedPatches

    package init(seq: Int, patches: LoggedPatches) {
      self.seq = seq
      self.patches = patches
    }
  }

  /// What a comparison leaves out or takes seriously.
  public struct Options: Sendable, Equatable {
    /// The parts of the state that are not compared; a token `*` stands for every member or element.
    public var ignored: [JSON.Pointer] = []
    /// Whether a log and code with different members differ by that alone.
    public var isStrict = false
    /// Whether elements of arrays are compared with those at the same index, and not with those that have their identity.
    package var isInPlace = false

    /// Options that leave nothing out.
    public init(ignored: [JSON.Pointer] = [], isStrict: Bool = false) {
      self.ignored = ignored
      self.isStrict = isStrict
    }
  }

  /// What a comparison found.
  public struct Result: Sendable, Equatable {
    /// The differences, in the order of the events.
    public var differences: [LogDifference] = []
    /// The last action up to which both logs were compared.
    public var seq = 0
    /// Where the comparison came to an end.
    public var stop = Stop.ended
    /// How many events of unknown kinds the recording holds.
    public var unknown = 0
    /// What the second log notes that makes no difference.
    public var notes: [LogEvent.Finding] = []

    /// How many of the differences the first event that differs has: those at which `first` ends.
    package var firstDifferences = 0

    /// The parts that were left out and that the second log had where its state differed.
    package var met: Set<JSON.Pointer> = []

    /// A result without differences, of a comparison that has not begun.
    public init() {}
  }

  /// How a comparison comes to an end.
  public enum Stop: Sendable, Equatable {
    /// Both logs were closed.
    case ended
    /// The recording stops, possibly within an action; `isReplayed` when the other log has that action's change.
    case recordingStops(openAction: Int?, isReplayed: Bool)
    /// The other log stops where the recording goes on.
    case replayStops(openAction: Int?)
    /// The logs differ.
    case differs
  }
}
