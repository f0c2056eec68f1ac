import Foundation
public import TCACore
import Testing

@propertyWrapper struct Clamped: Equatable {
  var wrappedValue: Int { didSet { wrappedValue = min(max(wrappedValue, 0), 10) } }
}
@propertyWrapper struct Fixed: Equatable {
  let key: String
  init(_ key: String) { self.key = key }
  var wrappedValue: Int { key.count }
}

/// Types with the names of those in generated code.
@LogValue
struct Flagged: Equatable {
  var flag = Bool()
  var choice = Choice.one(Choice.Bool())

  struct Bool: Equatable {}
  struct Optional {}
  struct String {}
  struct Void {}
  enum Choice: Equatable {
    case one(Bool)
    struct Bool: Equatable {}
    struct Optional {}
  }
}

/// A type with all kinds of stored properties.
@LogValue
@available(macOS 12, *)
public struct Everything: Equatable {
  /// Documented { with a brace.
  public var plain = 1
  let id = UUID()
  let constant = 5
  let text: String
  private(set) var hidden: [Int] = []
  fileprivate var `class` = "x"
  var optional: Int?
  var nested: Int??
  var a = 1, b: String = "b"
  let (c, d): (Int, Int)
  @Clamped var clamped = 3
  @Clamped var unset: Int
  @Fixed("abc") var fixed: Int
  @LogIgnored var ignored = 7
  var observed = 0 { didSet { ignored += 1 } }
  var computed: Int { plain }
  static var shared: Int { 4 }
  @available(*, deprecated, message: "}") var computedToo: Int {
    get { 1 }
    set {}
  }
  #if DEBUG
  var debug = true
  #else
  var release = true
  #endif
  var raw = Raw.two
  var choice = Choice.none

  /// Encoded as its raw value.
  public enum Raw: String, Sendable {
    case one = "1"
    case two
  }
  /// Encoded as its case.
  public enum Choice: Equatable {
    case none
    case some(Deep)
    /// A nested type.
    public struct Deep: Equatable { var x = 1 }
  }
  private struct Secret { var x = 1 }
  class Reference {}

  /// Initializes the properties without default values.
  public init(text: String) {
    self.text = text
    (c, d) = (1, 2)
    unset = 4
  }
}

/// `Codable` and `LogValue` encode it differently.
@LogValue
struct Both: Codable, Equatable {
  var name = "a"
  enum CodingKeys: String, CodingKey { case name = "n" }
}

@LogValue
struct Pair<First, Second: Equatable> {
  var first: First
  var second: Second
  let third: [First] = []
}

@LogValue
enum Number: Int {
  case one = 1
  case two
}

/// A state that a log of another version describes.
@ObservableState
struct Versioned: Equatable {
  var kept = 1
  var added = "new"
  let identity = UUID()
}

/// The declarations of members contain their defaults, with names that are valid only there.
@LogValue
struct Declared: Equatable {
  enum Tag: String, Equatable { case new, old }

  struct Row: Equatable {
    var name: String
    var count = Self.most
    var tags: [Tag] = [.new]
    var note: String?
    var limit: Int? = 3

    static let most = 7
  }

  let fixed = 1
  var kept: Int
  var added = { Tag.old }()
  var row: Row
}

@ObservableState
struct Outer {
  var middle = Middle()
  struct Middle {
    var inner = Inner()
    struct Inner {
      var x = 1
      var deep = Deep.deeper(.init())
      enum Deep {
        case deeper(Deeper)
        struct Deeper { var y = 1 }
      }
    }
  }
}

/// Generated code refers to deprecated declarations without a warning, and never to unavailable ones.
@CasePathable
enum Aging: Equatable {
  case fresh
  @available(*, deprecated) case old(Int)
  @available(*, unavailable) case gone(Int)
  case `default`
  case `init`(Int)
  case `in`(`self`: Int)
}

@LogValue
struct AgingMembers {
  var fresh = 1
  @available(*, deprecated) var old = 2
}

@Suite struct LogValueTests {
  @Test func `types nested in a logged type may have the same names as types in generated code`()
    throws
  {
    let value = Flagged()
    let json = JSON(logging: value)
    #expect(json == ["flag": [:], "choice": ["one": ["_0": [:]]]])
    #expect(try LogDecoder(json).value(Flagged.self) == value)
    #expect(Flagged._$isWellFormed && Flagged.Choice._$isWellFormed)
  }

  @Test func `generated code supports deprecated, unavailable and keyword cases`() throws {
    #expect(Array(Aging.allCasePaths).count == 5)
    #expect(JSON(logging: AgingMembers()) == ["fresh": 1, "old": 2])
    #expect(try LogDecoder(["init": ["_0": 1]]).value(Aging.self) == .`init`(1))
    #expect(Aging.in(self: 2)[case: \.in] == 2)
  }

