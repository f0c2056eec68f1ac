import ActionLog
import TCACore
import Testing

/// Members may have any name, including that of a protocol's member, and names in backticks.
@Suite struct MemberNameTests {
  /// Members of `Sequence`, `Collection` and other protocols, with other types.
  @LogValue
  struct Bag<Item: Equatable & Sendable>: RandomAccessCollection, Equatable, Sendable {
    var first: Item
    var last: Item
    let count: Item
    let isEmpty: Item
    var underestimatedCount: Item
    var lazy: Item
    var indices: Item?
    var reversed: [Item]
    var min: Item
    var map: (from: Item, to: Item)
    let max = [1: 2]
    let description = Swift.String("bag")
    var hashValue: String
    var items: [Item]

    var startIndex: Int { 0 }
    var endIndex: Int { items.endIndex }
    subscript(index: Int) -> Item { items[index] }

    static func == (lhs: Bag, rhs: Bag) -> Bool {
      JSON(logging: lhs) == JSON(logging: rhs)
    }
  }

  static func bag(_ number: Int) -> Bag<Int> {
    Bag(
      first: number,
      last: number + 1,
      count: number + 2,
      isEmpty: number + 3,
      underestimatedCount: number + 4,
      lazy: number + 5,
      indices: number + 6,
      reversed: [number + 7],
      min: number + 8,
      map: (from: number + 9, to: number + 10),
      hashValue: "\(number)",
      items: [number, number]
    )
  }

  static let logged: JSON = [
    "first": 1, "last": 2, "count": 3, "isEmpty": 4, "underestimatedCount": 5, "lazy": 6,
    "indices": 7, "reversed": [8], "min": 9, "map": ["from": 10, "to": 11],
    "max": ["$entries": [[1, 2]]], "description": "bag", "hashValue": "1", "items": [1, 1],
  ]

  @Test func `a generic collection is logged with its own members instead of its elements`() throws
  {
    let json = JSON(logging: Self.bag(1))
    for (name, value) in Self.logged.object ?? [:] where name != "max" {
      #expect(json[name] == value, "\(name)")
    }
    #expect(json.object?.count == Self.logged.object?.count)
    let back = try LogDecoder(json).value(Bag<Int>.self)
    #expect(back == Self.bag(1))
    #expect(back.first == 1)
    #expect(back.count == 3)
    #expect(back.isEmpty == 4)
  }

