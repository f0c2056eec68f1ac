import ActionLog
import Foundation
import Testing

/// A value and its encoding in a log.
private struct Row: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let written: String
  let check: @Sendable () throws -> Bool
  let text: @Sendable () -> String

  init<Value: Equatable & Sendable>(_ value: Value, _ written: String) {
    self.init(value, written) { $0 == $1 }
  }

  init<Value: Sendable>(
    _ value: Value,
    _ written: String,
    _ same: @escaping @Sendable (Value, Value) -> Bool
  ) {
    testDescription = "\(Value.self): \(written)"
    self.written = written
    text = { JSON(logging: value).description }
    check = { same(try LogDecoder(JSON(parsing: written)).value(Value.self), value) }
  }
}

private enum Suit: String, Codable { case hearts, spades }
private enum Rank: Int { case ace = 1 }
private enum Move: Codable, Equatable {
  case stay
  case walk(steps: Int, Suit)
}
private struct Card: Codable, Equatable {
  var suit: Suit
  var note: String?
  var tags: Set<String> = []
  var counts: [Suit: Int] = [:]
}
private struct Failure: Error, Equatable {}

@Suite("LogValue")
struct LogValueTests {
  private static let rows: [Row] = [
    Row(true, "true"), Row("a\"b", #""a\"b""#), Row(Character("é"), #""é""#),
    Row(Int64.min, "-9223372036854775808"), Row(UInt64.max, "18446744073709551615"),
    Row(Int128.max, "170141183460469231731687303715884105727"),
    Row(0.1, "0.1"), Row(1.0, "1.0"), Row(Double.leastNonzeroMagnitude, "5e-324"),
    Row(Float(0.1), "0.1"),
    Row(Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    Row(-0.0 as Double, "-0.0") { $0.sign == $1.sign && $0 == $1 },
    Row(Double.nan, #"{"$double":"nan"}"#) { $0.isNaN && $1.isNaN },
    Row(Double.infinity, #"{"$double":"inf"}"#), Row(-Float.infinity, #"{"$double":"-inf"}"#),
    Row(CGFloat(1.5), "1.5"), Row(Decimal(string: "0.1") ?? 0, "0.1"),
    Row(Decimal.nan, #"{"$decimal":"nan"}"#) { $0.isNaN && $1.isNaN },
    Row(Data([0, 255]), #""AP8=""#), Row(URL(filePath: "/a"), #""file:///a""#),
    Row(
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      #""01020304-0506-0708-090A-0B0C0D0E0F10""#
    ),
    Row(Duration.milliseconds(1500), "1.5"), Row(Duration.milliseconds(-1), "-0.001"),
    Row(Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000000000000001"),
    Row(Date(timeIntervalSinceReferenceDate: 0), #""2001-01-01T00:00:00Z""#),
    Row(Date(timeIntervalSinceReferenceDate: 785_322_723.12), #""2025-11-20T09:12:03.12Z""#),
    Row(Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00Z""#),
    Row(Date(timeIntervalSinceReferenceDate: -63_113_904_000), #""0001-01-01T00:00:00Z""#),
    Row(Date.distantPast, #"{"$date":-63114076800.0}"#),
    Row(Date(timeIntervalSince1970: 951_782_400), #""2000-02-29T00:00:00Z""#),
    Row(Date(timeIntervalSinceReferenceDate: -0.5), #"{"$date":-0.5}"#),
    Row(Date(timeIntervalSinceReferenceDate: 1e300), #"{"$date":1e+300}"#),
    Row(Int?.none, "null"), Row(Int?.some(1), "1"), Row(Int??.some(nil), #"{"$some":null}"#),
    Row(Int???.some(.some(nil)), #"{"$some":{"$some":null}}"#),
    Row(Int???.some(nil), #"{"$some":null}"#) { $0 == $1 },
    Row([1, nil, 3], "[1,null,3]"), Row([[1], []], "[[1],[]]"),
    Row(Set(["b", "a"]), #"["a","b"]"#), Row(["b": 1, "a": 2], #"{"a":2,"b":1}"#),
    Row([2: "x", 10: "y"], #"{"10":"y","2":"x"}"#), Row(["$a": 1], #"{"$$a":1}"#),
    Row([Suit.spades: 1, .hearts: 2], #"{"hearts":2,"spades":1}"#),
    Row([[1]: "x"], #"[[[1],"x"]]"#), Row(Suit.hearts, #""hearts""#), Row(Rank.ace, "1"),
    Row(Move.stay, #"{"stay":{}}"#),
    Row(Move.walk(steps: 2, .spades), #"{"walk":{"steps":2,"_1":"spades"}}"#),
    Row(Card(suit: .hearts), #"{"suit":"hearts","note":null,"tags":[],"counts":{}}"#),
    Row(
      Card(suit: .hearts, note: "x", tags: ["b", "a"], counts: [.spades: 1]),
      #"{"suit":"hearts","note":"x","tags":["a","b"],"counts":{"spades":1}}"#
    ),
    Row(Result<Int, Failure>.success(1), #"{"success":{"_0":1}}"#) {
      (try? $0.get()) == (try? $1.get())
    },
    Row(Result<Void, any Error>.success(()), #"{"success":{}}"#) {
      (try? $0.get()) != nil && (try? $1.get()) != nil
    },
  ]

  @Test("Each value of the table is encoded as the text in its row", arguments: rows)
  private func writes(row: Row) {
    #expect(row.text() == row.written)
  }

  @Test("Each value of the table is decoded from its text", arguments: rows)
  private func reads(row: Row) throws {
    #expect(try row.check())
  }

  @Test(
    "A decoding error within a Result names the path of the wrong value",
    arguments: [
      (["success": ["_0": "x"]], "/success/_0"), (["success": [:]], "/success/_0"),
      (["failure": ["_0": 1]], "/failure/_0"), (["done": [:]], ""),
    ] as [(JSON, String)]
  )
  func placesInResults(json: JSON, path: String) throws {
    let error = #expect(throws: LogDecodingError.self) {
      try LogDecoder(json).value(Result<Int, LoggedError>.self)
    }
    #expect(error?.path.description == path)
  }

  @Test("An error that cannot be read back keeps its type and description")
  func errors() throws {
    let result = Result<Int, any Error>.failure(Failure())
    let json = JSON(logging: result)
    #expect(
      json.description
        == #"{"failure":{"_0":{"$error":{"type":"Failure","description":"Failure()"}}}}"#
    )
    let read = try LogDecoder(json).value(Result<Int, any Error>.self)
    #expect(throws: LoggedError(type: "Failure", description: "Failure()")) { try read.get() }
    #expect(JSON(logging: read) == json)
  }

  enum Refusal: Error, Codable, Equatable {
    case busy(retryAfter: Int)
    case closed
  }

  enum Code: Int, Error, Equatable { case offline = 7 }

  struct Stubborn: Error, Codable {
    init() {}
    init(from decoder: any Decoder) throws { throw Failure() }
    func encode(to encoder: any Encoder) throws { throw Failure() }
  }

  @Test("An error behind any Error reads back with its type if it is Codable or has raw values")
  func boxedErrors() throws {
    func read(_ error: any Error) throws -> (json: JSON?, error: any Error) {
      let json = JSON(logging: Result<Int, any Error>.failure(error))
      let read = try LogDecoder(json).value(Result<Int, any Error>.self)
      guard case .failure(let again) = read else { throw Failure() }
      #expect(JSON(logging: read) == json)
      return (json["failure"]?["_0"]?["$error"], again)
    }
    let refusal = try read(Refusal.busy(retryAfter: 3))
    #expect(refusal.json?["value"] == ["busy": ["retryAfter": 3]])
    #expect(refusal.error as? Refusal == .busy(retryAfter: 3))
    #expect(try read(Refusal.closed).error as? Refusal == .closed)
    let code = try read(Code.offline)
    #expect(code.json?["value"] == 7)
    #expect(code.error as? Code == .offline)
    // A value that cannot be written cannot be read back.
    let stubborn = try read(Stubborn())
    #expect(stubborn.json?.object?.keys == ["type", "description"])
    #expect(stubborn.error is LoggedError)
    // Types of other processes.
    let json: JSON = [
      "failure": [
        "_0": ["$error": ["type": "E", "description": "e", "symbol": "1x1EV", "value": 1]]
      ]
    ]
    #expect(throws: LoggedError(type: "E", description: "e")) {
      try LogDecoder(json).value(Result<Int, any Error>.self).get()
    }
  }

  @Test("A value of an unknown type is written as opaque, and reading it names the type")
  func opaque() throws {
    struct Unknown {}
    let json = JSON(logging: [1: Unknown()])
    #expect(json.description == #"{"1":{"$opaque":"LogValueTests.Unknown"}}"#)
    #expect {
      try LogDecoder(json).value([Int: Unknown].self)
    } throws: {
      String(describing: $0)
        == "'[1]' was not recorded, only its type, LogValueTests.Unknown: make LogValueTests.Unknown conform to LogValue or Codable"
    }
  }

  @Test("Values behind any Sendable are written as their own types")
  func boxes() {
    let values: [any Sendable] = [1, "a", Suit.hearts]
    #expect(JSON(logging: values).description == #"[1,"a","hearts"]"#)
  }

  @Test("A value that contains itself is written as opaque with the nesting limit as reason")
  func recursion() {
    final class Node: Encodable { var next: Node? }
    let node = Node()
    node.next = node
    let text = JSON(logging: node).description
    #expect(
      text.contains(
        #""$opaque":"LogValueTests.Node","reason":"it is nested deeper than 128 levels""#
      )
    )
    node.next = nil
  }

  @Test("A value whose own encoding throws is written as opaque with the error as reason")
  func throwing() {
    struct Stubborn: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .a)
        throw Failure()
      }
      enum Keys: CodingKey { case a }
    }
    #expect(
      JSON(logging: [Stubborn()]).description
        == #"[{"$opaque":"LogValueTests.Stubborn","reason":"Failure()"}]"#
    )
  }

  @Test(
    "A decoder uses values of a template for members that the log lacks, and reports them as drift"
  )
  func template() throws {
    let decoder = LogDecoder(["suit": "spades", "tags": []])
    let card = try decoder.value(
      Card.self,
      over: Card(suit: .hearts, note: "kept", counts: [.hearts: 1])
    )
    #expect(card == Card(suit: .spades, note: "kept", counts: [.hearts: 1]))
    #expect(
      decoder.drift == [
        SchemaDrift(path: JSON.Pointer(["note"]), kind: .missingInLog),
        SchemaDrift(path: JSON.Pointer(["counts"]), kind: .missingInLog),
      ]
    )
  }

  @Test(
    "A decoding error names the path and the type that it could not read",
    arguments: [
      (
        #"{"suit":"clubs"}"#,
        "'suit' was refused by Suit: Cannot initialize Suit from invalid String value clubs"
      ),
      (
        #"{"suit":"hearts","tags":[],"counts":{"hearts":"x"}}"#,
        "'counts.hearts' should be a whole number from -9223372036854775808 to 9223372036854775807 for Int; found \"x\""
      ),
      (#"{"tags":[]}"#, "'suit' is missing: Suit has no default for it"),
      ("[]", "the value should be an object for Card; found []"),
    ]
  )
  func failures(text: String, message: String) throws {
    let json = try JSON(parsing: text)
    #expect {
      try LogDecoder(json).value(Card.self)
    } throws: {
      String(describing: $0) == message
    }
  }

  @Test("PatchBuilder writes operations for the nested members that differ")
  func patch() {
    var patch = PatchBuilder()
    patch.member("card", Card(suit: .hearts, tags: ["a"]), Card(suit: .spades, tags: ["a", "b"]))
    patch.member("$raw", 1, 2)
    patch.member("same", 1, 1)
    #expect(
      patch.patch.json.description
        == #"[{"op":"replace","path":"/card/suit","value":"spades"},{"op":"add","path":"/card/tags/1","value":"b"},{"op":"replace","path":"/$$raw","value":2}]"#
    )
  }
}
