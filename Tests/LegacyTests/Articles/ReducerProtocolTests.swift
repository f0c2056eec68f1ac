import Foundation
import TCACore
import Testing

// Features that are migrated from closures with an environment to types, in the usual order.

// MARK: - A feature without children

@available(*, deprecated)
extension Oldest {
  struct StampState: Equatable { var stamps: [Date] = [] }

  enum StampAction: Equatable { case stampTapped }

  struct StampEnvironment { var date: () -> Date }

  static let stampReducer = Reducer<
    StampState,
    StampAction,
    StampEnvironment
  > { state, action, environment in
    switch action {
    case .stampTapped:
      state.stamps.append(environment.date())
      return .none
    }
  }

  struct DeskState: Equatable {
    var stamp = StampState()
    var drawer: StampState?
    var taps = 0
  }

  enum DeskAction: Equatable {
    case stamp(StampAction)
    case drawer(StampAction)
    case openTapped
  }

  struct DeskEnvironment {
    var date: () -> Date
    var name: String
  }

  static let deskReducer = Reducer<DeskState, DeskAction, DeskEnvironment>.combine(
    stampReducer
      .pullback(
        state: \.stamp,
        action: /DeskAction.stamp,
        environment: {
          StampEnvironment(date: $0.date)
        }
      ),
    stampReducer
      .optional()
      .pullback(
        state: \.drawer,
        action: /DeskAction.drawer,
        environment: { StampEnvironment(date: $0.date) }
      ),
    Reducer { state, action, environment in
      state.taps += 1
      if action == .openTapped { state.drawer = StampState() }
      return .none
    }
  )
}

@available(*, deprecated)
struct Stamp: ReducerProtocol {
  struct State: Equatable, Identifiable {
    var id = 0
    var stamps: [Date] = []
  }

  enum Action: Equatable { case stampTapped }

  let date: () -> Date

  func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
    switch action {
    case .stampTapped:
      state.stamps.append(date())
      return .none
    }
  }
}

@available(*, deprecated)
extension Oldest {
  /// The old parent with the new child.
  enum HalfWay {
    struct DeskState: Equatable {
      var stamp = Stamp.State()
      var drawer: Stamp.State?
    }

    enum DeskAction: Equatable {
      case stamp(Stamp.Action)
      case drawer(Stamp.Action)
      case openTapped
    }

    static let deskReducer = Reducer<DeskState, DeskAction, DeskEnvironment>.combine(
      AnyReducer { environment in
        Stamp(date: environment.date)
      }
      .pullback(
        state: \.stamp,
        action: /DeskAction.stamp,
        environment: { $0 }
      ),
      AnyReducer { environment in
        Stamp(date: environment.date)
      }
      .optional()
      .pullback(
        state: \.drawer,
        action: /DeskAction.drawer,
        environment: { $0 }
      ),
      Reducer { state, action, environment in
        if action == .openTapped { state.drawer = Stamp.State() }
        return .none
      }
    )
  }
}

// MARK: - Features with children

@available(*, deprecated)
struct Desk: ReducerProtocol {
  struct State: Equatable {
    var stamp = Stamp.State()
    var drawer: Stamp.State?
    var rows: IdentifiedArrayOf<Stamp.State> = []
    var old = Oldest.StampState()
  }

  enum Action: Equatable {
    case stamp(Stamp.Action)
    case drawer(Stamp.Action)
    case row(id: Stamp.State.ID, action: Stamp.Action)
    case old(Oldest.StampAction)
    case openTapped
  }

  @Dependency(\.date) var date

  var body: some ReducerProtocol<State, Action> {
    Scope(state: \.stamp, action: /Action.stamp) {
      Stamp(date: { self.date() })
    }
    Scope(state: \.old, action: /Action.old) {
      Reduce(
        Oldest.stampReducer,
        environment: Oldest.StampEnvironment(date: { self.date() })
      )
    }
    Reduce { state, action in
      if action == .openTapped { state.drawer = Stamp.State() }
      return .none
    }
    .ifLet(\.drawer, action: /Action.drawer) {
      Stamp(date: { self.date() })
    }
    .forEach(\.rows, action: /Action.row) {
      Stamp(date: { self.date() })
    }
  }
}

