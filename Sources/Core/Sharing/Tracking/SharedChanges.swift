import ActionLog
import Synchronization

/// Tells whoever records of the changes of shared values.
package enum SharedChanges {
  private struct Entry {
    weak var observer: (any SharedObserver)?
  }

  private static let entries = Mutex<[Entry]>([])

  /// Tells an observer of all changes from now on, while it is alive.
  package static func observe(_ observer: any SharedObserver) {
    entries.withLock { entries in
      entries.removeAll { $0.observer == nil }
      entries.append(Entry(observer: observer))
    }
  }

  static func tell(of root: any SharedRootReference) {
    let observers = entries.withLock { $0.compactMap(\.observer) }
    guard !observers.isEmpty else { return }
    let change = SharedReference(root: root)
    let isInsideReduce = ReadScope.isInsideReduce
    for observer in observers {
      observer.sharedValueDidChange(change, isInsideReduce: isInsideReduce)
    }
  }
}

/// Someone who is told of the changes of shared values.
package protocol SharedObserver: AnyObject, Sendable {
  /// A shared value has changed.
  ///
  /// Called by the thread that has changed it, after the change and under no lock.
  ///
  /// - Parameters:
  ///   - reference: Which one.
  ///   - isInsideReduce: Whether a recorded or replayed reducer has changed it, and not an effect or another thread.
  func sharedValueDidChange(_ reference: SharedReference, isInsideReduce: Bool)
}

/// Which reference it is that a shared value stands behind.
package struct SharedReference: Hashable, Sendable {
  let root: any SharedRootReference

  /// The name of its key, the same on every machine; the type of the value when it has no key.
  package var name: String { root.name }

  /// The value as the log writes it.
  package var json: JSON { JSON(logging: root.erasedValue) }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.root === rhs.root }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(root)) }
}
