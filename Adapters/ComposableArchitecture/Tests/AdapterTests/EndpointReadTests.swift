import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Synchronization
import Testing

/// A client with closures, as `@DependencyClient` writes one.
struct FlagsClient: Sendable {
  var isPro: @Sendable () -> Bool = {
    reportIssue("Unimplemented: 'FlagsClient.isPro'")
    return false
  }
  var limit: @Sendable (_ plan: String, _ seats: Int) -> Int = { _, _ in
    reportIssue("Unimplemented: 'FlagsClient.limit'")
    return 0
  }
}

extension FlagsClient: DependencyKey {
  static var liveValue: Self { Self() }
  static var testValue: Self { Self() }
}

extension DependencyValues {
  fileprivate var flags: FlagsClient {
    get { self[FlagsClient.self] }
    set { self[FlagsClient.self] = newValue }
  }
}

/// A feature whose reducer asks a client.
@Reducer @Loggable
struct Plans {
  @ObservableState
  struct State: Equatable {
    var isPro = false
    var limit = 0
    var loaded: Int?
  }

  enum Action {
    case refreshed
    case limitAsked(plan: String, seats: Int)
    case loadTapped
    case loaded(Int)
  }

  @Dependency(\.flags) var flags

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .refreshed:
        state.isPro = flags.isPro()
        return .none
      case .limitAsked(let plan, let seats):
        state.limit = flags.limit(plan, seats)
        return .none
      case .loadTapped:
        return .run { [flags] send in await send(.loaded(flags.limit("effect", 1))) }
      case .loaded(let limit):
        state.loaded = limit
        return .none
      }
    }
  }
}

/// Returns the feature.
///
/// - Parameter isReading: Whether its calls of the client are reads.
/// - Returns: The feature as one type, whether it reads or not.
private func plans(isReading: Bool = true) -> Reduce<Plans.State, Plans.Action> {
  guard isReading else { return Reduce(Plans()) }
  return Reduce(
    Plans()
      .reading(\.flags.isPro, as: "flags.isPro")
      .reading(\.flags.limit, as: "flags.limit")
      // The inner one does not count.
      .reading(\.flags.limit, as: "flags.limit")
  )
}

/// Calls of clients by reducers, which are reads.
@Suite @MainActor
struct EndpointReadTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  /// Records a session in which the answers of the client change.
  private func record(isReading: Bool = true) async throws -> URL {
    let recorder = Recorder(to: .file(folder.log("log.jsonl")))
    let calls = Mutex(0)
    @Sendable func count() -> Int {
      calls.withLock {
        $0 += 1
        return $0
      }
    }
    let store = withDependencies {
      $0.flags.isPro = { count() % 2 == 0 }
      $0.flags.limit = { plan, seats in plan.count * seats + count() }
    } operation: {
      Store(initialState: Plans.State()) {
        plans(isReading: isReading).recorded(as: "Plans", to: recorder)
      }
    }
    store.send(.refreshed)
    store.send(.refreshed)
    store.send(.limitAsked(plan: "team", seats: 5))
    store.send(.loadTapped)
    try await wait { store.state.loaded != nil }
    recorder.flush()
    return folder.log("log.jsonl")
  }

  private func replay(_ log: URL, isReading: Bool = true) throws -> ReplayedLog {
    let feature = ReplayFeature("Plans") {
      plans(isReading: isReading)
    } initialState: {
      Plans.State()
    }
    let logs = try ReplayedLog.check(logsAt: log.path, of: feature.entry)
    return try #require(logs.first)
  }

  @Test
  func
    `the answers of an endpoint to a reducer are in the log, in order, and those to effects are not`()
    async throws
  {
    let log = try await record()
    #expect(
      try reads(log) == ["1 flags.isPro false", "2 flags.isPro true", "3 flags.limit 23"]
    )
    let text = try replay(log).text
    #expect(text.split(separator: "\n").first == "\(log.path): identical, through action 5")
  }

  @Test func `without reading, a replay diverges and names the client`() async throws {
    let log = try await record(isReading: false)
    #expect(try reads(log) == [])
    let text = try replay(log, isReading: false).text
    #expect(text.hasPrefix("\(log.path): diverged at action 2: state isPro"), "\(text)")
    #expect(
      text.contains(
        """
        Unimplemented: 'FlagsClient.isPro'. The reducer asked a dependency client, and the log has no answer. Before \
        recording, add '.reading(\\.CLIENT.isPro, as: "isPro")' to the body of the feature. For this log, add \
        '.dependency(\\.CLIENT.isPro, { @Sendable (...) in ... })' to the replayed reducer. CLIENT is the name of FlagsClient in \
        DependencyValues.
        """
      ),
      "\(text)"
    )
  }

  @Test func `a call that the log lacks is a difference, and returns the value for tests`()
    async throws
  {
    let log = try await record(isReading: false)
    let text = try replay(log).text
    #expect(text.hasPrefix("\(log.path): diverged at action 1: reads flags.isPro"), "\(text)")
    #expect(text.contains("Unimplemented: 'FlagsClient.isPro'"), "\(text)")
  }

  @Test func `outside of a recording, an endpoint is called as ever`() async {
    let store = withDependencies {
      $0.flags.isPro = { true }
    } operation: {
      Store(initialState: Plans.State()) { plans() }
    }
    store.send(.refreshed)
    #expect(store.state.isPro)
  }

  @Test func `a test answers the calls of a reducer from a log`() async {
    let reads = StubbedReads()
    let store = TestStore(initialState: Plans.State()) { plans().answeringReads(from: reads) }
    reads.answer("flags.limit", with: "7")
    await store.send(.limitAsked(plan: "team", seats: 5)) { $0.limit = 7 }
  }
}
