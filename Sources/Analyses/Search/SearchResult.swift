/// The limits at which a search ends.
struct SearchLimits {
  var mostTransitions = Int.max
  /// The number of transitions after which a systematic search checks the limits again.
  var interval = 256
  /// A closure that receives the results so far, and returns the limit that has been reached, or `nil`.
  var look: (SearchResult) -> SearchLimit? = { _ in nil }

  func reached(_ result: SearchResult) -> SearchLimit? {
    result.transitions >= mostTransitions ? .transitions : look(result)
  }
}

/// The limit that ended a search.
enum SearchLimit: String, Sendable {
  case budget, transitions, replays, memory
}

/// The results of a search, which may still run.
struct SearchResult: Equatable, Sendable {
  /// An order of steps that ends with a violation.
  struct FoundViolation: Equatable, Sendable {
    var steps: [Int]
    var violation: SearchJudge.Violation
  }

  var violation: FoundViolation?
  /// The number of steps that were executed, or skipped because they lead to a known dead end.
  var transitions = 0
  /// The number of distinct search states.
  ///
  /// A systematic search counts only those before steps whose position matters.
  var states = 0
  /// The number of orders that ended early, because their further results would not prove a fault.
  var unclear = 0
  var limit: SearchLimit?
  /// Whether all orders were tried to their end, without a violation.
  var isComplete = false

  var isOver: Bool { violation != nil || limit != nil }
}

/// The results of a search that has ended, with the memory that it still holds.
struct EndedSearch {
  var result = SearchResult()
  /// The search or its state space.
  ///
  /// Releasing its memory takes time, so the owner releases it after sending the response.
  var search: Any?
}
