import Foundation
import ReplayAnalyses
import TCARecorder

/// Generic building blocks of random types: each kind of type that is encoded by `Codable`.
enum RandomTypes {
  /// A struct with padding between its members.
  struct Pair<First: RandomCodable, Second: RandomCodable>: RandomCodable {
    var small: Int8
    var first: First
    var flag: Bool
    var second: Second

    static func random(_ mutator: inout Mutator) -> Self {
      Self(
        small: .random(&mutator),
        first: .random(&mutator),
        flag: .random(&mutator),
        second: .random(&mutator)
      )
    }
    mutating func change(_ mutator: inout Mutator) {
      switch mutator.number(4) {
      case 0: small.change(&mutator)
      case 1: first.change(&mutator)
      case 2: flag.toggle()
      default: second.change(&mutator)
      }
    }
  }

  /// A key that is compared only by its first part, regardless of the encoded second one.
  struct Key<First: RandomKey, Second: RandomKey>: RandomKey {
    var first: First
    var second: Second

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.first == rhs.first }
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
    static func random(_ mutator: inout Mutator) -> Self {
      Self(first: .random(&mutator), second: .random(&mutator))
    }
  }

  /// A key that is encoded as its raw value, which can be equal for different keys.
  struct RawKey<Rest: RandomKey>: RandomKey, RawRepresentable {
    var rawValue: String
    var rest: Rest?

    init(rawValue: String) { self.rawValue = rawValue }
    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.rawValue == rhs.rawValue && lhs.rest == rhs.rest
    }
    func hash(into hasher: inout Hasher) {
      hasher.combine(rawValue)
      hasher.combine(rest)
    }
    static func random(_ mutator: inout Mutator) -> Self {
      var key = Self(rawValue: mutator.text())
      if mutator.number(8) == 0 { key.rest = .random(&mutator) }
      return key
    }
  }

  enum Choice<First: RandomCodable, Second: RandomCodable>: RandomCodable {
    case none
    case first(First)
    case both(First, labelled: Second)

    static func random(_ mutator: inout Mutator) -> Self {
      switch mutator.number(3) {
      case 0: .none
      case 1: .first(.random(&mutator))
      default: .both(.random(&mutator), labelled: .random(&mutator))
      }
    }
    mutating func change(_ mutator: inout Mutator) {
      guard case .both(let first, var second) = self, mutator.coin() else {
        self = .random(&mutator)
        return
      }
      second.change(&mutator)
      self = .both(first, labelled: second)
    }
  }

  indirect enum List<Element: RandomCodable>: RandomCodable {
    case end
    case node(Element, List)

    static func random(_ mutator: inout Mutator) -> Self {
      mutator.number(3) == 0 ? .end : .node(.random(&mutator), .random(&mutator))
    }
    mutating func change(_ mutator: inout Mutator) {
      guard case .node(var element, var rest) = self, mutator.number(4) > 0 else {
        self = .random(&mutator)
        return
      }
      if mutator.coin() { element.change(&mutator) } else { rest.change(&mutator) }
      self = .node(element, rest)
    }
  }

  struct Tree<Element: RandomCodable>: RandomCodable {
    var element: Element
    var children: [Tree]

    static func random(_ mutator: inout Mutator) -> Self {
      Self(
        element: .random(&mutator),
        children: (0..<mutator.pick([0, 0, 1, 2])).map { _ in .random(&mutator) }
      )
    }
    mutating func change(_ mutator: inout Mutator) {
      if !children.isEmpty, mutator.coin() {
        children[mutator.number(children.count)].change(&mutator)
      } else if mutator.coin() {
        element.change(&mutator)
      } else {
        self = .random(&mutator)
      }
    }
  }

  @propertyWrapper
  struct Wrapper<Value: RandomCodable>: RandomCodable {
    var wrappedValue: Value
    static func random(_ mutator: inout Mutator) -> Self { Self(wrappedValue: .random(&mutator)) }
    mutating func change(_ mutator: inout Mutator) { wrappedValue.change(&mutator) }
  }

  /// A struct with wrapped members, custom names, and a member that is not encoded.
  struct Named<Element: RandomCodable>: RandomCodable {
    @Wrapper var element: Element
    var hidden = 0

    enum CodingKeys: String, CodingKey { case element = "$a/b~c" }
    static func random(_ mutator: inout Mutator) -> Self { Self(element: .random(&mutator)) }
    mutating func change(_ mutator: inout Mutator) {
      if mutator.coin() { element.change(&mutator) } else { hidden += 1 }
    }
  }

  /// A struct with a custom order and custom containers, which may refuse to be encoded.
  struct Custom<First: RandomCodable, Second: RandomCodable>: RandomCodable {
    var first: First
    var second: Second
    var form: Int

    init(first: First, second: Second, form: Int) {
      (self.first, self.second, self.form) = (first, second, form)
    }
    init(from decoder: any Decoder) throws { throw CocoaError(.coderReadCorrupt) }

    private enum Name: String, CodingKey { case a, b, c, d }
    func encode(to encoder: any Encoder) throws {
      switch form {
      case 0: break
      case 1:
        var container = encoder.singleValueContainer()
        try container.encode(first)
      case 2:
        var container = encoder.singleValueContainer()
        try container.encode(first)
        try container.encode(second)
      case 3:
        var container = encoder.unkeyedContainer()
        var inner = container.nestedUnkeyedContainer()
        try container.encode(first)
        try inner.encode(second)
        var keyed = container.nestedContainer(keyedBy: Name.self)
        try container.encodeNil()
        try keyed.encode(inner.count, forKey: .a)
        _ = container.superEncoder()
      case 4:
        // The second value for a name replaces the first.
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(first, forKey: .a)
        try container.encode(second, forKey: .b)
        try container.encode(second, forKey: .a)
        try first.encode(to: container.superEncoder())
        try container.encodeNil(forKey: .d)
      case 5:
        var container = encoder.container(keyedBy: Name.self)
        var left = container.nestedUnkeyedContainer(forKey: .a)
        var right = container.nestedContainer(keyedBy: Name.self, forKey: .b)
        for _ in 0..<3 {
          try left.encode(first)
          try right.encodeIfPresent(Optional(second), forKey: .c)
        }
        var again = encoder.container(keyedBy: Name.self)
        try again.encode(first, forKey: .d)
        _ = again.superEncoder(forKey: .c)
      case 6:
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(first, forKey: .a)
        throw CocoaError(.coderInvalidValue)
      case 7:
        var many = encoder.container(keyedBy: TextKey.self)
        for number in 0..<40 {
          try many.encode(number % 3, forKey: TextKey(stringValue: "\(number % 30)"))
        }
        try many.encode(first, forKey: TextKey(stringValue: "17"))
      default:
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(second, forKey: .b)
        try container.encode(first, forKey: .a)
      }
    }

    private struct TextKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    static func random(_ mutator: inout Mutator) -> Self {
      Self(first: .random(&mutator), second: .random(&mutator), form: mutator.number(9))
    }
    mutating func change(_ mutator: inout Mutator) {
      switch mutator.number(5) {
      case 0: form = mutator.number(9)
      case 1, 2: first.change(&mutator)
      default: second.change(&mutator)
      }
    }
  }

  /// Containers with thousands of elements, which are sometimes emptied.
  struct Crowd<Element: RandomCodable>: RandomCodable {
    var rows: [Element]
    var table: [Int: Element]
    var numbers: Set<Int>
    var list: IdentifiedArrayOf<Member>

    struct Member: Codable, Identifiable {
      let id: Int
      var element: Element
    }

    private static var size: Int { 2_000 }

    static func random(_ mutator: inout Mutator) -> Self {
      Self(
        rows: (0..<size).map { _ in .random(&mutator) },
        table: [Int: Element](uniqueKeysWithValues: (0..<size).map { ($0, .random(&mutator)) }),
        numbers: Set(0..<size),
        list: IdentifiedArray(
          uniqueElements: (0..<size).map { Member(id: $0, element: .random(&mutator)) }
        )
      )
    }
    mutating func change(_ mutator: inout Mutator) {
      let number = mutator.number(Self.size)
      switch mutator.number(12) {
      case 0 where number < rows.count: rows[number].change(&mutator)
      case 1 where number < rows.count: rows.insert(rows.remove(at: number), at: 0)
      case 2: rows.removeLast(min(rows.count, mutator.number(40)))
      case 3: rows = rows.isEmpty ? Self.random(&mutator).rows : []
      case 4: table[number] = .random(&mutator)
      case 5: table[number]?.change(&mutator)
      case 6: table = table.filter { $0.key % 7 != number % 7 }
      case 7: numbers.formSymmetricDifference([number, number + Self.size])
      case 8: if mutator.coin() { numbers = [] } else { numbers = Set(0..<number) }
      case 9: list[id: number]?.element.change(&mutator)
      case 10: list.removeAll { $0.id % 97 == number % 97 }
      default:
        let member = Member(id: number + Self.size, element: .random(&mutator))
        list.insert(member, at: mutator.number(list.count + 1))
      }
    }
  }
}
