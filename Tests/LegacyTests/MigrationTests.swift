import Foundation
import TCACore
import Testing

// The steps of Documentation/MovingToTCACore.md, in its order. Each compiles and runs beside the others.

// MARK: - The name of the oldest type

/// An app declares this once.
///
/// Here it has a separate namespace next to newer code.
@available(*, deprecated)
enum Oldest {
  typealias Reducer = AnyReducer
}

// MARK: - Step 0: the app as it is

struct CounterState: Equatable {
  var count = 0
  var fact: String?
}

enum CounterAction: Equatable {
  case incrementButtonTapped
  case factButtonTapped
  case factResponse(TaskResult<String>)
}

struct CounterEnvironment {
  var fact: @Sendable (Int) async throws -> String
}

@available(*, deprecated)
let counter = AnyReducer<CounterState, CounterAction, CounterEnvironment> {
  state,
  action,
  environment in
  switch action {
  case .incrementButtonTapped:
    state.count += 1
    return .none
  case .factButtonTapped:
    return .task { [count = state.count] in
      .factResponse(await TaskResult { try await environment.fact(count) })
    }
  case .factResponse(.success(let fact)):
    state.fact = fact
    return .none
  case .factResponse(.failure):
    state.fact = nil
    return .none
  }
}

@available(*, deprecated)
enum BeforeMigration {
  struct AppState: Equatable {
    var left = CounterState()
    var right = CounterState()
  }

  enum AppAction: Equatable {
    case left(CounterAction)
    case right(CounterAction)
  }

  struct AppEnvironment {
    var fact: @Sendable (Int) async throws -> String
  }

  static let app = AnyReducer<AppState, AppAction, AppEnvironment>.combine(
    counter.pullback(
      state: \.left,
      action: /AppAction.left,
      environment: { CounterEnvironment(fact: $0.fact) }
    ),
    counter.pullback(
      state: \.right,
      action: /AppAction.right,
      environment: { CounterEnvironment(fact: $0.fact) }
    )
  )
}

// MARK: - Step 1: the environment becomes a dependency

struct FactDependency: DependencyKey {
  var fetch: @Sendable (Int) async throws -> String

  static let liveValue = FactDependency { "\($0) is a number" }
  static let testValue = FactDependency { _ in "no fact" }
}

extension DependencyValues {
  var fact: FactDependency {
    get { self[FactDependency.self] }
    set { self[FactDependency.self] = newValue }
  }
}

// MARK: - Step 2: a feature becomes a type

struct MigratedCounter: Reducer {
  struct State: Equatable {
    var count = 0
    var fact: String?
  }

  enum Action: Equatable {
    case incrementButtonTapped
    case factButtonTapped
    case factResponse(TaskResult<String>)
  }

  @Dependency(\.fact) var fact

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        state.count += 1
        return .none
      case .factButtonTapped:
        return .run { [count = state.count] send in
          await send(.factResponse(TaskResult { try await fact.fetch(count) }))
        }
      case .factResponse(.success(let fact)):
        state.fact = fact
        return .none
      case .factResponse(.failure):
        state.fact = nil
        return .none
      }
    }
  }
}

// MARK: - Step 3: a new feature in an old parent

@available(*, deprecated)
enum NewInOld {
  struct AppState: Equatable {
    var left = CounterState()
    var right = MigratedCounter.State()
  }

  enum AppAction: Equatable {
    case left(CounterAction)
    case right(MigratedCounter.Action)
  }

  static let app = AnyReducer<AppState, AppAction, BeforeMigration.AppEnvironment>.combine(
    counter.pullback(
      state: \.left,
      action: /AppAction.left,
      environment: { CounterEnvironment(fact: $0.fact) }
    ),
    AnyReducer { environment in
      MigratedCounter().dependency(\.fact, FactDependency(fetch: environment.fact))
    }
    .pullback(state: \.right, action: /AppAction.right, environment: { $0 })
  )
}

// MARK: - Step 4: an old feature in a new parent

@available(*, deprecated)
struct OldInNew: Reducer {
  struct State: Equatable {
    var left = CounterState()
    var right = MigratedCounter.State()
  }

