import ActionLog
@_spi(Internals) import ComposableArchitecture
import ComposableRecorder
import Foundation
import ReplayEngine

/// Runs a feature live with a script and a recorder.
struct LiveRecording {
  private let request: RecordRequest
  /// The number of intervals of two milliseconds without actions after which publishers count as idle.
  private static let mostQuiet = 100

  init(_ request: RecordRequest) { self.request = request }

  /// Sends the script's actions to a store, and waits if the script says so.
  ///
  /// - Throws: `RecordRequest.StepError` for an action that the feature lacks; `RecordRequest.TimeoutError` at the time
  ///   limit.
  @MainActor
  func run<R: Reducer>(
    of feature: FeatureEntry,
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) async throws -> RecordSummary {
    let origin = try request.start.map { start in
      try self.origin(start, of: feature, reducer: reducer, initialState: initialState)
    }
    let recorder = Recorder(to: .file(request.path))
    let recorded = reducer().recorded(as: request.feature, to: recorder)
    let effects = recorded.effects
    if let origin { effects?.resume(at: origin.place) }
    let start = ContinuousClock.now
    var store: Store<R.State, R.Action>? =
      Store(initialState: origin?.state ?? initialState()) { recorded }
    let next = try request.steps.makeReader()
    var index = 0
    func checkTime() throws {
      guard let seconds = request.timeout, ContinuousClock.now > start + .seconds(seconds) else {
        return
      }
      let running = effects?.running ?? []
      throw RecordRequest.TimeoutError(
        seconds: seconds,
        waiting: RecordRequest.Waiting(
          index: index,
          effects: running.map { RecordRequest.RunningEffect(id: $0) }
        ),
        summary: RecordSummary(path: request.path, actions: effects?.actions ?? 0)
      )
    }
    while let step = try next() {
      switch step {
      case .send(let json):
        guard let store else { break }
        do {
          let template = ActionTemplate(json)
          // The state is encoded only for an action that refers to it.
          let action =
            try template.isConstant
            ? json : template.filled(from: JSON(logging: store.currentState))
          store.send(try LogDecoder(action).value(R.Action.self))
        } catch {
          throw RecordRequest.StepError(index: index, problem: error)
        }
      case .wait(let seconds): try await Task.sleep(for: .seconds(seconds))
      case .finish:
        // A presentation keeps a publisher running, so publishers alone are awaited only while they send.
        var (actions, quiet) = (-1, 0)
        while let effects, !effects.running.isEmpty, effects.hasTasks || quiet < Self.mostQuiet {
          try checkTime()
          quiet = effects.hasTasks || effects.actions != actions ? 0 : quiet + 1
          actions = effects.actions
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      try checkTime()
      index += 1
    }
    store = nil
    recorder.flush()
    return RecordSummary(path: request.path, actions: effects?.actions ?? 0)
  }

  /// Returns the state after an action of a log, from which a store continues, and the place of the action.
  ///
  /// The log lacks the library's data about presentations. The library therefore presents the features again with the
  /// first action.
  @MainActor
  private func origin<R: Reducer>(
    _ start: RecordRequest.Start,
    of feature: FeatureEntry,
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) throws -> (state: R.State, place: LogEvent.Header.Continuation) {
    let point = try ResumePoint(start.log, through: start.seq, of: feature)
    let engine = ComposableEngine(reducer: reducer, initialState: initialState, isLive: true)
    do {
      _ = try engine.load(point.checkpoint, header: point.header)
    } catch let error as LogDecodingError {
      throw ResumeError.undecodable(seq: point.checkpoint.seq, error, "\(error)")
    }
    guard let state = engine.currentState else { throw ResumeError.noState }
    if let next = point.checkpoint.nextStackElement { StackElements.skip(to: next) }
    let alive = point.checkpoint.effects.flatMap(\.flattened).filter { $0.operation == .run }
    request.didResume?(
      RecordRequest.Resumed(
        seq: point.checkpoint.seq,
        restarted: [],
        left: alive.compactMap { effect in
          effect.id.map { RecordRequest.RunningEffect(id: $0, name: effect.name) }
        },
        canRestart: false
      )
    )
    let place = LogEvent.Header.Continuation(log: point.header.id, seq: point.checkpoint.seq)
    return (state, place)
  }
}
