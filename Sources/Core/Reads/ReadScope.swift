import Synchronization

/// The time during which reads belong to a reducer: from when an action is reduced until `reduce`
/// returns.
///
/// The scope is task-local, so it sees reads however deep below the recorder an override lies.
/// Effects inherit it with all task-locals; by then it is closed, and their reads are their own.
package final class ReadScope: Sendable {
  @TaskLocal package static var current: ReadScope?

  private let interceptor: any ReadInterceptor
  private let parent: ReadScope?
  private let isOpen = Atomic(true)

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - interceptor: Answers the reads while the scope is open.
  ///   - parent: The scope around this one; it sees each read first.
  package init(interceptor: any ReadInterceptor, parent: ReadScope?) {
    self.interceptor = interceptor
    self.parent = parent
  }

  /// Opens the scope again, which nobody else may have.
  package func open() {
    isOpen.store(true, ordering: .releasing)
  }

  /// Ends the scope: `reduce` has returned.
  package func close() {
    isOpen.store(false, ordering: .releasing)
  }

  /// Reads something from the world, or from whoever answers for it.
  package static func read<Value>(
    _ key: String,
    standIn: @autoclosure () -> Value,
    live: () -> Value
  ) -> Value {
    guard let current else { return live() }
    // What an answer reads to come about is part of it, and no read of the reducer's.
    return current.read(key, standIn: standIn) { $current.withValue(nil, operation: live) }
  }

  private func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    func own() -> Value {
      isOpen.load(ordering: .acquiring)
        ? interceptor.read(key, standIn: standIn, live: live) : live()
    }
    // What this scope answers is what its parent takes for the world.
    return parent?.read(key, standIn: standIn, live: own) ?? own()
  }
}
