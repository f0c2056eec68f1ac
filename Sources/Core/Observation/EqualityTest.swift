/// A comparison of two values of a type with `==`.
///
/// The conformance is looked up once for many comparisons, because a lookup takes longer than most comparisons.
///
/// ```swift
/// let equality = EqualityTest<Int>.make()
/// equality.equated(1, 2)  // false
/// ```
class EqualityTest<Value> {
  /// Returns the comparison for a type.
  static func make() -> EqualityTest {
    // The dynamic type of an object or an existential value may differ from `Value`, so each comparison looks it up.
    guard !(Value.self is AnyClass), let type = Value.self as? any Equatable.Type else {
      return EqualityTest()
    }
    func make<Known: Equatable>(_: Known.Type) -> Any { StaticEqualityTest<Known>() }
    return make(type) as? EqualityTest ?? EqualityTest()
  }

  /// Returns the result of `==`, or `nil` if the values aren't `Equatable`.
  func equated(_ lhs: Value, _ rhs: Value) -> Bool? { DumpEquality.equated(lhs, rhs) }
}

private final class StaticEqualityTest<Value: Equatable>: EqualityTest<Value> {
  override func equated(_ lhs: Value, _ rhs: Value) -> Bool? { lhs == rhs }
}
