import ActionLog
import Foundation
import Observation
import Synchronization
import TCAReplay

@testable import TCAReplaying

/// An in-memory log of actions that a store of the planner handles, with the states after them.
@MainActor
func recordedPlanner(_ actions: [Planner.Action]) throws -> (log: RecordedLog, states: [JSON]) {
  let recorder = Recorder(to: .memory())
  let store = Store(initialState: Planner.State()) {
    Planner().recorded(to: recorder)
  } withDependencies: {
    $0.defaultAppStorage = .inMemory
  }
  var states = [JSON(logging: store.state)]
  for action in actions {
    store.send(action)
    states.append(JSON(logging: store.state))
  }
  return (.bytes(try recorder.export()), states)
}

/// Observers of a store's state, each of one value.
@MainActor
final class Observers<State> {
  private let reads: [(name: String, read: () -> Any)]
  private let fired = Mutex<Set<String>>([])

  /// Creates observers.
  ///
  /// - Parameter reads: The values by their names.
  init(_ reads: [(String, () -> Any)]) {
    self.reads = reads.map { (name: $0.0, read: $0.1) }
    observe()
  }

  private func observe() {
    for (name, read) in reads {
      withObservationTracking {
        _ = read()
      } onChange: { [weak self] in
        self?.fired.withLock { _ = $0.insert(name) }
      }
    }
  }

  /// Returns the observers that were notified since the last call.
  ///
  /// All of them observe again.
  func take() -> [String] {
    let names = fired.withLock { fired in
      defer { fired = [] }
      return fired.sorted()
    }
    observe()
    return names
  }
}

extension StoreTimeline {
  /// The state in the form of a log.
  var loggedState: JSON { JSON(logging: store.withState { $0 }) }
}

/// Named gates at which effects wait until a test opens them.
final class Gates: Sendable {
  private let contents = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

  func wait(_ name: String) async {
    await withCheckedContinuation { continuation in
      contents.withLock { $0[name] = continuation }
    }
  }

  /// Opens a gate.
  ///
  /// - Returns: Whether an effect was waiting.
  func open(_ name: String) -> Bool {
    let waiting = contents.withLock { $0.removeValue(forKey: name) }
    waiting?.resume()
    return waiting != nil
  }

  /// The number of waiting effects.
  var count: Int { contents.withLock { $0.count } }
}

/// Collects issues.
final class TimelineIssues: IssueReporter {
  private let storage = Mutex<[String]>([])
  var messages: [String] { storage.withLock { $0 } }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = message() ?? ""
    storage.withLock { $0.append(text) }
  }
}
