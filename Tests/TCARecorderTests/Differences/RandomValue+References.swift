import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import TCARecorder

// Types whose values can change although their bits stay the same.
extension RandomTypes {
  /// An object that is changed in place.
  final class Object<Element: RandomCodable>: RandomCodable {
    var element: Element

    init(_ element: Element) { self.element = element }
    static func random(_ mutator: inout Mutator) -> Self { Self(.random(&mutator)) }
    func change(_ mutator: inout Mutator) { element.change(&mutator) }
  }

  /// A struct with an object that is sometimes replaced.
  struct Holder<Element: RandomCodable>: RandomCodable {
    var count = 0
    var object: Object<Element>

    static func random(_ mutator: inout Mutator) -> Self { Self(object: .random(&mutator)) }
    mutating func change(_ mutator: inout Mutator) {
      switch mutator.number(3) {
      case 0: count += 1
      case 1: object = .random(&mutator)
      default: object.change(&mutator)
      }
    }
  }

  /// An object of a class or its subclass, which encodes more than its superclass.
  struct Family<Element: RandomCodable>: RandomCodable {
    private var member: Parent<Element>

    private init(_ member: Parent<Element>) { self.member = member }
    init(from decoder: any Decoder) throws {
      member = try (try? Child<Element>(from: decoder)) ?? Parent(from: decoder)
    }
    func encode(to encoder: any Encoder) throws { try member.encode(to: encoder) }
    static func random(_ mutator: inout Mutator) -> Self {
      let element = Element.random(&mutator)
      return Self(mutator.coin() ? Parent(element) : Child(element, count: mutator.number(3)))
    }
    mutating func change(_ mutator: inout Mutator) {
      switch mutator.number(4) {
      case 0: self = .random(&mutator)
      case 1: (member as? Child<Element>)?.count += 1
      default: member.element.change(&mutator)
      }
    }
  }

  private class Parent<Element: RandomCodable>: Codable {
    var element: Element
    init(_ element: Element) { self.element = element }
  }

  private final class Child<Element: RandomCodable>: Parent<Element> {
    private enum CodingKeys: String, CodingKey { case count }
    var count: Int

    init(_ element: Element, count: Int) {
      self.count = count
      super.init(element)
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(Int.self, forKey: .count)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      try super.encode(to: container.superEncoder())
    }
  }

  /// A value in storage that is copied before it changes.
  struct Copied<Element: RandomCodable>: RandomCodable {
    private var storage: Object<Element>

    static func random(_ mutator: inout Mutator) -> Self { Self(storage: .random(&mutator)) }
    mutating func change(_ mutator: inout Mutator) {
      if !isKnownUniquelyReferenced(&storage) { storage = Object(storage.element) }
      storage.change(&mutator)
    }
  }

  /// A value with an erased type.
  struct Erased<Element: RandomCodable>: RandomCodable {
    var value: any RandomCodable

    init(value: any RandomCodable) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Element(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    static func random(_ mutator: inout Mutator) -> Self {
      Self(value: mutator.coin() ? Element.random(&mutator) : Object<Element>.random(&mutator))
    }
    mutating func change(_ mutator: inout Mutator) {
      func change<Value: RandomCodable>(_ value: Value) -> any RandomCodable {
        var value = value
        value.change(&mutator)
        return value
      }
      value = change(value)
    }
  }

  /// A value that is read from another storage.
  struct Computed<Element: RandomCodable>: RandomCodable {
    let read: () -> Element
    private let object: Object<Element>

    private init(_ object: Object<Element>) {
      self.object = object
      read = { object.element }
    }
    init(from decoder: any Decoder) throws { self.init(Object(try Element(from: decoder))) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(read())
    }
    static func random(_ mutator: inout Mutator) -> Self { Self(.random(&mutator)) }
    mutating func change(_ mutator: inout Mutator) { object.change(&mutator) }
  }