  enum Action: Equatable {
    case left(CounterAction)
    case right(MigratedCounter.Action)
  }

  @Dependency(\.fact) var fact

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: /Action.left) {
      Reduce(counter, environment: CounterEnvironment(fact: fact.fetch))
    }
    Scope(state: \.right, action: /Action.right) {
      MigratedCounter()
    }
  }
}

// MARK: - Step 5: macros and key paths

@Reducer
struct MacroCounter {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var fact: String?
  }

  enum Action {
    case incrementButtonTapped
    case factButtonTapped
    case factResponse(TaskResult<String>)
  }

  @Dependency(\.fact) var fact

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        state.count += 1
        return .none
      case .factButtonTapped:
        return .run { [count = state.count] send in
          await send(.factResponse(TaskResult { try await fact.fetch(count) }))
        }
      case .factResponse(.success(let fact)):
        state.fact = fact
        return .none
      case .factResponse(.failure):
        state.fact = nil
        return .none
      }
    }
  }
}

@Reducer
struct MacroApp {
  @ObservableState
  struct State: Equatable {
    var left = MacroCounter.State()
    var right = MacroCounter.State()
  }

  enum Action {
    case left(MacroCounter.Action)
    case right(MacroCounter.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(\.left, action: \.left) { MacroCounter() }
    Scope(\.right, action: \.right) { MacroCounter() }
  }
}

@MainActor
@Suite("Migration, step by step")
struct MigrationTests {
  @Test func `the code in the migration article is part of its test file`() throws {
    let file = URL(fileURLWithPath: #filePath)
    let package = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = package.appending(path: "Documentation/MovingToTCACore.md")
    // The attributes keep the tests free of warnings. An app wants the warnings.
    let source = words(of: try String(contentsOf: file, encoding: .utf8))
      .replacingOccurrences(of: "@available(*, deprecated) ", with: "")
    let parts = try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
    #expect(parts.count == 8)
    for part in parts {
      let code = part.components(separatedBy: "\n```")[0]
      let isThere = source.contains(words(of: code))
      #expect(isThere, "\(code)")
    }
  }

  /// Returns the text without its layout.
  private func words(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `the counters of the app before the migration run with an environment`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(
          initialState: BeforeMigration.AppState(),
          reducer: BeforeMigration.app,
          environment: BeforeMigration.AppEnvironment(fact: { "\($0)!" })
        )
        store.send(.left(.incrementButtonTapped))
        await store.send(.left(.factButtonTapped)).finish()
        #expect(store.state.left == CounterState(count: 1, fact: "1!"))
        #expect(store.state.right == CounterState())
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a migrated feature runs in an older parent with its environment`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(
          initialState: NewInOld.AppState(),
          reducer: NewInOld.app,
          environment: BeforeMigration.AppEnvironment(fact: { "\($0)!" })
        )
        store.send(.right(.incrementButtonTapped))
        // The effect reads the dependency that was created from the environment.
        await store.send(.right(.factButtonTapped)).finish()
        await store.send(.left(.factButtonTapped)).finish()
        #expect(store.state.right == MigratedCounter.State(count: 1, fact: "1!"))
        #expect(store.state.left.fact == "0!")
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `an older feature runs in a migrated parent and uses its dependencies`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: OldInNew.State()) {
          OldInNew()
        } withDependencies: {
          $0.fact = FactDependency { "\($0)?" }
        }
        store.send(.left(.incrementButtonTapped))
        await store.send(.left(.factButtonTapped)).finish()
        await store.send(.right(.factButtonTapped)).finish()
        #expect(store.state.left == CounterState(count: 1, fact: "1?"))
        #expect(store.state.right.fact == "0?")
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a feature with macros works in a module in Swift 5 mode`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: MacroApp.State()) {
          MacroApp()
        } withDependencies: {
          $0.fact = FactDependency { "\($0)." }
        }
        store.send(.left(.incrementButtonTapped))
        await store.send(.left(.factButtonTapped)).finish()
        #expect(store.state.left == MacroCounter.State(count: 1, fact: "1."))
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
