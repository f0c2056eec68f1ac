import Testing

@testable import ActionLog

/// Casts between two names of the same type.
///
/// Different types have no cast.
@Suite struct TypeEqualityTests {
  final class Object {}
  struct Large: Equatable {
    var (a, b, c) = ("a", [1, 2], 3.5)
  }

  /// Returns the result of a cast under another name; `nil` without a proof.
  private func cast<Value, Known>(_ value: Value, to _: Known.Type) -> Known? {
    guard let same = SameTypeProof<Value, Known>() else { return nil }
    let (copy, elements) = (same(value), same([value, value]))
    #expect(elements.count == 2)
    var isLent = false
    same.lend(value) { (_: borrowing Known) in isLent = true }
    same.lend(value, value) { (_: borrowing Known, _: borrowing Known) in }
    same.lend([value, value, value].span) { #expect($0.count == 3) }
    #expect(isLent)
    return copy
  }

  @Test("SameTypeProof casts values when both types are the same")
  func casts() {
    #expect(cast(7, to: Int.self) == 7)
    #expect(cast("text", to: String.self) == "text")
    #expect(cast(Large(), to: Large.self) == Large())
    #expect(cast(Int?.none, to: Int?.self) == .some(nil))
    let object = Object()
    #expect(cast(object, to: Object.self) === object)
    #expect(cast([object], to: [Object].self)?.first === object)
    #expect(cast(1 as any Sendable, to: (any Sendable).self) as? Int == 1)
  }

  @Test("SameTypeProof returns nil for two different types, even if they are alike")
  func refuses() {
    #expect(cast(7, to: UInt.self) == nil)
    #expect(cast(7, to: Int64.self) == nil)
    #expect(cast(7, to: Int?.self) == nil)
    #expect(cast(7, to: (any Sendable).self) == nil)
    #expect(cast("text", to: Substring.self) == nil)
    #expect(cast(Object(), to: AnyObject.self) == nil)
    #expect(cast([1], to: [UInt].self) == nil)
    #expect(cast((), to: Large.self) == nil)
  }

  @Test("SameTypeProof lends a span of elements only for the same type")
  func spans() {
    func sum<Value>(_ values: [Value]) -> Int? {
      var sum: Int?
      SameTypeProof<Value, Int>()?.lend(values.span) { values in
        for index in values.indices { sum = (sum ?? 0) + values[index] }
      }
      return sum
    }
    #expect(sum([1, 2, 3]) == 6)
    #expect(sum([1.0, 2.0]) == nil)
    #expect(sum([Int]()) == nil)
  }
}
