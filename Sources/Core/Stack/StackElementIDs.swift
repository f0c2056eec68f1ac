import Synchronization

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

  /// Takes note of an id that someone else has given.
  func reserve(_ id: StackElementID) {
    counter.withLock { $0 = max($0, id.number + 1) }
  }

  /// Takes note that someone else has given all ids below one.
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
