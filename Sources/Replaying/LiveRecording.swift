import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// A live run of a feature that performs the steps of a script and records them.
struct LiveRecording {
  private let request: RecordRequest
  /// The delay after which a step that is still waiting is reported.
  private let reportDelay: Duration

  init(_ request: RecordRequest, reportDelay: Duration = .seconds(3)) {
    self.request = request
    self.reportDelay = reportDelay
  }

  /// Sends the script's actions to a store, and waits at the steps that require it.
  ///
  /// - Throws: `RecordRequest.StepError` for an action that the feature does not have, if possible before the feature
  ///   runs. `RecordRequest.TimeoutError` at the time limit. `LogWriteError` if the log can't be written. `ResumeError`
  ///   if the feature can't resume from the requested position in a log.
  @MainActor
  func run<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State,
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<R.Action>?)? = nil,
    plan: MigrationPlan? = nil
  ) async throws -> RecordSummary {
    try check(R.Action.self)
    let point = try request.start.map { start in
      try ResumePoint(start.log, through: start.seq, plan: plan, stateType: nil) {
        ReducerEngine(reducer: reducer, initialState: initialState)
      }
    }
    let sink = try FileSink(creating: request.path)
    let deadline = Deadline(seconds: request.timeout)
    let didWrite = request.didWrite
    var configuration = RecorderConfiguration(
      LogDestination { () -> any LogSink in
        guard let didWrite else { return sink }
        return NotifyingSink(sink, didWrite: didWrite)
      }
    )
    if request.recordsCalls { configuration.calls = CallFilter() }
    let recorder = Recorder(configuration)
    var store: Store<R.State, R.Action>?
    var start: (R.State) -> Void = { _ in }
    let recorded = {
      let root = reducer().recorded(as: request.feature, to: recorder)
      let dependencies = DependencyValues._current
      start = { state in
        DependencyValues.$_current.withValue(dependencies) { root.startRecording(with: state) }
      }
      return root
    }
    if let point {
      store = try Store(
        at: point,
        reducer: recorded,
        initialState: initialState,
        restarting: restart,
        location: IssueLocation()
      )
      if let position = store?.restoredPosition {
        request.didResume?(RecordRequest.Resumed(position))
      }
    } else {
      store = Store(initialState: initialState()) { recorded() }
    }
    // The recording starts now, so that a log exists even if no action follows.
    if let state = store?.state { start(state) }
    var late: RecordRequest.Waiting?
    let nextStep = try Self.reader(of: request.steps, until: deadline, request.willWait)
    var index = 0
    func waiting() -> RecordRequest.Waiting {
      RecordRequest.Waiting(
        index: index,
        effects: Self.effects(store?.unfinishedEffects ?? [], in: sink.path)
      )
    }
    // If the recording is canceled, the log contains the steps up to this point.
    while late == nil, !Task.isCancelled, let store, let step = try await nextStep() {
      defer { index += 1 }
      switch step {
      case .send(let json):
        do {
          let action = try Self.runStep(index) {
            let template = ActionTemplate(json)
            // The state is encoded only if the action refers to it.
            let action =
              try template.isConstant ? json : template.filled(from: JSON(logging: store.state))
            return try LogDecoder(action).value(R.Action.self)
          }
          store.send(action)
        } catch {
          guard let tell = request.didRefuse else { throw error }
          tell(error)
        }
      case .wait(let seconds):
        if await !deadline.sleep(for: .seconds(seconds)) { late = waiting() }
      case .finish:
        var didWait = request.didWait
        let end = ContinuousClock.now + reportDelay
        var pause = Duration.milliseconds(1)
        while !store.unfinishedEffects.isEmpty, late == nil, !Task.isCancelled {
          if ContinuousClock.now >= end, let tell = didWait {
            tell(waiting())
            didWait = nil
          }
          if await !deadline.sleep(for: pause) { late = waiting() }
          pause = min(pause * 2, .milliseconds(20))
        }
      }
    }
    if request.steps.arriving != nil, deadline.isOver { late = late ?? waiting() }
    store = nil
    if let failure = sink.failure, failure.isOfDisk {
      // An empty file is not a log.
      if (try? FileHandle(readingLog: sink.path).seekToEnd()) == 0 { unlink(sink.path) }
      throw failure
    }
    let actions = Result { try Self.actions(in: sink.path) }
    if let late, let seconds = request.timeout {
      let summary = RecordSummary(path: sink.path, actions: (try? actions.get()) ?? 0)
      throw RecordRequest.TimeoutError(seconds: seconds, waiting: late, summary: summary)
    }
    return RecordSummary(path: sink.path, actions: try actions.get())
  }

  /// Returns a function that reads the steps.
  ///
  /// The function waits for steps that arrive later, up to the time limit.
  @MainActor
  private static func reader(
    of steps: RecordRequest.Steps,
    until deadline: Deadline,
    _ willWait: (@MainActor @Sendable () async -> Void)?
  ) throws -> @MainActor () async throws -> RecordRequest.Step? {
    guard let arriving = steps.arriving else {
      let next = try steps.makeReader()
      return { try next() }
    }
    let steps = ArrivingSteps(arriving, until: deadline.instant)
    return {
      await willWait?()
      return try await steps.next()
    }
  }

  /// Validates the actions that do not refer to the state, before the feature runs.
  private func check<Action>(_: Action.Type) throws {
    let nextStep = try request.steps.makeReader()
    var index = 0
    while let step = try nextStep() {
      if case .send(let json) = step, ActionTemplate(json).isConstant {
        _ = try Self.runStep(index) { try LogDecoder(json).value(Action.self) }
      }
      index += 1
    }
  }

  /// The time at which a recording must end.
  private struct Deadline {
    let instant: ContinuousClock.Instant?

    init(seconds: Double?) {
      // Limited to about ten years, so that clock arithmetic can't overflow.
      instant = seconds.map { .now + .seconds(min($0, 3e8)) }
    }

    var isOver: Bool { instant.map { ContinuousClock.now >= $0 } ?? false }

    /// Sleeps until the duration has passed, the deadline is reached, or the task is canceled.
    ///
    /// - Returns: Whether time remains before the deadline.
    func sleep(for duration: Duration) async -> Bool {
      guard let instant else {
        try? await Task.sleep(for: duration)
        return true
      }
      try? await Task.sleep(until: min(.now + duration, instant))
      return ContinuousClock.now < instant
    }
  }

  /// Returns descriptions of effects, with the names and sources that the log contains.
  private static func effects(
    _ ids: [EffectID],
    in path: String
  ) -> [RecordRequest.RunningEffect] {
    let seqs = Set(ids.map(\.seq))
    var actions: [Int: JSON] = [:]
    var descriptions: [EffectID: EffectDescription] = [:]
    var reader = try? LogReader(path: path)
    while let entry = try? reader?.next() {
      switch entry.event {
      case .action(let action) where seqs.contains(action.seq):
        actions[action.seq] = action.action
      case .change(let change) where seqs.contains(change.seq):
        for leaf in change.effects.flatMap(\.flattened) {
          if let id = leaf.id { descriptions[id] = leaf }
        }
      default: break
      }
    }
    return ids.map { id in
      RecordRequest.RunningEffect(
        id: id,
        name: descriptions[id]?.name,
        source: descriptions[id]?.source,
        action: actions[id.seq]
      )
    }
  }

  /// Runs a closure for a step, and wraps an error with the index of the step.
  private static func runStep<Value>(
    _ index: Int,
    _ body: () throws -> Value
  ) throws(RecordRequest.StepError) -> Value {
    do { return try body() } catch {
      throw RecordRequest.StepError(index: index, problem: error)
    }
  }

  private static func actions(in path: String) throws -> Int {
    var reader = try LogReader(path: path)
    var count = 0
    while let entry = try reader.next() {
      if case .action = entry.event { count += 1 }
    }
    return count
  }
}

