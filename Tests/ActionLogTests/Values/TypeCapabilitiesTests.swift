import Foundation
import Testing

@testable import ActionLog

/// The properties of types that are determined once.
@Suite struct TypeCapabilitiesTests {
  final class Object {}
  struct Plain: Codable, Equatable { var (a, b) = (1, "b") }
  struct Number: Codable, Equatable {
    var value = 1
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
  struct Many<Element> { var element: Element }

  @Test("Capabilities of a type are computed once, and different types have different ones")
  func once() {
    #expect(TypeCapabilities.of(Plain.self) === TypeCapabilities.of(Plain.self))
    #expect(TypeCapabilities.of(Plain.self) !== TypeCapabilities.of(Plain?.self))
    #expect(TypeCapabilities.of(Int.self).logValue == Int.self)
    #expect(TypeCapabilities.of(Plain.self).logValue == nil)
    #expect(TypeCapabilities.of(Plain.self).isPlain)
    #expect(!TypeCapabilities.of(Object.self).isPlain)
    #expect(TypeCapabilities.of(Int.self).traits.contains(.neverNull))
    let optional = TypeCapabilities.of(Optional<Int>.self)
    #expect(!optional.traits.contains(.neverNull))
    #expect(TypeCapabilities.of(Int.self).layout.stride == 8)
  }

  @Test("Capabilities of a type are the same object for threads that ask simultaneously")
  func threads() async {
    struct Asked {}
    let found = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<8 { group.addTask { ObjectIdentifier(TypeCapabilities.of(Asked.self)) } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found.count == 1)
  }

  @Test("TypeCapabilities tells which types are written member by member")
  func members() throws {
    let (plain, number) = (TypeCapabilities.of(Plain.self), TypeCapabilities.of(Number.self))
    var patch = PatchBuilder()
    var changed = Plain()
    changed.a = 2
    let areMembers = patch.members(from: Plain(), to: changed)
    #expect(areMembers)
    #expect(patch.patch.json == [["op": "replace", "path": "/a", "value": 2]])
    #expect(plain.writesMembers)
    #expect(number.writesMembers)
    let isNumber = !patch.members(from: Number(value: 1), to: Number(value: 2))
    #expect(isNumber)
    #expect(!number.writesMembers)
  }

  @Test("Recent types return the same capabilities as the global table for many types")
  func recent() {
    var types = RecentTypes()
    func ask<Value>(_: Value.Type, deeper: Int) {
      #expect(types.capabilities(of: Value.self) === TypeCapabilities.of(Value.self))
      let isPlain = types.isPlain(Value.self)
      #expect(isPlain)
      if deeper > 0 { ask(Many<Value>.self, deeper: deeper - 1) }
    }
    for _ in 0..<2 { ask(Int.self, deeper: 80) }
    for _ in 0..<2 {
      let isPlain = types.isPlain(Object.self)
      #expect(!isPlain)
    }
  }
}
