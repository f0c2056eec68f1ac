import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A client without a test value.
private struct Account: Sendable {
  var isSignedIn: @Sendable () -> Bool
}

private enum AccountKey: DependencyKey {
  static var liveValue: Account { Account { true } }
}

extension DependencyValues {
  fileprivate var account: Account {
    get { self[AccountKey.self] }
    set { self[AccountKey.self] = newValue }
  }
}

/// A feature with rows, and with a reducer that calls a client.
@Reducer @Loggable
private struct Rows {
  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Counted.State> = []
    var answers: [Bool] = []
  }

  enum Action {
    case rows(IdentifiedActionOf<Counted>)
    case asked
  }

  @Dependency(\.account) var account

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .asked = action { state.answers.append(account.isSignedIn()) }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Counted() }
  }
}

@Reducer @Loggable
private struct Counted {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Action { case incremented }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

/// The feature with the answers of a client.
private struct Answered: Reducer {
  let account: Account

  var body: some Reducer<Rows.State, Rows.Action> { Rows().dependency(\.account, account) }
}

@Suite @MainActor
struct FindingTests {
  private let log: URL
  private let folder: LogFolder

  init() throws {
    folder = try LogFolder()
    log = folder.log("log.jsonl")
  }

  private func record(_ answers: [Bool], _ body: (StoreOf<Rows>) -> Void) {
    let recorder = Recorder(to: .file(log))
    let given = OrderedAnswers(answers.first ?? true, answers.last ?? true)
    let store = Store(initialState: Rows.State(rows: [Counted.State(id: 1)])) {
      Rows().recorded(as: "Rows", to: recorder)
    } withDependencies: {
      $0.account = Account { given.next() }
    }
    body(store)
    recorder.flush()
  }

  private func replay<R: Reducer<Rows.State, Rows.Action> & SendableMetatype>(
    _ reducer: @escaping @Sendable () -> R
  ) throws -> ReplayedLog {
    let feature = ReplayFeature("Rows", reducer: reducer) { Rows.State() }
    return try #require(try ReplayedLog.check(logsAt: log.path, of: feature.entry).first)
  }

  @Test func `an action for a missing element is a finding of the replay`() throws {
    // The library may report the issue to the test that runs the store.
    withKnownIssue(isIntermittent: true) {
      record([true]) {
        $0.send(.rows(.element(id: 1, action: .incremented)))
        $0.send(.rows(.element(id: 2, action: .incremented)))
      }
    }
    let replay = try replay { Rows() }
    #expect(replay.isSame)
    #expect(
      replay.text.contains("received an action for a missing element."),
      "\(replay.text)"
    )
  }

  @Test func `a replay names the client without a value that a reducer asks`() throws {
    record([false]) { $0.send(.asked) }
    let replay = try replay { Rows() }
    #expect(replay.text.contains("diverged at action 1: state answers[0]"), "\(replay.text)")
    #expect(
      replay.text.contains(
        """
         has no value for tests. The reducer read it, and the replay used the live value. Give it a 'testValue', or \
        add '.dependency(
        """
      ),
      "\(replay.text)"
    )
  }

  @Test func `a replay gives answers that change within a session in order`() throws {
    record([false, true]) {
      $0.send(.asked)
      $0.send(.asked)
    }
    let replay = try replay {
      let answers = OrderedAnswers(false, true)
      return Answered(account: Account { answers.next() })
    }
    #expect(replay.isSame, "\(replay.text)")
    #expect(replay.verdict == .identical)
  }
}

@Suite
struct OrderedAnswersTests {
  @Test func `OrderedAnswers repeats its last answer`() {
    let answers = OrderedAnswers(1, 2)
    #expect((0..<4).map { _ in answers.next() } == [1, 2, 2, 2])
  }
}
