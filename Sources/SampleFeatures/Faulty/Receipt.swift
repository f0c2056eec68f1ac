public import Foundation
public import TCACore

/// A shop receipt with deliberate sources of nondeterminism,
/// as a test case for `audit` and `fuzz`.
@Reducer
public struct Receipt: Sendable {
  /// The state of the receipt.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The purchased items.
    public var items: [Item] = []
    /// The names of the visited shelves.
    public var shelves = ""
    /// The time of printing.
    public var printedAt = ""
    /// The number of the lottery ticket on the receipt.
    public var ticket = 0
    /// The accounting day of the receipt.
    public var day = 0
    /// The language of the footer.
    public var language = ""

    /// Creates an empty receipt.
    public init() {}
  }

  /// A purchased item.
  @LogValue
  public struct Item: Equatable, Sendable, Identifiable {
    /// The identity of the item.
    public var id: UUID
    /// The name of the item.
    public var name: String
    /// The shelf of the item.
    public var shelf: String
  }

  /// The actions of the receipt.
  public enum Action: Equatable, Sendable {
    /// The user scanned an item.
    case scanned(name: String, shelf: String)
    /// The user listed the shelves.
    case shelvesButtonTapped
    /// The user printed the receipt.
    case printButtonTapped
    /// The user drew a lottery ticket.
    case ticketButtonTapped
    /// The user entered the receipt into the books.
    case bookButtonTapped
    /// The user selected the footer.
    case footButtonTapped
  }

  @Dependency(\.uuid) private var uuid

  /// Creates the feature.
  public init() {}

  /// The reducer of the receipt, with the bugs.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .scanned(let name, let shelf):
        state.items.append(Item(id: uuid(), name: name, shelf: shelf))
      case .shelvesButtonTapped:
        // Bug: a set has no order.
        state.shelves = Set(state.items.map(\.shelf)).joined(separator: ", ")
      case .printButtonTapped:
        // Bug: this bypasses the dependency.
        state.printedAt = "\(Date())"
      case .ticketButtonTapped:
        // Bug: this bypasses the dependency.
        state.ticket = Int.random(in: 100_000..<1_000_000)
      case .bookButtonTapped:
        // Bug: this uses the time zone of the replaying machine.
        let opening = Date(timeIntervalSince1970: 1_700_000_000)
        state.day = Calendar.current.component(.day, from: opening)
      case .footButtonTapped:
        // Bug: this uses the language of the replaying machine.
        state.language = ProcessInfo.processInfo.environment["LANG"] ?? ""
      }
      return .none
    }
  }
}
