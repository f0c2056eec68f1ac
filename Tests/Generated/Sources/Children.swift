import TCACore

/// A feature whose users act at random.
protocol Acting: Sendable {
  associatedtype State
  static func random(_ state: State, using random: inout some RandomNumberGenerator) -> Self
  /// An action that an observer of the state sends while another action is reduced.
  static var reentrantAction: Self? { get }
  /// Whether users cancel the tasks of actions.
  static var cancelsTasks: Bool { get }
  /// Presents children in a state with which an app begins.
  static func prepare(_ state: inout State)
  /// Reads what the observer observes.
  static func observe(_ state: State)
  /// The properties of the state that can be observed, by name.
  static var observations: [(String, (State) -> Void)] { get }
}

/// A key of any type, which does not show.
struct Keyed<Key: Hashable & Sendable>: Hashable, Sendable { var key: Key }

@LogValue
struct GeneratedFailure: Error, Equatable { var code: Int }

private enum CancelID: Hashable { case load }

/// A child whose effects take a time that no effect of another child takes, so that their order is defined.
@Reducer
struct GeneratedChild: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var loaded = 0
    @Presents var sheet: GeneratedSheet.State?
  }
  enum Action: Sendable {
    case load, restart, stop, loaded, toggle
    case inSheet(GeneratedSheet.Action)
    case sheet(PresentationAction<GeneratedSheet.Action>)
  }

  @Dependency(\.continuousClock) var clock
  var milliseconds = 70.0

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load, .restart:
        return .run(name: "load") { send in
          try await clock.sleep(for: .milliseconds(milliseconds))
          await send(.loaded)
        }
        .cancellable(id: CancelID.load, cancelInFlight: action.is(\.restart))
      case .stop: return .cancel(id: CancelID.load)
      case .loaded:
        state.loaded += 1
        return .none
      case .toggle:
        state.sheet = state.sheet == nil ? GeneratedSheet.State() : nil
        return .none
      case .inSheet(let action):
        return state.sheet == nil ? .none : .send(.sheet(.presented(action)))
      case .sheet: return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { GeneratedSheet(milliseconds: milliseconds - 9.8) }
  }
}

extension GeneratedChild.Action {
  static func random(using random: inout some RandomNumberGenerator) -> GeneratedChild.Action {
    let actions: [GeneratedChild.Action] = [
      .load, .restart, .stop, .toggle, .inSheet(.load), .inSheet(.stop),
    ]
    return actions[Int.random(in: 0..<actions.count, using: &random)]
  }
}

@Reducer
struct GeneratedSheet: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var loaded = 0
    // Loaded in the middle of a session, when the sheet is shown.
    @Shared(.appStorage("visits")) var visits = 0
  }
  enum Action: Sendable { case load, stop, loaded }

  @Dependency(\.continuousClock) var clock
  var milliseconds = 60.0

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        return .run(name: "sheet") { send in
          try await clock.sleep(for: .milliseconds(milliseconds))
          await send(.loaded)
        }
        .cancellable(id: CancelID.load)
      case .stop: return .cancel(id: CancelID.load)
      case .loaded:
        state.loaded += 1
        state.$visits.withLock { $0 += 1 }
        return .none
      }
    }
  }
}

/// A child for each case of the state, one at a time.
@Reducer
struct GeneratedScreen: Sendable {
  @CasePathable @ObservableState
  enum State: Equatable, Sendable {
    case first(GeneratedChild.State)
    case second(GeneratedChild.State)
  }
  enum Action: Sendable {
    case first(GeneratedChild.Action)
    case second(GeneratedChild.Action)
    case next
  }

  var milliseconds = 70.0

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .next = action {
        state = state.is(\.first) ? .second(GeneratedChild.State()) : .first(GeneratedChild.State())
      }
      return .none
    }
    .ifCaseLet(\.first, action: \.first) { GeneratedChild(milliseconds: milliseconds) }
    .ifCaseLet(\.second, action: \.second) { GeneratedChild(milliseconds: milliseconds + 0.001) }
  }
}

extension GeneratedScreen.Action {
  static func random(
    _ state: GeneratedScreen.State,
    using random: inout some RandomNumberGenerator
  ) -> GeneratedScreen.Action {
    let action = GeneratedChild.Action.random(using: &random)
    guard Int.random(in: 0..<4, using: &random) > 0 else { return .next }
    return state.is(\.first) ? .first(action) : .second(action)
  }
}

@Reducer
struct Row: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var child = GeneratedChild.State()
    init(_ number: Int) { id = number }
  }
  enum Action: Sendable { case child(GeneratedChild.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { GeneratedChild(milliseconds: 70.01) }
  }
}

/// The ids of rows are equal by a part of them.
@LogValue
struct LooseRowID: Hashable, Sendable {
  var number: Int
  var label: String
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Reducer
struct LooseRow: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable, Sendable {
    let id: LooseRowID
    var child = GeneratedChild.State()
    init(_ number: Int) { id = LooseRowID(number: number, label: "row \(number)") }
  }
  enum Action: Sendable { case child(GeneratedChild.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { GeneratedChild(milliseconds: 70.01) }
  }
}

/// A screen out of several, of which some have an id of their own.
@Reducer
enum GeneratedDestination {
  case child(GeneratedChild)
  case sheet(GeneratedSheet)
  case alert(AlertState<GeneratedAnswer>)
  @ReducerCaseIgnored
  case note(String)
}

extension GeneratedDestination.State: Equatable, Sendable {}
extension GeneratedDestination.Action: Sendable {}

@CasePathable
enum GeneratedAnswer: Equatable, Sendable { case yes }

extension GeneratedDestination.State {
  static func random(_ number: Int) -> GeneratedDestination.State? {
    switch number {
    case 0: .child(GeneratedChild.State())
    case 1: .sheet(GeneratedSheet.State())
    case 2: .alert(AlertState { TextState("Alert") })
    case 3: .note(Make.text(7))
    default: nil
    }
  }
}

extension PresentationAction where Action == GeneratedDestination.Action {
  static func random(
    _ state: GeneratedDestination.State,
    using random: inout some RandomNumberGenerator
  ) -> PresentationAction<GeneratedDestination.Action> {
    switch state {
    case .child: .presented(.child(.random(using: &random)))
    case .sheet: .presented(.sheet(Bool.random(using: &random) ? .load : .stop))
    case .alert: .presented(.alert(.yes))
    case .note: .dismiss
    }
  }
}

@DependencyClient
struct GeneratedClient: Sendable {
  var limit: @Sendable () -> Int = { 3 }
  var rate: @Sendable (_ name: String) throws -> Double
}

extension GeneratedClient: DependencyKey {
  static let liveValue = GeneratedClient(
    limit: { 7 },
    rate: { name in
      guard name != "fail" else { throw GeneratedFailure(code: 1) }
      return Double(name.utf8.count) + 0.1
    }
  )
  static let testValue = liveValue
}
