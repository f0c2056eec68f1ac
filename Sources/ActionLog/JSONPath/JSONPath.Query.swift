extension JSONPath {
  /// A query taken apart: segments that each lead from some values to others (RFC 9535, section 2.1).
  struct Query: Sendable, Hashable {
    /// Whether it starts from the value that a filter looks at (`@`), not from the root (`$`).
    var isRelative = false
    var segments: [Segment] = []

    /// Whether it can select one value at most (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
      }
    }
  }

  /// Selectors for the children of a value, or for those of all values within it (RFC 9535, section 2.5).
  struct Segment: Sendable, Hashable {
    var isDescendant = false
    var selectors: [Selector]
  }

  /// What selects children of a value (RFC 9535, section 2.3).
  enum Selector: Sendable, Hashable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }
}
