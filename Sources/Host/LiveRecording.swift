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
  /// - Throws: `LogDecodingError` for an action that is none, before anything has run; `LogWriteError` when there can
  ///   be no log.
  @MainActor
  func run<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) async throws -> RecordSummary {
    for case .send(let json) in request.steps where ActionTemplate(json).isConstant {
      _ = try LogDecoder(json).value(R.Action.self)
    }
    let sink = try FileSink(creating: request.path)
    var tasks: [StoreTask] = []
    var store: Store<R.State, R.Action>? = Store(initialState: initialState()) {
      reducer().recorded(as: request.feature, to: LogDestination { sink })
    }
    for step in request.steps {
      switch step {
      case .send(let json):
        guard let store else { break }
        let action = try ActionTemplate(json).filled(from: JSON(logging: store.state))
        tasks.append(store.send(try LogDecoder(action).value(R.Action.self)))
      case .wait(let seconds): try await Task.sleep(for: .seconds(seconds))
      case .finish: for task in tasks { await task.finish() }
      }
    }
    store = nil
    return RecordSummary(path: sink.path, actions: try Self.actions(in: sink.path))
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
