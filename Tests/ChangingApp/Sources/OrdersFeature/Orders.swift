// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written like an app, which documents only what its code does not show.

import Foundation
import TCARecorder

/// Orders of a small shop.
@Reducer
public struct Orders: Sendable {
  @ObservableState
  public struct State: Equatable, Sendable {
    public var orders: IdentifiedArrayOf<Order> = []
    public var customer = "Ada Lovelace"
    public var total = 0
    public var status = ""

    public init() {}
  }

  public enum Action: Sendable {
    case addTapped(String)
    case toggled(id: UUID)
    case submitTapped
    case submitted(Int)
    case cancelTapped
  }

  @LogValue
  public struct Order: Equatable, Sendable, Identifiable {
    public var id: UUID
    public var title: String
    public var isDone = false
  }

  enum CancelID {
    case submit
  }

  @LogValue
  struct Request: Equatable, Sendable {
    var titles: [String]
    var total: Int
  }

  @Dependency(\.uuid) private var uuid
  @Dependency(OrdersClient.self) private var client

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addTapped(let title):
        state.orders.append(Order(id: uuid(), title: title))
        state.total += client.price(title)
      case .toggled(let id):
        state.orders[id: id]?.isDone.toggle()
      case .submitTapped:
        state.status = "submitting"
        let request = Request(titles: state.orders.map(\.title), total: state.total)
        return .run(name: "submit", input: request) { send in
          await send(.submitted(try await client.submit(request.titles)))
        }
        .cancellable(id: CancelID.submit)
      case .submitted(let number):
        state.status = "order \(number)"
      case .cancelTapped:
        state.status = ""
        return .cancel(id: CancelID.submit)
      }
      return .none
    }
  }
}

@DependencyClient
public struct OrdersClient: Sendable {
  public var price: @Sendable (_ title: String) -> Int = { _ in 0 }
  public var submit: @Sendable (_ titles: [String]) async throws -> Int
}

extension OrdersClient: DependencyKey {
  public static let liveValue = OrdersClient(
    price: { 100 * $0.count },
    submit: { $0.count }
  )
}
