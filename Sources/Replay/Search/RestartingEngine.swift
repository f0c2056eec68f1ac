import ActionLog

/// An engine that returns to an earlier state by repeating the steps that led to it.
///
/// A search uses it for a feature whose states can't be restored from snapshots, because copies share parts of them.
/// Each return takes as long as the steps.
package struct RestartingEngine: FeatureEngine {
  private let makeEngine: () throws -> any FeatureEngine
  private let checkpoint: LogEvent.Checkpoint
  private let header: LogEvent.Header
  private var engine: any FeatureEngine
  private var last: PerformedStep?

  /// Creates an engine that starts at a checkpoint.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint at which each repetition starts.
  ///   - header: The header of the checkpoint's log.
  ///   - makeEngine: Creates an engine without a state.
  /// - Throws: The error of an engine that can't load the checkpoint.
  package init(
    at checkpoint: LogEvent.Checkpoint,
    of header: LogEvent.Header,
    _ makeEngine: @escaping () throws -> any FeatureEngine
  ) throws {
    self.makeEngine = makeEngine
    self.checkpoint = checkpoint
    self.header = header
    engine = try makeEngine()
    _ = try engine.load(checkpoint, header: header)
  }

  package mutating func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    let loaded = try engine.load(checkpoint, header: header)
    last = PerformedStep(.load(checkpoint, header), after: last)
    return loaded
  }

  package mutating func step(_ input: StepInput) throws -> StepOutcome {
    // A step that throws may have changed the engine, so it is repeated, too.
    last = PerformedStep(.reduce(input), after: last)
    return try engine.step(input)
  }

  package mutating func forgetActions(of sends: [EffectID]) {
    last = PerformedStep(.forget(sends), after: last)
    engine.forgetActions(of: sends)
  }

  package var loggedState: JSONText { engine.loggedState }
  package var announcesReducer: Bool { engine.announcesReducer }
  package var sharedPlaces: JSON? { engine.sharedPlaces }
  package var nextStackElement: Int? { engine.nextStackElement }
  package func rewritten(_ state: JSON) throws -> JSON { try engine.rewritten(state) }
  package func rewritten(action: JSON) throws -> JSON { try engine.rewritten(action: action) }

  /// Always `nil`.
  package var snapshotObstacle: SnapshotObstacle? { nil }

  package func snapshot() -> EngineSnapshot { RestartingSnapshot(last) }

  package mutating func restore(_ snapshot: EngineSnapshot) {
    guard let snapshot = snapshot as? RestartingSnapshot, snapshot.last !== last else { return }
    // A new engine, because the state of the old one may share parts with the states that it had.
    guard var engine = try? makeEngine(),
      (try? engine.load(checkpoint, header: header)) != nil
    else { return }
    for step in PerformedStep.steps(through: snapshot.last) {
      switch step {
      case .load(let checkpoint, let header): _ = try? engine.load(checkpoint, header: header)
      case .reduce(let input): _ = try? engine.step(input)
      case .forget(let sends): engine.forgetActions(of: sends)
      }
    }
    self.engine = engine
    last = snapshot.last
  }
}

/// A step of an engine, linked to the steps before it.
private final class PerformedStep {
  enum Step {
    case load(LogEvent.Checkpoint, LogEvent.Header)
    case reduce(StepInput)
    case forget([EffectID])
  }

  private let step: Step
  private var previous: PerformedStep?

  init(_ step: Step, after previous: PerformedStep?) {
    self.step = step
    self.previous = previous
  }

  /// Returns all steps through one of them, in order.
  static func steps(through last: PerformedStep?) -> [Step] {
    var steps: [Step] = []
    var next = last
    while let performed = next {
      steps.append(performed.step)
      next = performed.previous
    }
    return steps.reversed()
  }

  // Without recursion, because a log may have many actions.
  deinit {
    var next = previous.take()
    while next != nil, isKnownUniquelyReferenced(&next) { next = next?.previous.take() }
  }
}

/// The last step before a state.
private final class RestartingSnapshot: EngineSnapshot {
  let last: PerformedStep?

  init(_ last: PerformedStep?) { self.last = last }
}