  /// Shared values.
  ///
  /// Two are the same, and the third is a part of it.
  struct Sharing<Element: RandomCodable>: RandomValue, LogValue {
    var count = 0
    var first: Shared<[Element]>
    var second: Shared<[Element]>
    var part: Shared<[Element]>
    var rows: [Shared<Element>]

    static func random(_ mutator: inout Mutator) -> Self {
      nonisolated(unsafe) let pair = Pair<[Element], Int>.random(&mutator)
      nonisolated(unsafe) let element = Element.random(&mutator)
      let whole = Shared(value: pair)
      let row = Shared(value: element)
      return Self(first: whole.first, second: whole.first, part: whole.first, rows: [row, row])
    }
    mutating func change(_ mutator: inout Mutator) {
      switch mutator.number(7) {
      case 0: count += 1
      case 1, 2: first.withLock { $0.change(&mutator) }
      case 3: second.withLock { _ in }
      case 4: rows[mutator.number(rows.count)].withLock { $0.change(&mutator) }
      case 5: rows.append(rows[0])
      default: self = mutator.coin() ? .random(&mutator) : self
      }
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginObject()
      encoder.member("count", count)
      encoder.member("first", first)
      encoder.member("second", second)
      encoder.member("part", part)
      encoder.member("rows", rows)
      encoder.endObject()
    }
    static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
      throw CocoaError(.coderReadCorrupt)
    }
    static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
      patch.member("count", old.count, new.count)
      patch.member("first", old.first, new.first)
      patch.member("second", old.second, new.second)
      patch.member("part", old.part, new.part)
      patch.member("rows", old.rows, new.rows)
    }
    static func survey(_ type: inout LogTypeSurvey) {
      type.member(\Self.count)
      type.member(\Self.first)
      type.member(\Self.second)
      type.member(\Self.part)
      type.member(\Self.rows)
    }
  }
}

extension Mutator {
  /// Returns a randomly composed type.
  mutating func type(depth: Int = 3) -> any RandomCodable.Type {
    guard depth > 0, number(5) > 0 else { return leaf() }
    func of<A: RandomCodable>(_: A.Type) -> any RandomCodable.Type {
      switch number(14) {
      case 0, 1: [A].self
      case 2: A?.self
      case 3: RandomTypes.List<A>.self
      case 4: RandomTypes.Tree<A>.self
      case 5: RandomTypes.Wrapper<A>.self
      case 6: RandomTypes.Named<A>.self
      case 7: RandomTypes.Object<A>.self
      case 8: RandomTypes.Holder<A>.self
      case 9: RandomTypes.Copied<A>.self
      case 10: RandomTypes.Erased<A>.self
      case 11: RandomTypes.Computed<A>.self
      case 12: RandomTypes.Family<A>.self
      default: [RandomTypes.Pair<A, Int>].self
      }
    }
    func of<A: RandomCodable, B: RandomCodable>(_: A.Type, _: B.Type) -> any RandomCodable.Type {
      switch number(3) {
      case 0: RandomTypes.Pair<A, B>.self
      case 1: RandomTypes.Choice<A, B>.self
      default: RandomTypes.Custom<A, B>.self
      }
    }
    func of<A: RandomKey, B: RandomCodable>(key _: A.Type, _: B.Type) -> any RandomCodable.Type {
      number(3) == 0 ? Set<A>.self : [A: B].self
    }
    switch number(4) {
    case 0: return of(type(depth: depth - 1), type(depth: depth - 1))
    case 1: return of(key: key(), type(depth: depth - 1))
    default: return of(type(depth: depth - 1))
    }
  }

  private mutating func leaf() -> any RandomCodable.Type {
    pick([
      Int.self, Int8.self, Bool.self, Double.self, String.self, UUID.self, Date.self, Decimal.self,
      Data.self, URL.self, TimeZone.self,
    ])
  }

  private mutating func key() -> any RandomKey.Type {
    pick([
      Int.self, String.self, UUID.self, Date.self, RandomTypes.Key<Int, String>.self,
      RandomTypes.Key<String, Double>.self, RandomTypes.RawKey<Int>.self, Bool?.self,
    ])
  }
}
