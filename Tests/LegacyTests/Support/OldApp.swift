import TCACore

// An app of the oldest style: reducers are values and receive an environment.

struct FactClient {
  var fetch: @Sendable (Int) async throws -> String

  static let counting = FactClient { "\($0) is a number" }
}

struct OldCounterState: Equatable {
  var count = 0
  var fact: String?
}

enum OldCounterAction: Equatable {
  case decrement
  case increment
  case factButtonTapped
  case factResponse(TaskResult<String>)
}

struct OldCounterEnvironment {
  var fact: FactClient
}

@available(*, deprecated)
let oldCounter = AnyReducer<OldCounterState, OldCounterAction, OldCounterEnvironment> {
  state,
  action,
  environment in
  switch action {
  case .decrement:
    state.count -= 1
    return .none
  case .increment:
    state.count += 1
    return .none
  case .factButtonTapped:
    return .task { [count = state.count] in
      .factResponse(await TaskResult { try await environment.fact.fetch(count) })
    }
  case .factResponse(.success(let fact)):
    state.fact = fact
    return .none
  case .factResponse(.failure):
    state.fact = "no fact"
    return .none
  }
}

struct OldRow: Equatable, Identifiable {
  let id: Int
  var counter = OldCounterState()
}

struct OldAppState: Equatable {
  var counter = OldCounterState()
  var optional: OldCounterState?
  var rows: IdentifiedArrayOf<OldRow> = []
  var named: [String: OldCounterState] = [:]
  var list: [OldCounterState] = []
  var log: [String] = []
}

enum OldAppAction: Equatable {
  case counter(OldCounterAction)
  case optional(OldCounterAction)
  case row(id: Int, action: OldCounterAction)
  case named(String, OldCounterAction)
  case list(index: Int, action: OldCounterAction)
  case reset
}

struct OldAppEnvironment {
  var fact = FactClient.counting
  var name = "old"
}

@available(*, deprecated)
let oldRow = oldCounter.pullback(
  state: \OldRow.counter,
  action: /OldCounterAction.self,
  environment: { (environment: OldCounterEnvironment) in environment }
)

@available(*, deprecated)
let oldApp = AnyReducer<OldAppState, OldAppAction, OldAppEnvironment>.combine(
  oldCounter.pullback(
    state: \.counter,
    action: /OldAppAction.counter,
    environment: { OldCounterEnvironment(fact: $0.fact) }
  ),
  oldCounter.optional().pullback(
    state: \.optional,
    action: /OldAppAction.optional,
    environment: { OldCounterEnvironment(fact: $0.fact) }
  ),
  oldRow.forEach(
    state: \.rows,
    action: /OldAppAction.row(id:action:),
    environment: { OldCounterEnvironment(fact: $0.fact) }
  ),
  oldCounter.forEach(
    state: \.named,
    action: /OldAppAction.named,
    environment: { OldCounterEnvironment(fact: $0.fact) }
  ),
  oldCounter.forEach(
    state: \.list,
    action: /OldAppAction.list(index:action:),
    environment: { OldCounterEnvironment(fact: $0.fact) }
  ),
  AnyReducer { state, action, environment in
    state.log.append("\(environment.name) \(state.counter.count)")
    if case .reset = action { state = OldAppState() }
    return .none
  }
)
