public import TCACore

/// A conversion from dollars to another currency, with a deliberate race as a test case for `debug`.
@Reducer
public struct Exchange: Sendable {
  /// The state of the conversion.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The amount in dollars.
    public var amount = 0
    /// The selected currency.
    public var currency = "USD"
    /// The exchange rate: units of the currency per dollar.
    public var rate = 1.0
    /// The converted amount.
    public var total = 0.0
    /// Whether a request for the rate is in progress.
    public var isLoading = false

    /// Creates a conversion of zero dollars.
    public init() {}
  }

  /// The actions of the conversion.
  public enum Action: Equatable, Sendable {
    /// The user typed an amount.
    case amountChanged(Int)
    /// The user picked a currency.
    case currencyPicked(String)
    /// The server has returned a rate.
    case rateLoaded(Double)
  }

  @Dependency(\.continuousClock) private var clock

  /// Creates the feature.
  public init() {}

  /// The reducer of the conversion.
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
        // Bug: the response for an earlier currency may arrive after the one for this currency.
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

  /// Returns the server's rate for a currency and the latency of the response.
  private static func server(for currency: String) -> (rate: Double, milliseconds: Int) {
    switch currency {
    case "EUR": (0.9, 15)
    case "GBP": (0.75, 15)
    // This server is slower.
    case "JPY": (150.5, 80)
    default: (1, 15)
    }
  }
}
