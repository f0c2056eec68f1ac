/// When a search ends before it has tried everything.
struct SearchLimits {
  var mostTransitions = Int.max
  /// How many transitions lie between two looks at the time, at least.
  var interval = 256
  /// Looks at everything but the number of transitions, and tells how far the search is.
  var look: (SearchResult) -> SearchLimit? = { _ in nil }

  func reached(_ result: SearchResult) -> SearchLimit? {
    result.transitions >= mostTransitions ? .transitions : look(result)
  }
}

/// A limit of a search.
enum SearchLimit: String, Sendable {
  case budget, transitions, replays, memory
}

/// How far a search has come.
struct SearchResult: Equatable, Sendable {
  /// An order that shows a violation with its last step.
  struct FoundViolation: Equatable, Sendable {
    var steps: [Int]
    var violation: SearchJudge.Violation
  }

  var violation: FoundViolation?
  /// How many steps were made, or known to lead nowhere.
  var transitions = 0
  /// How many different places were seen.
  var states = 0
  /// How many orders could not be followed to their end.
  var unclear = 0
  var limit: SearchLimit?
  /// Whether nothing is left to try.
  var isComplete = false

  var isOver: Bool { violation != nil || limit != nil }
}

/// A search that has ended.
struct EndedSearch {
  var result = SearchResult()
  /// What remembers things that take a while to free, which can wait: the search itself, or its world.
  var search: Any?
}
