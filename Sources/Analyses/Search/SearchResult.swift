/// The limits that end a search early.
struct SearchLimits {
  var mostTransitions = Int.max
  /// The minimum number of transitions between two checks of the limits.
  var interval = 256
  /// Checks the limits other than the number of transitions, and reports the progress.
  var look: (SearchResult) -> SearchLimit? = { _ in nil }

  func reached(_ result: SearchResult) -> SearchLimit? {
    result.transitions >= mostTransitions ? .transitions : look(result)
  }
}

/// A limit of a search.
enum SearchLimit: String, Sendable {
  case budget, transitions, replays, memory
}

/// The progress or the result of a search.
struct SearchResult: Equatable, Sendable {
  /// An order whose last step violates a rule.
  struct FoundViolation: Equatable, Sendable {
    var steps: [Int]
    var violation: SearchJudge.Violation
  }

  var violation: FoundViolation?
  /// The number of executed steps, including those known to be dead ends.
  var transitions = 0
  /// The number of distinct search states.
  var states = 0
  /// The number of orders that could not be followed to their end.
  var unclear = 0
  var limit: SearchLimit?
  /// Whether all orders were tried.
  var isComplete = false

  var isOver: Bool { violation != nil || limit != nil }
}

/// A search that has ended.
struct EndedSearch {
  var result = SearchResult()
  /// The search or its world.
  ///
  /// Freeing its memory takes time, so the owner delays it until after the response.
  var search: Any?
}