  @Test func `the patch of a generic collection contains only changes of its own members`() {
    var new = Self.bag(1)
    (new.first, new.last, new.min, new.map.to) = (21, 22, 23, 24)
    var patch = PatchBuilder()
    patch.value(Self.bag(1), new)
    #expect(
      patch.patch.json == [
        ["op": "replace", "path": "/first", "value": 21],
        ["op": "replace", "path": "/last", "value": 22],
        ["op": "replace", "path": "/min", "value": 23],
        ["op": "replace", "path": "/map/to", "value": 24],
      ]
    )
  }

  @Test
  func `key paths to a generic collection's own members are mapped to the names of these members`()
  {
    #expect(LogMember<Bag<Int>>.names(of: \.items) == ["items"])
    let first: WritableKeyPath<Bag<Int>, Int> = \.first
    #expect(LogMember<Bag<Int>>.names(of: first) == ["first"])
  }

  @ObservableState
  struct Seen<Item: Sendable>: RandomAccessCollection {
    var first: Item
    var last: Item
    var items: [Item]

    var startIndex: Int { 0 }
    var endIndex: Int { items.endIndex }
    subscript(index: Int) -> Item { items[index] }
  }

  @Test func `a generic collection with ObservableState notifies observers of its own members`() {
    var seen = Seen(first: 1, last: 2, items: [3])
    func first<Item>(_ seen: Seen<Item>) -> Item { seen.first }
    func setFirst<Item>(_ seen: inout Seen<Item>, _ item: Item) { seen.first = item }
    #expect(
      notifies(&seen) {
        _ = first($0)
      } _: {
        setFirst(&$0, 4)
      }
    )
    #expect(JSON(logging: seen) == ["first": 4, "last": 2, "items": [3]])
    #expect(LogMember<Seen<Int>>.names(of: \.first as WritableKeyPath<Seen<Int>, Int>) == ["first"])
  }

  // MARK: Names in back quotes

  @ObservableState
  struct Odd: Equatable {
    var `init` = 3
    var `class` = 2
    var `my var` = 4
    var `1st`: Int
    var `say "hi"` = 5 { didSet { `say "hi"` = min(`say "hi"`, 9) } }
    let `let` = 6
    var `a tuple`: (`x y`: Int, `self`: Int) = (7, 8)
    @Presents var `the child`: OddChild?

    static func == (lhs: Odd, rhs: Odd) -> Bool { JSON(logging: lhs) == JSON(logging: rhs) }
  }

  @ObservableState
  struct OddChild: Equatable {
    var `protocol` = 1
  }

  @Test func `properties with raw and keyword names are logged under these names`() throws {
    var odd = Odd(`1st`: 0)
    odd.`init` += 10
    odd.`my var` += 10
    odd.`say "hi"` = 12
    odd.`the child` = OddChild()
    odd.`the child`?.`protocol` = 2
    let json: JSON = [
      "init": 13, "class": 2, "my var": 14, "1st": 0, "say \"hi\"": 9, "let": 6,
      "a tuple": ["x y": 7, "self": 8], "the child": ["protocol": 2],
    ]
    #expect(JSON(logging: odd) == json)
    #expect(try LogDecoder(json).value(Odd.self) == odd)
    #expect(
      notifies(&odd) {
        _ = $0.`my var`
      } _: {
        $0.`my var` = 5
      }
    )
    #expect(LogMember<Odd>.names(of: \.`my var`) == ["my var"])
  }

  @CasePathable
  @dynamicMemberLookup
  enum Named: Equatable {
    case `init`(`my label`: Int, String)
    case `my case`(Int)
    case `say "hi"`(`in`: Int, `self`: Int)
    case `default`
    // Members of the protocols to which the macro adds a conformance.
    case encode(Int)
    case decode(Int)
    case survey(Int)
    case difference(Int)
    case hash(Int)
    case modify(Int)
    case `is`(Int)
    case makeIterator(Int)
    case map(Int)
    case first(Int)
    case lazy(Int)
    case underestimatedCount(Int)
    case contains(Int)
    case allCasePaths(Int)
    case `case`(Int)
    case root(Int)
    case appending(Int)
    case path(Int)
    case some(Int)
    case none
  }

  @Test(
    arguments: [
      (.`init`(`my label`: 1, "a"), ["init": ["my label": 1, "_1": "a"]]),
      (.`my case`(1), ["my case": ["_0": 1]]),
      (.`say "hi"`(in: 1, self: 2), ["say \"hi\"": ["in": 1, "self": 2]]),
      (.default, ["default": [:]]),
      (.encode(1), ["encode": ["_0": 1]]),
      (.decode(1), ["decode": ["_0": 1]]),
      (.survey(1), ["survey": ["_0": 1]]),
      (.difference(1), ["difference": ["_0": 1]]),
      (.map(1), ["map": ["_0": 1]]),
      (.none, ["none": [:]]),
    ] as [(Named, JSON)]
  )
  func `enum cases with raw and keyword names read back and have case paths`(
    value: Named,
    json: JSON
  ) throws {
    #expect(JSON(logging: value) == json)
    #expect(try LogDecoder(json).value(Named.self) == value)
    #expect(value.is(value.case))
    #expect(Named.allCasePaths.filter { value.is($0) } == [value.case])
  }

  @Test func `case paths with raw and method names embed payloads`() {
    #expect((\Named.Cases.`my case`)(1) == .`my case`(1))
    #expect((\Named.Cases.map)(1) == .map(1))
    #expect((\Named.Cases.first)(1) == .first(1))
    #expect(Named.`my case`(1).`my case` == 1)
    #expect(Named.modify(1).modify == 1)
  }

  @Reducer
  struct Feature {
    struct State: Equatable {}
    enum Action: Equatable { case `my action` }
  }

  @Reducer
  enum Path {
    case `my feature`(Feature)
    case `init`(Feature)
  }

  @Test func `cases of an enum of features with raw names are logged under these names`() {
    let json = JSON(logging: Path.State.`my feature`(Feature.State()))
    #expect(json == ["my feature": ["_0": [:]]])
    #expect(
      JSON(logging: Path.Action.`init`(.`my action`)) == ["init": ["_0": ["my action": [:]]]]
    )
  }

  @DependencyClient
  struct Client: Sendable {
    var `my call`: @Sendable (_ `a b`: Int) async throws -> Int
    var `init`: @Sendable () throws -> Int
  }

  @Test func `client endpoints whose names are raw identifiers can be called`() async throws {
    var client = Client()
    client.`my call` = { $0 + 1 }
    client.`init` = { 5 }
    #expect(try await client.`my call`(`a b`: 1) == 2)
    #expect(try client.`init`() == 5)
  }
}