/// A body that does not name its parts.
@available(*, deprecated)
struct ErasedDesk: ReducerProtocol {
  var body: Reduce<Desk.State, Desk.Action> {
    Desk()
    Desk()
    EmptyReducer()
  }
}

/// A body with one closure.
@available(*, deprecated)
struct ErasedCounter: ReducerProtocol {
  var body: Reduce<Int, Bool> {
    Reduce { state, isUp in
      state += isUp ? 1 : -1
      return .none
    }
  }
}

@available(*, deprecated)
struct Bound: ReducerProtocol {
  struct State: Equatable {
    @BindableState var name = ""
    var log: [String] = []
  }

  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
  }

  var body: some ReducerProtocol<State, Action> {
    Reduce { state, action in
      state.log.append("before \(state.name)")
      return .none
    }

    BindingReducer()

    Reduce { state, action in
      state.log.append("after \(state.name)")
      return .none
    }
  }
}

@MainActor
@Suite("From an environment to types")
struct ReducerProtocolTests {
  @Test func `a feature with an environment runs in a test store`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let now = Date(timeIntervalSince1970: 0)
        let store = TestStore(
          initialState: Oldest.DeskState(),
          reducer: Oldest.deskReducer,
          environment: Oldest.DeskEnvironment(date: { now }, name: "desk")
        )
        await store.send(.stamp(.stampTapped)) {
          $0.stamp.stamps = [now]
          $0.taps = 1
        }
        await store.send(.openTapped) {
          $0.drawer = Oldest.StampState()
          $0.taps = 2
        }
        await store.send(.drawer(.stampTapped)) {
          $0.drawer?.stamps = [now]
          $0.taps = 3
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a reducer type runs as a child of a reducer with an environment`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let now = Date(timeIntervalSince1970: 0)
        let store = TestStore(
          initialState: Oldest.HalfWay.DeskState(),
          reducer: Oldest.HalfWay.deskReducer,
          environment: Oldest.DeskEnvironment(date: { now }, name: "desk")
        )
        await store.send(.stamp(.stampTapped)) { $0.stamp.stamps = [now] }
        await store.send(.openTapped) { $0.drawer = Stamp.State() }
        await store.send(.drawer(.stampTapped)) { $0.drawer?.stamps = [now] }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a reducer composes types, optional children, rows and older reducers`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let now = Date(timeIntervalSince1970: 0)
        let store = TestStore(initialState: Desk.State(rows: [.init(id: 1), .init(id: 2)])) {
          Desk()
        }
        store.dependencies.date = .constant(now)
        await store.send(.stamp(.stampTapped)) { $0.stamp.stamps = [now] }
        await store.send(.old(.stampTapped)) { $0.old.stamps = [now] }
        await store.send(.openTapped) { $0.drawer = Stamp.State() }
        await store.send(.drawer(.stampTapped)) { $0.drawer?.stamps = [now] }
        await store.send(.row(id: 2, action: .stampTapped)) { $0.rows[id: 2]?.stamps = [now] }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a reducer body can have the type Reduce`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let now = Date(timeIntervalSince1970: 0)
        let store = TestStore(initialState: .init()) {
          ErasedDesk()
        } withDependencies: {
          $0.date = .constant(now)
        }
        await store.send(.stamp(.stampTapped)) { $0.stamp.stamps = [now, now] }
        let counter = TestStore(initialState: 1) { ErasedCounter() }
        await counter.send(true) { $0 = 2 }
        await counter.send(false) { $0 = 1 }
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `BindingReducer sets a property between the reducers around it`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = TestStore(initialState: Bound.State()) { Bound() }
        await store.send(.set(\.$name, "Blob")) {
          $0.name = "Blob"
          $0.log = ["before ", "after Blob"]
        }
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
