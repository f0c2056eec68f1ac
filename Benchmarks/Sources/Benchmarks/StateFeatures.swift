import Foundation
import TCARecorder

/// A row that is encoded by `Codable`.
struct CodableRow: Codable, Equatable {
  var id: UUID
  var title: String
  var price: Decimal
  var date: Date

  init(_ number: Int) {
    let byte = UInt8(truncatingIfNeeded: number)
    id = UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte))
    title = "the title of row \(number)"
    price = Decimal(number) / 100
    date = Date(timeIntervalSinceReferenceDate: Double(number) * 1234.567)
  }
}

/// The actions of a state with content, by the number of previous actions.
@LogValue
enum ContentAction {
  /// Changes a number next to the content.
  case count
  /// Changes one row, entry or element.
  case change(Int)
}

/// A feature whose state contains typical content of apps.
protocol ContentFeature: Reducer, Sendable
where Action == ContentAction, State: SendableMetatype {
  static func feature() -> Self
  static func state(_ size: Int) -> State
}

/// Rows that are `LogValue`.
@Reducer
struct LogValueRows: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var rows: [TableFeature.State.Row]
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State { State(rows: TableFeature.State(rows: size).rows) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step): state.rows[step &* 7919 % state.rows.count].weight = Double(step)
      }
      return .none
    }
  }
}

/// Rows that are `Codable`.
@Reducer
struct CodableRows: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var rows: [CodableRow]
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State { State(rows: (0..<size).map(CodableRow.init)) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step): state.rows[step &* 7919 % state.rows.count].price = Decimal(step)
      }
      return .none
    }
  }
}

/// Shared rows.
@Reducer
struct SharedRows: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    @Shared var rows: [TableFeature.State.Row]

    init(rows: [TableFeature.State.Row]) { _rows = Shared(value: rows) }
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State { State(rows: TableFeature.State(rows: size).rows) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step):
        state.$rows.withLock { $0[step &* 7919 % $0.count].weight = Double(step) }
      }
      return .none
    }
  }
}

/// Rows with ids, each of which contains a shared value.
@Reducer
struct SharingRows: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var rows: IdentifiedArrayOf<Row>
  }
  @ObservableState
  struct Row: Identifiable {
    let id: Int
    @Shared var row: TableFeature.State.Row

    init(_ row: TableFeature.State.Row) {
      id = row.id
      _row = Shared(value: row)
    }
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State {
    let rows = TableFeature.State(rows: size).rows
    return State(rows: IdentifiedArray(uniqueElements: rows.map { Row($0) }))
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step):
        state.rows[step &* 7919 % state.rows.count].$row.withLock { $0.weight = Double(step) }
      }
      return .none
    }
  }
}

/// A set of texts.
@Reducer
struct TextSet: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var texts: Set<String>
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State {
    State(texts: Set((0..<size).map { "the text of element \($0)" }))
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step):
        let text = "the text of element \(step &* 7919 % state.texts.count)"
        if state.texts.remove(text) == nil { state.texts.insert(text) }
      }
      return .none
    }
  }
}

/// A dictionary of rows.
@Reducer
struct RowTable: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var rows: [String: TableFeature.State.Row]
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State {
    let rows = TableFeature.State(rows: size).rows
    return State(rows: Dictionary(uniqueKeysWithValues: rows.map { ("row \($0.id)", $0) }))
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step):
        state.rows["row \(step &* 7919 % state.rows.count)"]?.weight = Double(step)
      }
      return .none
    }
  }
}

/// A text with a given number of kilobytes.
@Reducer
struct LongText: ContentFeature {
  @ObservableState
  struct State {
    var count = 0
    var text: String
  }
  typealias Action = ContentAction

  static func feature() -> Self { Self() }
  static func state(_ size: Int) -> State {
    State(text: String(repeating: "a line of the text of 32 bytes.\n", count: size * 1_000 / 32))
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count: state.count += 1
      case .change(let step):
        let text = state.text.utf8
        let place = text.index(text.startIndex, offsetBy: step &* 7919 % text.count)
        let letters: [Character] = ["x", "y", "z"]
        state.text.replaceSubrange(place...place, with: [letters[step % 3]])
      }
      return .none
    }
  }
}
