public import TCACore

/// A counter with a timer that can be stopped, and a die.
@Reducer
public struct Counter: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The number.
    public var count = 0
    /// Whether the timer runs.
    public var isTimerRunning = false
    /// The last throw of the die.
    public var die: Int?

    /// A counter at zero.
    public init() {}
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// The button `+`.
    case incrementButtonTapped
    /// The button `-`.
    case decrementButtonTapped
    /// The button that starts and stops the timer.
    case timerButtonTapped
    /// A second has gone by.
    case timerTicked
    /// The button with the die.
    case dieButtonTapped
    /// The button that sets everything back.
    case resetButtonTapped
  }

  private enum CancelID { case timer }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator

  /// A counter.
  public init() {}

  /// What the counter does.
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
  /// The first version; the number tells logs of builds to come.
  public static let schemaVersion = 1
}
