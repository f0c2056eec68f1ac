import ComposableArchitecture
import ComposableReplay
import Testing

@LogValue
struct Pair {
  var first: Shared<Int>
  var others: [Shared<Int>]
}

struct Corner: Codable, Equatable, Sendable {
  var x = 0
  var y = 0
}

/// Parts of one value with the same type and the same content.
@LogValue
struct Parts {
  var whole: Shared<Corner>
  var x: Shared<Int>
  var y: Shared<Int>
  var copy: Shared<Corner>
}

/// A value whose parts have names.
@LogValue
struct Shelfmark: Equatable, Identifiable, Sendable {
  let id: String
  var corner = Named()
  var notes: [String] = []
  var remark: String?
}

/// A value inside another one.
@LogValue
struct Named: Equatable, Sendable {
  var x = 0
  var y = 0
}

/// A value, and its parts through all named paths.
@LogValue
struct NamedParts {
  var rows: Shared<IdentifiedArrayOf<Shelfmark>>
  var row: Shared<Shelfmark>?
  var optionalRow: Shared<Shelfmark?>
  var both: [Shared<Shelfmark>]
  var y: Shared<Int>
  var note: Shared<String>
  var remark: Shared<String>?
}

/// An enum whose cases have several payloads, one, or none.
@CasePathable
enum Place: Equatable, Sendable {
  case nowhere
  case point(Int, Int, label: String)
  case chapter(book: Shelfmark, page: Int?)
  case page(Int)
}

extension Place: LogCases {}

/// A type without property names, as the target of a binding.
struct Unnamed: Equatable, Sendable, Codable { var x = 0 }

@ObservableState @Loggable
struct Bound: Equatable {
  var named = Named()
  var unnamed = Unnamed()
}

