/// The comparison of two logs, event by event: what a replay, `diff` and the tests share.
///
/// Values are compared and not bytes: another patch that leads to the same state is no difference. What is informational
/// (times, durations, places in the source) is ignored, and so is what the library adds to effects.
///
/// ```swift
/// var comparison = LogComparison(recorded: { try a.next()?.event }, replayed: { try b.next()?.event })
/// try comparison.run(.first).differences
/// ```
public struct LogComparison {
  /// Gives the next event of a log, `nil` behind the last one.
  public typealias Events = () throws -> LogEvent?

  var recorded: ComparedEvents
  var replayed: ComparedEvents
  var states: ComparedStates
  /// The effects that send an action at once, in either log: their actions are the reducer's own.
  var sends: Set<EffectID> = []
  /// The places in the reducer's own actions that only one of the logs has.
  var driftedActions: Set<JSON.Pointer> = []
  var extent: Extent
  /// Whether the second log is made from the first by code that finds its patches by comparing states.
  package var isReplay = false
  /// Goes through the next actions that are known to be the same in both logs, and takes their events from neither.
  package var alike: (() throws -> PassedActions?)?
  let options: Options
  var result = Result()

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

  /// A comparison of two logs.
  public init(
    recorded: @escaping Events,
    replayed: @escaping Events,
    extent: Extent = .first,
    options: Options = Options()
  ) {
    self.recorded = ComparedEvents(recorded)
    self.replayed = ComparedEvents(replayed)
    self.extent = extent
    self.options = options
    states = ComparedStates(options)
  }

  /// Compares.
  ///
  /// - Throws: What the sources throw.
  public mutating func run() throws -> Result {
    var left = try recorded.next()
    var right = try replayed.next()
    while left != nil || right != nil {
      let step = compare(left, right)
      add(step.differences)
      result.unknown = recorded.unknown
      if let stop = step.stop {
        // From a difference the second log goes on, from the end of a log it does not.
        if extent == .resynced, stop == .differs, try realign(&left, &right) { continue }
        result.stop = try settled(stop)
        break
      }
      if !step.differences.isEmpty, extent != .resynced {
        result.stop = .differs
        if extent == .first { break }
      }
      if step.advance == .both, try !passAlike() {
        result.stop = .differs
        if extent == .first { break }
      }
      if step.advance != .replayed { left = try recorded.next() }
      if step.advance != .recorded { right = try replayed.next() }
      if extent != .all, left?.isHeader ?? true, right?.isHeader ?? true { break }
    }
    result.met = states.met
    return result
  }

  /// Takes the states through actions that are known to be the same in both logs.
  ///
  /// - Returns: Whether their patches fit.
  private mutating func passAlike() throws -> Bool {
    guard let alike, recorded.isBetweenActions, replayed.isBetweenActions, states.followPatches
    else { return true }
    guard let passed = try alike() else { return true }
    result.seq = passed.seq
    let differences = states.pass(passed.patches)
    add(differences)
    return differences.isEmpty
  }

  /// Takes note of what one event, or several that were passed, have differed in.
  private mutating func add(_ differences: [LogDifference]) {
    if result.differences.isEmpty { result.firstDifferences = differences.count }
    result.differences += differences
  }

  /// Looks for the other log's change of the action within which the recording stops.
  private mutating func settled(_ stop: Stop) throws -> Stop {
    guard case .recordingStops(let open?, isReplayed: false) = stop else { return stop }
    while let element = try replayed.next() {
      if element.content.isChange(of: open) {
        return .recordingStops(openAction: open, isReplayed: true)
      }
      if case .stop = element.content { break }
    }
    return stop
  }

  /// What comparing two elements gives.
  struct Step {
    var differences: [LogDifference] = []
    var stop: Stop?
    var advance = Side.both

    enum Side { case both, recorded, replayed }

    static func stop(_ stop: Stop, _ differences: [LogDifference] = []) -> Step {
      Step(differences: differences, stop: stop)
    }
  }
}

extension ComparedEvents.Element {
  var isHeader: Bool {
    if case .event(.header) = content { true } else { false }
  }
}
