/// At most two threads, which wait until all other threads have finished.
struct DelayedThreads: Sendable, ExpressibleByArrayLiteral {
  private var threads: [ThreadedLog.Thread] = []

  init(arrayLiteral threads: ThreadedLog.Thread...) {
    for thread in threads { insert(thread) }
  }

  var isEmpty: Bool { threads.isEmpty }

  // For two threads, a linear search is faster than hashing.
  func contains(_ thread: ThreadedLog.Thread) -> Bool { threads.contains(thread) }

  mutating func insert(_ thread: ThreadedLog.Thread) {
    if !contains(thread) { threads.append(thread) }
  }
}

extension DelayedThreads: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.threads.count == rhs.threads.count && lhs.threads.allSatisfy(rhs.contains)
  }

  func hash(into hasher: inout Hasher) {
    // The result must not depend on the order of the threads.
    hasher.combine(threads.reduce(0) { $0 ^ $1.hashValue })
  }
}
