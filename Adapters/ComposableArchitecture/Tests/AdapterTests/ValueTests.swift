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

/// Parts of one value, of one type and with the same value.
@LogValue
struct Parts {
  var whole: Shared<Corner>
  var x: Shared<Int>
  var y: Shared<Int>
  var copy: Shared<Corner>
}

@Suite("Values of the library in a log")
struct ValueTests {
  @Test("A dialog reads back")
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

  @Test("A stack reads back with its ids, and two elements with one id are an error")
  func stack() throws {
    let json: JSON = [["id": 3, "element": "a"], ["id": 8, "element": "b"]]
    let stack = try LogDecoder(json).value(StackState<String>.self)
    #expect(JSON(logging: stack) == json)
    let twice: JSON = [["id": 3, "element": "a"], ["id": 3, "element": "b"]]
    #expect(throws: LogDecodingError.self) {
      try LogDecoder(twice).value(StackState<String>.self)
    }
  }

  @Test("Two elements of an array with one id are an error")
  func array() throws {
    struct Row: Equatable, Codable, Identifiable { let id: Int }
    #expect(throws: LogDecodingError.self) {
      try LogDecoder([["id": 1], ["id": 1]]).value(IdentifiedArrayOf<Row>.self)
    }
  }

  @Test("Places that share a value share it when they are read back, and no others do")
  func shared() throws {
    let value = Shared(value: 1)
    let pair = Pair(first: value, others: [Shared(value: 1), value])
    let places = SharedPlaces.json(of: pair)
    #expect(places == [["root": 0, "at": "/first"], ["root": 0, "at": "/others/1"]])
    let read = try #require(SharedPlaces(places)).decode(JSON(logging: pair)) {
      try LogDecoder($0).value(Pair.self)
    }
    read.first.withLock { $0 = 7 }
    #expect(JSON(logging: read) == ["first": 7, "others": [1, 7]])
    #expect(SharedPlaces.json(of: read) == places)
    #expect(SharedPlaces.json(of: Pair(first: value, others: [])) == nil)
  }

  @Test("Parts of a shared value are not marked, and not taken for one another")
  func parts() throws {
    let corner = Shared(value: Corner())
    let parts = Parts(whole: corner, x: corner.x, y: corner.y, copy: corner)
    let places = SharedPlaces.json(of: parts)
    #expect(places == [["root": 0, "at": "/whole"], ["root": 0, "at": "/copy"]])
    let read = try #require(SharedPlaces(places)).decode(JSON(logging: parts)) {
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
}
