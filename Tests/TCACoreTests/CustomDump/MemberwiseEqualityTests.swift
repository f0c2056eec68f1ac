import Testing

@testable import TCACore

@Suite("Memberwise equality")
struct MemberwiseEqualityTests {
  /// A type without `==`.
  private indirect enum Action {
    case none
    case other
    case text(String)
    case pair(Int, label: Outer)
    case optional(Outer?)
    case list([Action])
    case object(Object)
    case perform(() -> Void)
    case any(Any)
  }

  private struct Outer {
    var inner: Action
    var number = 0.0
  }

  /// Equal to all other values of its type.
  private struct Alike: Equatable {
    var number: Int
    static func == (_: Self, _: Self) -> Bool { true }
  }

  private struct Hidden: CustomReflectable {
    var number: Int
    var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  private final class Object: Sendable {}

  private static let object = Object()

  private struct Case: CustomTestStringConvertible {
    let lhs: Any
    let rhs: Any
    let isSame: Bool
    var testDescription: String { "\(lhs), \(rhs)" }
  }

  nonisolated(unsafe) private static let cases: [Case] = [
    Case(lhs: Action.none, rhs: Action.none, isSame: true),
    Case(lhs: Action.none, rhs: Action.other, isSame: false),
    Case(lhs: Action.none, rhs: Action.text(""), isSame: false),
    Case(lhs: Action.text("a"), rhs: Action.text("a"), isSame: true),
    Case(lhs: Action.text("a"), rhs: Action.text("b"), isSame: false),
    Case(
      lhs: Action.pair(1, label: Outer(inner: .text("a"))),
      rhs: Action.pair(1, label: Outer(inner: .text("a"))),
      isSame: true
    ),
    Case(
      lhs: Action.pair(1, label: Outer(inner: .text("a"))),
      rhs: Action.pair(1, label: Outer(inner: .text("a"), number: 1)),
      isSame: false
    ),
    Case(
      lhs: Outer(inner: .none, number: .nan),
      rhs: Outer(inner: .none, number: .nan),
      isSame: false
    ),
    Case(lhs: Action.optional(nil), rhs: Action.optional(nil), isSame: true),
    Case(lhs: Action.optional(nil), rhs: Action.optional(Outer(inner: .none)), isSame: false),
    Case(
      lhs: Action.optional(Outer(inner: .other)),
      rhs: Action.optional(Outer(inner: .other)),
      isSame: true
    ),
    Case(lhs: Action.list([.none, .other]), rhs: Action.list([.none, .other]), isSame: true),
    Case(lhs: Action.list([.none, .other]), rhs: Action.list([.other, .none]), isSame: false),
    Case(lhs: Action.list([.none]), rhs: Action.list([.none, .none]), isSame: false),
    Case(lhs: Action.any(1), rhs: Action.any(1), isSame: true),
    Case(lhs: Action.any(1), rhs: Action.any(1.0), isSame: false),
    Case(lhs: Action.any(Alike(number: 1)), rhs: Action.any(Alike(number: 2)), isSame: true),
    Case(lhs: Action.any(Hidden(number: 1)), rhs: Action.any(Hidden(number: 1)), isSame: false),
    Case(lhs: Action.object(object), rhs: Action.object(object), isSame: false),
    Case(lhs: Action.perform({}), rhs: Action.perform({}), isSame: false),
  ]

  @Test(
    "memberwise equality compares values of types without an equality operator",
    arguments: cases.indices
  )
  func compares(_ index: Int) {
    let testCase = Self.cases[index]
    #expect(MemberwiseEquality.holds(testCase.lhs, testCase.rhs) == testCase.isSame)
    #expect(MemberwiseEquality.holds(testCase.rhs, testCase.lhs) == testCase.isSame)
  }

  @Test("memberwise equality compares values that are nested 500 levels deep")
  func depth() {
    func nested(_ action: Action) -> Action {
      (0..<500).reduce(action) { action, _ in .optional(Outer(inner: action)) }
    }
    #expect(MemberwiseEquality.holds(nested(.text("a")), nested(.text("a"))))
    #expect(!MemberwiseEquality.holds(nested(.text("a")), nested(.text("b"))))
  }
}
