import Foundation
import TCACore

/// A feature whose effects are controlled by a test.
@Reducer
struct Lab {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var notes: [String] = []
    var isOn = false
  }

  @CasePathable
  enum Action: Equatable {
    case add(Int)
    case note(String)
    case nothing
    /// Sends actions from an effect, one after the other.
    case send([Action])
    /// Sends actions in the same `send`.
    case sendAtOnce([Action])
    /// Sends an action once the clock has advanced.
    case sendAfter(Duration, [Action])
    case sendWhenOpen(Gate, [Action])
    /// Runs two effects that end when they are canceled.
    case wait
    case cancel
    case close
    case readDate
  }

  enum CancelID { case waiting }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.date.now) private var now

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let number):
        state.count += number
        return .none
      case .note(let note):
        state.notes.append(note)
        return .none
      case .nothing:
        return .none
      case .send(let actions):
        return .run { send in
          for action in actions { await send(action) }
        }
      case .sendAtOnce(let actions):
        return .merge(actions.map { .send($0) })
      case .sendAfter(let duration, let actions):
        return .run(
          name: "waiting",
          operation: { [clock] send in
            try await clock.sleep(for: duration)
            for action in actions { await send(action) }
          },
          fileID: "App/Lab.swift",
          line: 7
        )
        .cancellable(id: CancelID.waiting)
      case .sendWhenOpen(let gate, let actions):
        return .run { send in
          await gate.wait()
          for action in actions { await send(action) }
        }
        .cancellable(id: CancelID.waiting)
      case .wait:
        return .merge(
          .run(operation: { _ in try await Task.never() }, fileID: "App/Lab.swift", line: 8),
          .run(
            name: "second",
            operation: { _ in try await Task.never() },
            fileID: "App/Lab.swift",
            line: 9
          )
        )
        .cancellable(id: CancelID.waiting)
      case .cancel:
        return .cancel(id: CancelID.waiting)
      case .close:
        return .run { [dismiss] _ in await dismiss() }
      case .readDate:
        state.notes.append("\(now.timeIntervalSince1970)")
        return .none
      }
    }
  }
}

extension Gate: Equatable {
  /// All gates are equal, so actions with gates are compared by their other values.
  static func == (_: Gate, _: Gate) -> Bool { true }
}

extension TestStoreOf<Lab> {
  /// Returns a test store of the lab.
  static func lab(
    _ state: Lab.State = Lab.State(),
    clock: TestClock<Duration> = TestClock(),
    line: UInt = #line
  ) -> TestStoreOf<Lab> {
    TestStore(initialState: state) {
      Lab()
    } withDependencies: {
      $0.continuousClock = clock
    }
  }
}
