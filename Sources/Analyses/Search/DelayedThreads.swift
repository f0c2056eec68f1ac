/// The threads that wait until all others have finished: none, one or two.
struct DelayedThreads: Sendable, ExpressibleByArrayLiteral {
  private var threads: [ThreadedLog.Thread] = []

  init(arrayLiteral threads: ThreadedLog.Thread...) {
    for thread in threads { insert(thread) }
  }

  var isEmpty: Bool { threads.isEmpty }

  // A linear search is faster than hashing for so few threads.
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
    // The hash must not depend on their order.
    hasher.combine(threads.reduce(0) { $0 ^ $1.hashValue })
  }
}
