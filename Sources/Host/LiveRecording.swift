import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// Runs a feature live through a script, with a recorder attached.
struct LiveRecording {
  private let request: RecordRequest

  init(_ request: RecordRequest) { self.request = request }

  /// Sends the script's actions to a store and waits where the script says so.
  ///
  /// - Throws: `RecordRequest.StepError` for an action that is none, before anything has run if that can be told;
  ///   `LogWriteError` when there can be no log.
  @MainActor
  func run<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) async throws -> RecordSummary {
    for (index, step) in request.steps.enumerated() {
      guard case .send(let json) = step, ActionTemplate(json).isConstant else { continue }
      _ = try Self.step(index) { try LogDecoder(json).value(R.Action.self) }
    }
    let sink = try FileSink(creating: request.path)
    var tasks: [StoreTask] = []
    var store: Store<R.State, R.Action>? = Store(initialState: initialState()) {
      reducer().recorded(as: request.feature, to: LogDestination { sink })
    }
    for (index, step) in request.steps.enumerated() {
      switch step {
      case .send(let json):
        guard let store else { break }
        let action = try Self.step(index) {
          let action = try ActionTemplate(json).filled(from: JSON(logging: store.state))
          return try LogDecoder(action).value(R.Action.self)
        }
        tasks.append(store.send(action))
      case .wait(let seconds): try await Task.sleep(for: .seconds(seconds))
      case .finish: for task in tasks { await task.finish() }
      }
    }
    store = nil
    return RecordSummary(path: sink.path, actions: try Self.actions(in: sink.path))
  }

  /// Does something for a step, which is named when it fails.
  private static func step<Value>(
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
