public import Foundation
public import TCACore

/// A shopper's receipt, with every mistake that keeps a replay from being the same: to try `audit` and `fuzz` on, and no example to
/// follow.
@Reducer
public struct Receipt: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// What was bought, each with its price in cents.
    public var items: [Item] = []
    /// The names of the shelves that were visited.
    public var shelves = ""
    /// When the receipt was printed.
    public var printedAt = ""
    /// The number of the lottery ticket on it.
    public var ticket = 0
    /// The day on which the shop's books count it.
    public var day = 0
    /// The language of the text at its foot.
    public var language = ""

    /// An empty receipt.
    public init() {}
  }

  /// A thing that was bought.
  @LogValue
  public struct Item: Equatable, Sendable, Identifiable {
    /// Tells it from others.
    public var id: UUID
    /// Its name.
    public var name: String
    /// The shelf that it stood on.
    public var shelf: String
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// A thing was scanned.
    case scanned(name: String, shelf: String)
    /// The shelves are listed.
    case shelvesButtonTapped
    /// The receipt is printed.
    case printButtonTapped
    /// A ticket of the lottery is drawn.
    case ticketButtonTapped
    /// The receipt is put into the shop's books.
    case bookButtonTapped
    /// The text at the foot is chosen.
    case footButtonTapped
  }

  @Dependency(\.uuid) private var uuid

  /// A receipt.
  public init() {}

  /// What the receipt does, wrongly.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .scanned(let name, let shelf):
        state.items.append(Item(id: uuid(), name: name, shelf: shelf))
      case .shelvesButtonTapped:
        // Wrong: a set has no order.
        state.shelves = Set(state.items.map(\.shelf)).joined(separator: ", ")
      case .printButtonTapped:
        // Wrong: it bypasses the dependency.
        state.printedAt = "\(Date())"
      case .ticketButtonTapped:
        // Wrong: it bypasses the dependency.
        state.ticket = Int.random(in: 100_000..<1_000_000)
      case .bookButtonTapped:
        // Wrong: the zone is that of the replaying machine.
        let opening = Date(timeIntervalSince1970: 1_700_000_000)
        state.day = Calendar.current.component(.day, from: opening)
      case .footButtonTapped:
        // Wrong: the language is that of the replaying machine.
        state.language = ProcessInfo.processInfo.environment["LANG"] ?? ""
      }
      return .none
    }
  }
}
