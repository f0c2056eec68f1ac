public import TCACore

/// A counter with a timer that can be stopped, and a die.
@Reducer
public struct Counter: Sendable {
  /// The state of the counter.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The displayed number.
    public var count = 0
    /// Whether the timer is running.
    public var isTimerRunning = false
    /// The last roll of the die; `nil` before the first one.
    public var die: Int?

    /// Creates a counter at zero.
    public init() {}
  }

  /// The actions of the counter.
  public enum Action: Equatable, Sendable {
    /// The user tapped `+`.
    case incrementButtonTapped
    /// The user tapped `-`.
    case decrementButtonTapped
    /// The user tapped the button that starts and stops the timer.
    case timerButtonTapped
    /// One second has passed.
    case timerTicked
    /// The user tapped the die.
    case dieButtonTapped
    /// The user tapped the button that resets the counter.
    case resetButtonTapped
  }

  private enum CancelID { case timer }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator

  /// Creates the feature.
  public init() {}

  /// The reducer of the counter.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        state.count += 1
        return .none
      case .decrementButtonTapped:
        state.count -= 1
        return .none
      case .timerTicked:
        state.count += 1
        return .none
      case .dieButtonTapped:
        state.die = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
        return .none
      case .timerButtonTapped:
        state.isTimerRunning.toggle()
        return state.isTimerRunning ? tick() : .cancel(id: CancelID.timer)
      case .resetButtonTapped:
        state = State()
        return .cancel(id: CancelID.timer)
      }
    }
  }

  private func tick() -> Effect<Action> {
    .run(name: "tick") { send in
      while true {
        try await clock.sleep(for: .seconds(1))
        await send(.timerTicked)
      }
    }
    .cancellable(id: CancelID.timer, cancelInFlight: true)
  }
}

extension Counter.State: SchemaVersioned {
  /// The first version, which identifies logs of this build to later ones.
  public static let schemaVersion = 1
}