/// A sink that writes lines to a file, and calls a closure after each write.
private final class NotifyingSink: LogSink {
  private let sink: FileSink
  private let didWrite: @Sendable (_ path: String) -> Void

  init(_ sink: FileSink, didWrite: @escaping @Sendable (_ path: String) -> Void) {
    (self.sink, self.didWrite) = (sink, didWrite)
  }

  func append(_ lines: [UInt8]) throws {
    try sink.append(lines)
    didWrite(sink.path)
  }

  func appendUnchecked(_ lines: [UInt8]) throws {
    try sink.appendUnchecked(lines)
    didWrite(sink.path)
  }
}

extension RecordRequest.Resumed {
  fileprivate init(_ position: RestoredPosition) {
    func effects(_ outcomes: RestoredEffect.Outcome...) -> [RecordRequest.RunningEffect] {
      position.effects.filter { outcomes.contains($0.outcome) }
        .map { effect in
          RecordRequest.RunningEffect(
            id: effect.id,
            name: effect.name,
            source: effect.source,
            action: effect.startingAction
          )
        }
    }
    // A canceled effect has nothing left to do, so it is not listed.
    self.init(
      seq: position.seq,
      restarted: effects(.runs, .actionSent),
      left: effects(.noRestart, .declined, .nothingToRun)
    )
  }
}
