public import ActionLog
import Synchronization

/// The id of a stack element: `#0`, `#1`, and so on, in the order in which the store created the elements.
///
/// ```swift
/// case .path(.element(id: let id, action: .report(.closed))):
///   state.path[id: id] = nil
/// ```
public struct StackElementID: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// Creates the id of the element that was created at the given position, counted from 0.
  ///
  /// Tests create ids this way.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension StackElementID: CustomStringConvertible {
  /// The number of the id with the prefix `#`.
  public var description: String { "#\(number)" }
}

extension StackElementID: LogValue {
  /// Encodes the number of the id.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(number)
  }

  /// Decodes an id from its number.
  public static func decode(
    from decoder: LogDecoder,
    over _: StackElementID?
  ) throws -> StackElementID {
    StackElementID(try decoder.value(Int.self))
  }

  /// Decodes an id from its number, directly from the text of a log.
  public static func _$read(from text: inout LogText) throws -> StackElementID {
    StackElementID(try text.value(Int.self))
  }

  /// Adds the replacement of the old id by the new one to a patch if the two differ.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// Adds no types to a survey, because ids contain no other values.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Whether the encoded JSON is always well-formed, which is `true` because the id encodes itself.
  public static var _$isWellFormed: Bool { true }
}

/// A generator of ids for stack elements.
///
/// Each store has its own generator, so that the ids are the same in every run.
package final class StackElementIDs: Sendable {
  private let counter: Mutex<Int>

  /// Creates a generator whose first id has the given number.
  package init(_ next: Int = 0) {
    counter = Mutex(next)
  }

  /// Returns a separate generator that continues from the current number.
  package func copy() -> StackElementIDs {
    StackElementIDs(peek().number)
  }

  /// Returns the next id without advancing the generator.
  package func peek() -> StackElementID {
    StackElementID(counter.withLock { $0 })
  }

  /// Returns the next id, whose number is at least the given one, and advances the generator.
  package func next(from floor: Int = 0) -> StackElementID {
    counter.withLock { counter in
      let id = max(counter, floor)
      counter = id + 1
      return StackElementID(id)
    }
  }

  /// Sets the number of the next id, which comes from a recording or a snapshot.
  package func set(next: Int) {
    counter.withLock { $0 = next }
  }

  /// Reserves an id that this generator did not create, so that no later id equals it.
  func reserve(_ id: StackElementID) {
    counter.withLock { $0 = max($0, id.number + 1) }
  }

  /// Reserves all ids below the given one, so that no later id equals any of them.
  func reserve(below id: StackElementID) {
    counter.withLock { $0 = max($0, id.number) }
  }
}

extension DependencyValues {
  /// The generator that creates the ids of new stack elements.
  package var stackElementIDs: StackElementIDs {
    get {
      ownStackElementIDs ?? storeContext?.stackElementIDs ?? self[StorelessStackElementIDsKey.self]
    }
    set { ownStackElementIDs = newValue }
  }
}

/// The key of the generator for elements that are created outside of all stores, which starts at 0 in each test.
private enum StorelessStackElementIDsKey: DependencyKey {
  static var liveValue: StackElementIDs { StackElementIDs() }
  static var testValue: StackElementIDs { StackElementIDs() }
}
