import ActionLog
@_spi(Internals) import ComposableArchitecture
import ComposableRecorder
import Foundation
import ReplayEngine

/// Runs a feature live through a script, with a recorder attached.
struct LiveRecording {
  private let request: RecordRequest
  /// How often nothing may have come, at intervals of two milliseconds, before publishers count as idle.
  private static let mostQuiet = 100

  init(_ request: RecordRequest) { self.request = request }

  private static let cannotResume =
    "a host for this library does not go on from a log; record the feature from its initial state, without"
    + " --from, and send the log's actions"

  /// Sends the script's actions to a store and waits where the script says so.
  ///
  /// - Throws: `RecordRequest.StepError` for an action that the feature does not have; `RecordRequest.TimeoutError` at the time
  ///   limit.
  @MainActor
  func run<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) async throws -> RecordSummary {
    guard request.start == nil else { throw ResumeError.other(Self.cannotResume) }
    let recorder = Recorder(to: .file(request.path))
    let recorded = reducer().recorded(as: request.feature, to: recorder)
    let effects = recorded.effects
    let start = ContinuousClock.now
    var store: Store<R.State, R.Action>? = Store(initialState: initialState()) { recorded }
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
        // What is presented keeps a publisher, so publishers alone are waited for only while they send.
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
}
