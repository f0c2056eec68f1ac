import Foundation
import Testing

@testable import ActionLog

/// Copies that any thread may use.
@Suite struct PlainCopyTests {
  final class Object {}
  struct Holder { var object: Object }
  struct Row: Equatable {
    var (id, name) = (1, "row")
  }

  @Test("A plain copy returns the value only for its own type")
  func values() throws {
    var types = RecentTypes()
    let copy = try #require(SendableCopy([Row(), Row()], &types))
    #expect(copy.value(as: [Row].self) == [Row(), Row()])
    #expect(copy.value(as: Row.self) == nil)
    #expect(copy.value(as: [Int].self) == nil)
    #expect(SendableCopy(Set([1, 2]), &types)?.value() == Set([1, 2]))
    #expect(SendableCopy(Date.distantPast, &types)?.value() == Date.distantPast)
  }

  @Test("A plain copy is not made of values with references, functions or existentials")
  func references() {
    var types = RecentTypes()
    let object = Object()
    #expect(SendableCopy(object, &types) == nil)
    #expect(SendableCopy(Holder(object: object), &types) == nil)
    #expect(SendableCopy([object], &types) == nil)
    #expect(SendableCopy({ object }, &types) == nil)
    #expect(SendableCopy(1 as Any, &types) == nil)
  }

  @Test(
    "hasSameBits is true for copies with the same storage and false for equal values in other storage"
  )
  func bits() {
    let text = String(repeating: "long enough to have storage", count: 2)
    let (rows, same) = ([Row()], [Row()])
    let copy = rows
    #expect(hasSameBits(rows, copy))
    #expect(!hasSameBits(rows, same))
    #expect(hasSameBits(text, text))
    #expect(hasSameBits((), ()))
    #expect(!hasSameBits(0.0, -0.0))
  }
}

/// Values that are sent between threads with their key paths.
@Suite struct SendableKeyPathTests {
  @Test("Sendable key paths are equal when their key paths are")
  func equality() {
    let count = SendableKeyPath(\String.count)
    #expect(count == SendableKeyPath(\String.count))
    #expect(SendableKeyPath<AnyKeyPath>(\String.count) != SendableKeyPath(\String.isEmpty))
    #expect("four"[keyPath: count.path] == 4)
    #expect(Set([count, SendableKeyPath(\String.utf8.count)]).count == 2)
  }
}
