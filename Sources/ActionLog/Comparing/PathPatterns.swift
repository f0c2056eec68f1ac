/// Patterns for the paths that a comparison ignores.
///
/// The token `*` matches every member or element.
struct PathPatterns {
  /// The patterns in the order in which they were inserted.
  private(set) var all: [JSON.Pointer] = []
  private var known: Set<JSON.Pointer> = []
  private var root = PatternNode()

  /// A node of the pattern tree, which maps each token to the node for the next token.
  private struct PatternNode {
    var next: [String: PatternNode] = [:]
    var isEnd = false

    mutating func insert(_ tokens: ArraySlice<String>) {
      guard let token = tokens.first else {
        isEnd = true
        return
      }
      next[token, default: PatternNode()].insert(tokens.dropFirst())
    }

    func covers(_ tokens: ArraySlice<String>) -> Bool {
      if isEnd { return true }
      guard let token = tokens.first else { return false }
      let rest = tokens.dropFirst()
      return next[token]?.covers(rest) == true || next["*"]?.covers(rest) == true
    }
  }

  init(_ patterns: [JSON.Pointer] = []) {
    for pattern in patterns { insert(pattern) }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Adds a pattern, if it isn't present.
  mutating func insert(_ pattern: JSON.Pointer) {
    guard known.insert(pattern).inserted else { return }
    all.append(pattern)
    root.insert(pattern.withoutErrors.tokens[...])
  }

  /// Whether `place` equals a path that a pattern matches, or lies within one.
  func cover(_ place: JSON.Pointer) -> Bool { root.covers(place.tokens[...]) }
}