  @Test func `types nested in an observable state are logged at any depth`() {
    #expect(
      JSON(logging: Outer())
        == ["middle": ["inner": ["x": 1, "deep": ["deeper": ["_0": ["y": 1]]]]]]
    )
  }

  @Test func `a value reads back from the log without its ignored and computed members`() throws {
    var value = Everything(text: "t")
    value.plain = 9
    value.nested = .some(nil)
    value.clamped = 20
    value.choice = .some(.init(x: 3))
    value.ignored = 70
    let json = JSON(logging: value)
    let read = try LogDecoder(json).value(Everything.self)
    #expect(read.id == value.id)
    #expect(read.ignored == 7)
    #expect(read.clamped == 10)
    value.ignored = 7
    #expect(read == value)
    #expect(json["class"] == "x")
    #expect(json["raw"] == "two")
    #expect(json["choice"] == ["some": ["_0": ["x": 3]]])
    #expect(json["computed"] == nil && json["ignored"] == nil)
    #expect(json.object?.keys.prefix(4) == ["plain", "id", "constant", "text"])
  }

  @Test func `a constant is restored from the log instead of the template`() throws {
    let value = Everything(text: "t")
    let json = JSON(logging: value)
    let other = Everything(text: "u")
    #expect(other.id != value.id)
    #expect(try LogDecoder(json).value(Everything.self, over: other).id == value.id)
  }

  @Test("A constant with a literal keeps the literal instead of the logged value")
  func keepsLiterals() throws {
    let value = Everything(text: "t")
    var json = JSON(logging: value)
    try JSON.Patch([.replace(JSON.Pointer(["constant"]), 6)]).apply(to: &json)
    let read = try LogDecoder(json).value(Everything.self)
    #expect(read.constant == 5)
    #expect(read.id == value.id)
    let pair = try LogDecoder(["first": 1, "second": 2, "third": [3]]).value(Pair<Int, Int>.self)
    #expect(pair.third == [])
    #expect(throws: LogDecodingError.self) {
      try LogDecoder(["first": 1, "second": 2, "third": 3]).value(Pair<Int, Int>.self)
    }
  }

  @Test func `members that the log lacks have the values of the template`() throws {
    let template = Versioned(kept: 2, added: "template")
    let decoder = LogDecoder(["kept": 5, "gone": 1])
    let read = try decoder.value(Versioned.self, over: template)
    #expect(read.kept == 5 && read.added == "template" && read.identity == template.identity)
    #expect(decoder.drift.map(\.kind).filter { $0 == .unknownToCode }.count == 1)
    #expect(try LogDecoder(["kept": 5]).value(Versioned.self).added == "new")
  }

  @Test("Members that neither the log nor a template has are given their declared values")
  func takesWhatIsMissingFromTheDeclaration() throws {
    let decoder = LogDecoder(["kept": 5, "row": ["name": "a"]])
    let read = try decoder.value(Declared.self)
    #expect(
      read
        == Declared(
          kept: 5,
          row: Declared.Row(name: "a", count: 7, tags: [.new], note: nil, limit: 3)
        )
    )
    #expect(
      decoder.drift.map { "\($0.path) \($0.kind)" } == [
        "/added missingInLog", "/row/count missingInLog", "/row/tags missingInLog",
        "/row/note missingInLog", "/row/limit missingInLog", "/fixed missingInLog",
      ]
    )
    // A row of a log with another value keeps it. A value without a default is still required.
    #expect(try LogDecoder(["name": "a", "count": 1]).value(Declared.Row.self).count == 1)
    #expect {
      try LogDecoder(["count": 1]).value(Declared.Row.self)
    } throws: {
      "\($0)" == "'name' is missing: String has no default for it"
    }
  }

  @Test func `LogValue takes precedence over Codable`() {
    #expect(JSON(logging: Both()) == ["name": "a"])
  }

  @Test func `generic types and enums with raw values read back from the log`() throws {
    let pair = Pair(first: 1, second: "b")
    let json = JSON(logging: pair)
    #expect(json == ["first": 1, "second": "b", "third": []])
    #expect(try LogDecoder(json).value(Pair<Int, String>.self).first == 1)
    #expect(JSON(logging: Number.two) == 2)
    #expect(try LogDecoder(2).value(Number.self) == .two)
    #expect(throws: LogDecodingError.self) { try LogDecoder(3).value(Number.self) }
  }

  @Test func `a patch contains only the nested members that differ`() {
    func patch<Value: LogValue>(_ old: Value, _ new: Value) -> [String] {
      var builder = PatchBuilder()
      builder.value(old, new)
      return builder.patch.operations.map { "\($0)" }
    }
    var new = Everything(text: "t")
    let old = new
    #expect(patch(old, new).isEmpty)
    new.choice = .some(.init())
    new.raw = .one
    new.plain = 4
    #expect(patch(old, new).count == 3)
    var deeper = new
    deeper.choice = .some(.init(x: 2))
    #expect(patch(new, deeper).count == 1)
    #expect(patch(new, deeper)[0].contains("/choice/some/_0/x"))
  }

  @Test func `reading an unknown case throws an error`() {
    #expect(throws: LogDecodingError.self) {
      try LogDecoder(["other": [:]]).value(Everything.Choice.self)
    }
  }

  @Test func `generated code maps the names of logged members to key paths and back`() {
    let names = Everything._$logMembers.map(\.name)
    #expect(names.contains("plain") && names.contains("clamped") && !names.contains("id"))
    #expect(Everything._$logMembers.first { $0.keyPath == \.plain }?.name == "plain")
    #expect(Outer.names(of: \.middle.inner.x) == ["middle", "inner", "x"])
    #expect(Outer.keyPath(named: ["middle", "inner"]) == \Outer.middle.inner)
    #expect(Outer.keyPath(named: ["middle", "inner", "x"]) is WritableKeyPath<Outer, Int>)
    #expect(Outer.names(of: \.middle.inner.x.description) == nil)
    #expect(Outer.keyPath(named: ["other"]) == nil)
  }
}
