/// Places that are not compared, in which a token `*` stands for every member or element.
struct PlacePatterns {
  /// The patterns in the order in which they came.
  private(set) var all: [JSON.Pointer] = []
  private var known: Set<JSON.Pointer> = []
  private var root = PatternNode()

  /// The tokens that follow a token in the patterns.
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

  /// No places, or these.
  init(_ patterns: [JSON.Pointer] = []) {
    for pattern in patterns { insert(pattern) }
  }

  /// Whether there are none.
  var isEmpty: Bool { all.isEmpty }

  /// Adds places.
  mutating func insert(_ pattern: JSON.Pointer) {
    guard known.insert(pattern).inserted else { return }
    all.append(pattern)
    root.insert(pattern.withoutErrors.tokens[...])
  }

  /// Whether a place is, or lies within, one of them.
  func cover(_ place: JSON.Pointer) -> Bool { root.covers(place.tokens[...]) }
}
