package import TCACore

/// A feature with a value of each kind that a schema has: rows, a stack, shared values, reads, calls, inputs and ids of effects.
@Reducer
package struct Shop: Sendable {
  @Reducer
  package enum Path {
    case detail(Detail)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var title = "Shop"
    package var lines: IdentifiedArrayOf<Line> = []
    package var total = Money(cents: 0, currency: "EUR")
    package var count = Quantity(value: 0)
    package var buyer = Buyer(first: "Ada", last: "Lovelace")
    package var zip = "10115"
    package var note = ""
    package var problem: PriceError?
    @Shared package var limit: Int
    @Shared package var preferences: Preferences
    package var path = StackState<Path.State>()

    package init() {
      _limit = Shared(value: 10)
      _preferences = Shared(value: Preferences())
    }
  }

  package enum Action: Sendable {
    case lineAdded(name: String, isGift: Bool)
    case countChanged(Quantity)
    case zipChanged(String)
    case detailTapped
    case limitRaised
    case saveTapped
    case saved(Int)
    case failed(PriceError)
    case stopTapped
    case path(StackActionOf<Path>)
  }

  package enum CancelID: Hashable, Sendable {
    case save(list: Int, amount: Quantity, buyer: Buyer)

    static let first = save(
      list: 1,
      amount: Quantity(value: 2),
      buyer: Buyer(first: "Ada", last: "Lovelace")
    )
  }

  @Dependency(ShopClient.self) private var client

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .lineAdded(let name, let isGift):
        let price = client.price(name)
        let stock = client.stock()
        state.lines.append(Line(id: state.lines.count, name: name, isGift: isGift))
        state.total.cents += price.cents
        state.count.value += stock.value
      case .countChanged(let count): state.count = count
      case .zipChanged(let zip): state.zip = zip
      case .detailTapped:
        let detail = Detail.State(
          text: state.title,
          limit: state.$limit,
          preferences: state.$preferences
        )
        state.path.append(.detail(detail))
      case .limitRaised: state.$limit.withLock { $0 += 1 }
      case .saveTapped:
        state.note = "\(client.firstName()) \(client.lastName())"
        return save(SaveRequest(title: state.title, zip: state.zip, count: state.count))
      case .saved(let count): state.note = "saved \(count)"
      case .failed(let problem): state.problem = problem
      case .stopTapped: return .cancel(id: CancelID.first)
      case .path: break
      }
      return .none
    }
    .forEach(\.path, action: \.path)
  }

  private func save(_ request: SaveRequest) -> Effect<Action> {
    .run(name: "save", input: request) { send in
      do { await send(.saved(try await client.save(request.title, request.zip))) } catch {
        await send(.failed(.other("\(error)")))
      }
    }
    .cancellable(id: CancelID.first, cancelInFlight: true)
  }
}

extension Shop.Path.State: Equatable, Sendable {}
extension Shop.Path.Action: Sendable {}

extension Shop.State: SchemaVersioned {
  package static let schemaVersion = 2
}

/// A screen of the stack.
@Reducer
package struct Detail: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var text: String
    package var page = 1
    package var size = Quantity(value: 3)
    package var author = Buyer(first: "Ada", last: "Lovelace")
    @Shared package var limit: Int
    @Shared package var preferences: Preferences

    init(text: String, limit: Shared<Int>, preferences: Shared<Preferences>) {
      self.text = text
      _limit = limit
      _preferences = preferences
    }
  }

  package enum Action: Sendable {
    case textChanged(String)
    case limitTapped
  }

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .textChanged(let text): state.text = text
      case .limitTapped:
        state.$limit.withLock { $0 += 10 }
        state.$preferences.withLock { $0.size.value += 1 }
      }
      return .none
    }
  }
}

@LogValue
package struct Line: Equatable, Sendable, Identifiable {
  package var id: Int
  package var name: String
  package var isGift: Bool
}

@LogValue
package struct Money: Equatable, Sendable {
  package var cents: Int
  package var currency: String
}

@LogValue
package struct Quantity: Hashable, Sendable {
  package var value: Int
}

@LogValue
package struct Buyer: Hashable, Sendable {
  package var first: String
  package var last: String
}

/// Values of a shared value.
@LogValue
package struct Preferences: Equatable, Sendable {
  package var currency = "EUR"
  package var size = Quantity(value: 1)
  package var owner = Buyer(first: "Ada", last: "Lovelace")
}

@LogValue
package struct SaveRequest: Equatable, Sendable {
  package var title: String
  package var zip: String
  package var count: Quantity
}

@LogValue
package enum PriceError: Error, Equatable, Sendable {
  case unknown(reason: Reason, code: Int)
  case soldOut

  @LogValue
  package struct Reason: Equatable, Sendable {
    package var text: String
    package var buyer = Buyer(first: "Ada", last: "Lovelace")
  }

  static func other(_ text: String) -> PriceError { .unknown(reason: Reason(text: text), code: 7) }
}

@DependencyClient
package struct ShopClient: Sendable {
  package var price: @Sendable (_ name: String) -> Money = { _ in Money(cents: 0, currency: "") }
  package var stock: @Sendable () -> Quantity = { Quantity(value: 0) }
  package var firstName: @Sendable () -> String = { "" }
  package var lastName: @Sendable () -> String = { "" }
  package var save: @Sendable (_ title: String, _ zip: String) async throws -> Int
}

extension ShopClient: DependencyKey {
  package static let liveValue = ShopClient(
    price: { Money(cents: 100 * $0.count, currency: "EUR") },
    stock: { Quantity(value: 2) },
    firstName: { "Ada" },
    lastName: { "Lovelace" },
    save: { title, _ in
      guard !title.isEmpty else { throw PriceError.other("no title") }
      return title.count
    }
  )
}
