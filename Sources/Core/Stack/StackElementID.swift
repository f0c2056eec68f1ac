public import ActionLog
import Synchronization

/// The id of an element of a stack: `#0`, `#1` and so on, in the order in which elements came into the store.
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
  /// The id of an element by its place among all that came, from 0, as tests write it.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension StackElementID: CustomStringConvertible {
  /// The number after a `#`.
  public var description: String { "#\(number)" }
}

extension StackElementID: LogValue {
  /// Writes the number.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(number)
  }

  /// Reads a number.
  public static func decode(
    from decoder: LogDecoder,
    over _: StackElementID?
  ) throws -> StackElementID {
    StackElementID(try decoder.value(Int.self))
  }

  /// Reads a number.
  public static func _$read(from text: inout LogText) throws -> StackElementID {
    StackElementID(try text.value(Int.self))
  }

  /// Replaces one id by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

/// Counts the elements of stacks; each store has a counter of its own, so that its ids are the same
/// in every run.
package final class StackElementIDs: Sendable {
  private let counter: Mutex<Int>

  /// A counter that begins with a number.
  package init(_ next: Int = 0) {
    counter = Mutex(next)
  }

  /// A counter of its own that goes on from where this one is.
  package func copy() -> StackElementIDs {
    StackElementIDs(peek().number)
  }

  /// The id that comes next.
  package func peek() -> StackElementID {
    StackElementID(counter.withLock { $0 })
  }

  /// The next id, and none below the one given.
  package func next(from floor: Int = 0) -> StackElementID {
    counter.withLock { counter in
      let id = max(counter, floor)
      counter = id + 1
      return StackElementID(id)
    }
  }

  /// Goes on from a number, as a recording says.
  package func set(next: Int) {
    counter.withLock { $0 = next }
  }

  /// Reserves an id that did not come from this counter.
  func reserve(_ id: StackElementID) {
    counter.withLock { $0 = max($0, id.number + 1) }
  }

  /// Reserves all ids below one.
  func reserve(below id: StackElementID) {
    counter.withLock { $0 = max($0, id.number) }
  }
}

extension DependencyValues {
  /// Where the ids of new stack elements come from.
  package var stackElementIDs: StackElementIDs {
    get { ownStackElementIDs ?? storeContext?.stackElementIDs ?? self[OutsideStores.self] }
    set { ownStackElementIDs = newValue }
  }
}

/// For elements that come into being outside of all stores; each test begins at 0.
private enum OutsideStores: DependencyKey {
  static var liveValue: StackElementIDs { StackElementIDs() }
  static var testValue: StackElementIDs { StackElementIDs() }
}