@Suite("Values of the library in a log")
struct ValueTests {
  @Test("A confirmation dialog reads back from its JSON")
  func dialog() throws {
    let dialog = ConfirmationDialogState<Int>(titleVisibility: .visible) {
      TextState("Sure?")
    } actions: {
      ButtonState(role: .cancel) { TextState("No") }
      ButtonState(action: 7) { TextState("Yes") }
    } message: {
      TextState("It is gone then.")
    }
    let json = JSON(logging: dialog)
    #expect(
      json == [
        "title": "Sure?", "titleVisibility": "visible", "message": "It is gone then.",
        "buttons": [
          ["action": .null, "label": "No", "role": "cancel"],
          ["action": 7, "label": "Yes", "role": .null],
        ],
      ]
    )
    #expect(try LogDecoder(json).value(ConfirmationDialogState<Int>.self) == dialog)
  }

  @Test("A stack reads back with its ids, and refuses two elements with one id")
  func stack() throws {
    let json: JSON = [["id": 3, "element": "a"], ["id": 8, "element": "b"]]
    let stack = try LogDecoder(json).value(StackState<String>.self)
    #expect(JSON(logging: stack) == json)
    let twice: JSON = [["id": 3, "element": "a"], ["id": 3, "element": "b"]]
    #expect(throws: LogDecodingError.self) {
      try LogDecoder(twice).value(StackState<String>.self)
    }
  }

  @Test("An identified array refuses two elements with one id")
  func array() throws {
    struct Row: Equatable, Codable, Identifiable { let id: Int }
    #expect(throws: LogDecodingError.self) {
      try LogDecoder([["id": 1], ["id": 1]]).value(IdentifiedArrayOf<Row>.self)
    }
  }

  @Test("Properties that share a value share it after they are read back, and no others do")
  func shared() throws {
    let value = Shared(value: 1)
    let pair = Pair(first: value, others: [Shared(value: 1), value])
    let places = SharedValuePaths.json(of: pair)
    #expect(places == [["root": 0, "at": "/first"], ["root": 0, "at": "/others/1"]])
    let read = try #require(SharedValuePaths(places)).decode(JSON(logging: pair)) {
      try LogDecoder($0).value(Pair.self)
    }
    read.first.withLock { $0 = 7 }
    #expect(JSON(logging: read) == ["first": 7, "others": [1, 7]])
    #expect(SharedValuePaths.json(of: read) == places)
    #expect(SharedValuePaths.json(of: Pair(first: value, others: [])) == nil)
  }

  @Test("Parts without names are not marked, and not confused with one another")
  func parts() throws {
    let corner = Shared(value: Corner())
    let parts = Parts(whole: corner, x: corner.x, y: corner.y, copy: corner)
    let places = SharedValuePaths.json(of: parts)
    #expect(places == [["root": 0, "at": "/whole"], ["root": 0, "at": "/copy"]])
    let read = try #require(SharedValuePaths(places)).decode(JSON(logging: parts)) {
      try LogDecoder($0).value(Parts.self)
    }
    read.x.withLock { $0 = 7 }
    read.copy.withLock { $0.y = 8 }
    #expect(
      JSON(logging: read) == [
        "whole": ["x": 0, "y": 8], "x": 7, "y": 0, "copy": ["x": 0, "y": 8],
      ]
    )
  }

  @Test("Parts of a shared value are parts of the same value after they are read back")
  func namedParts() throws {
    let rows = Shared<IdentifiedArrayOf<Shelfmark>>(
      value: [Shelfmark(id: "a"), Shelfmark(id: "b", notes: ["one", "two"], remark: "old")]
    )
    let row = try #require(Shared(rows[id: "b"]))
    let value = NamedParts(
      rows: rows,
      row: row,
      optionalRow: rows[id: "a"],
      both: Array(rows),
      y: row.corner.y,
      note: row.notes[1],
      remark: Shared(row.remark)
    )
    let places = SharedValuePaths.json(of: value)
    #expect(
      places == [
        ["root": 0, "at": "/rows"],
        ["root": 0, "at": "/row", "part": [["id": "b"], .null]],
        ["root": 0, "at": "/optionalRow", "part": [["id": "a"]]],
        ["root": 0, "at": "/both/0", "part": [["id": "a"], .null]],
        ["root": 0, "at": "/both/1", "part": [["id": "b"], .null]],
        ["root": 0, "at": "/y", "part": [["id": "b"], .null, "corner", "y"]],
        ["root": 0, "at": "/note", "part": [["id": "b"], .null, "notes", 1]],
        ["root": 0, "at": "/remark", "part": [["id": "b"], .null, "remark", .null]],
      ]
    )
    let read = try #require(SharedValuePaths(places)).decode(JSON(logging: value)) {
      try LogDecoder($0).value(NamedParts.self)
    }
    read.y.withLock { $0 = 7 }
    read.note.withLock { $0 = "three" }
    read.remark?.withLock { $0 = "new" }
    read.both[0].withLock { $0.corner.x = 8 }
    let changed: IdentifiedArrayOf<Shelfmark> = [
      Shelfmark(id: "a", corner: Named(x: 8)),
      Shelfmark(id: "b", corner: Named(y: 7), notes: ["one", "three"], remark: "new"),
    ]
    #expect(read.rows.wrappedValue == changed)
    #expect(read.row?.wrappedValue == changed[1])
    #expect(read.optionalRow.wrappedValue == changed[0])
    #expect(read.both.map(\.wrappedValue) == Array(changed))
    #expect(SharedValuePaths.json(of: read) == places)
  }

  @Test("A shared value of an action names the part of the state's value that it holds")
  func partsInActions() throws {
    let rows = Shared<IdentifiedArrayOf<Shelfmark>>(value: [Shelfmark(id: "a"), Shelfmark(id: "b")])
    let row = try #require(Shared(rows[id: "b"]))
    let other = Shared(value: Corner())
    // The state contains a part, the action a part of that, and parts of an unrelated value.
    let places = SharedValuePaths.json(of: [row.corner.x, other.y, other.y], in: [row])
    #expect(places == [["from": "/0", "at": "/0", "part": ["corner", "x"]]])
    let state = [Shared(value: Shelfmark(id: "b"))]
    let read = try #require(SharedValuePaths(places)).decode(action: [5, 6, 6], in: state) {
      try LogDecoder($0).value([Shared<Int>].self)
    }
    read[0].withLock { $0 = 9 }
    #expect(state[0].wrappedValue.corner == Named(x: 9))
  }

  private static let places: [(Place, JSON)] = [
    (.nowhere, ["nowhere": [:]]),
    (.page(3), ["page": ["_0": 3]]),
    (.point(1, 2, label: "a b"), ["point": ["_0": 1, "_1": 2, "label": "a b"]]),
    (
      .chapter(book: Shelfmark(id: "a"), page: nil),
      [
        "chapter": [
          "book": ["id": "a", "corner": ["x": 0, "y": 0], "notes": [], "remark": .null],
          "page": .null,
        ]
      ]
    ),
  ]

  @Test("Cases of enums that no attribute reaches read back from their JSON", arguments: places)
  func readBack(value: Place, json: JSON) throws {
    #expect(JSON(logging: value) == json)
    #expect(try LogDecoder(json).value(Place.self) == value)
  }

  @Test("A case that cannot be read reports the path into its payload")
  func caseError() throws {
    let json: JSON = ["chapter": ["book": ["id": 7], "page": 1]]
    let error = try #require(throws: LogDecodingError.self) {
      try LogDecoder(json).value(Place.self)
    }
    #expect(error.path.description == "/chapter/book/id")
  }

  @Test("A binding through a type without names is refused, with the line to add")
  func bindings() throws {
    let named = BindingAction<Bound>.set(\.named.x, 3)
    #expect(JSON(logging: named) == ["set": ["_0": "named.x", "_1": 3]])
    #expect(try LogDecoder(JSON(logging: named)).value(BindingAction<Bound>.self) == named)
    let unnamed = JSON(logging: BindingAction<Bound>.set(\.unnamed.x, 3))
    #expect(unnamed == ["set": ["_0": .null, "_1": 3]])
    let error = try #require(throws: LogDecodingError.self) {
      try LogDecoder(unnamed).value(BindingAction<Bound>.self)
    }
    #expect(
      error.problem
        == .refused(
          "its property had no name; add @Loggable to the state and to the types of the properties on the way"
        )
    )
  }
}
