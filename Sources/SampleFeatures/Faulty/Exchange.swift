public import TCACore

/// An amount of dollars in another currency, with a race: to find with `debug`, and no example to follow.
@Reducer
public struct Exchange: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The amount in dollars.
    public var amount = 0
    /// The currency that was picked.
    public var currency = "USD"
    /// What a dollar is worth in it.
    public var rate = 1.0
    /// What the amount is worth in it.
    public var total = 0.0
    /// Whether a rate is awaited.
    public var isLoading = false

    /// No amount.
    public init() {}
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// An amount was typed.
    case amountChanged(Int)
    /// A currency was picked.
    case currencyPicked(String)
    /// The server has answered.
    case rateLoaded(Double)
  }

  @Dependency(\.continuousClock) private var clock

  /// An exchange.
  public init() {}

  /// What the exchange does.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .amountChanged(let amount):
        state.amount = amount
        state.total = Double(amount) * state.rate
        return .none
      case .currencyPicked(let currency):
        state.currency = currency
        state.isLoading = true
        // Wrong: the answer for a currency that was picked before may come after this one's.
        return .run(name: "rate", input: currency) { send in
          try await clock.sleep(for: .milliseconds(Self.server(for: currency).milliseconds))
          await send(.rateLoaded(Self.server(for: currency).rate))
        }
      case .rateLoaded(let rate):
        state.rate = rate
        state.total = Double(state.amount) * rate
        state.isLoading = false
        return .none
      }
    }
  }

  /// What the server for a currency answers, and how long that takes.
  private static func server(for currency: String) -> (rate: Double, milliseconds: Int) {
    switch currency {
    case "EUR": (0.9, 15)
    case "GBP": (0.75, 15)
    // The server is far away.
    case "JPY": (150.5, 80)
    default: (1, 15)
    }
  }
}
