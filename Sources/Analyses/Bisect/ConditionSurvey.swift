import ActionLog
import ReplayEngine

/// What an expression has met in a log, to tell why it is never true: a member that never was, types that are never alike.
struct ConditionSurvey: Sendable {
  /// Why a part of an expression cannot come out as meant.
  enum Doubt: Sendable, Equatable {
    /// Nothing was ever at the end of a way, which starts at the elements of something or at the whole; as far as it leads.
    case missing(JSON.Pointer, UnresolvedPath, elementsOf: String?)
    /// The sides were never of one type; examples of both.
    case unlike(JSONPath.Part, left: JSON, right: JSON)
  }

  fileprivate struct Search {
    let part: JSONPath.Part
    var left = Way()
    var right = Way()
    /// Values of the sides that are not of one type.
    var clash: (left: JSON, right: JSON)?

    /// The way to the value of a side.
    struct Way {
      var isFound = false
      var isRelative = false
      var path = JSON.Pointer()
      var end: UnresolvedPath?
    }
  }

  private var searches: [Search]

  init(_ expression: JSONPath.Expression) {
    searches = expression.parts.map { Search(part: $0) }
  }

  /// Takes a value of which the expression is true or not.
  mutating func look(at root: JSON) {
    for index in searches.indices.reversed() {
      let sides = searches[index].part.sides(in: root)
      if sides.contains(where: { searches[index].take($0.left, $0.right) }) {
        searches.remove(at: index)
      }
    }
  }

  /// The doubts that are left.
  ///
  /// - Parameter isNeverTrue: Whether the expression was never true. Otherwise only that is told which no other log will have.
  /// - Returns: The doubts, in the order of the expression.
  func doubts(isNeverTrue: Bool) -> [Doubt] {
    searches.flatMap { search -> [Doubt] in
      if let clash = search.clash {
        return [.unlike(search.part, left: clash.left, right: clash.right)]
      }
      if search.part.asks == .existence, !isNeverTrue { return [] }
      let ways = search.part.asks == .existence ? [search.left] : [search.left, search.right]
      return ways.compactMap { way in
        guard !way.isFound, let end = way.end, isNeverTrue || end.isCertain else { return nil }
        // That there is no such member at all is told before the log is read.
        guard way.isRelative || !end.path.tokens.isEmpty else { return nil }
        let owner = way.isRelative ? search.part.filteredText : nil
        return .missing(way.path, end, elementsOf: owner)
      }
    }
  }
}

extension ConditionSurvey.Search {
  /// Takes what both sides are for one value.
  ///
  /// - Returns: Whether nothing is left to doubt.
  fileprivate mutating func take(_ left: JSONPath.Part.Side, _ right: JSONPath.Part.Side) -> Bool {
    self.left.take(left)
    guard part.asks != .existence else { return self.left.isFound }
    self.right.take(right)
    if part.comparesWithNull { return self.left.isFound && self.right.isFound }
    guard let left = left.value, let right = right.value, left != .null, right != .null else {
      return false
    }
    if left.kind == right.kind { return true }
    clash = clash ?? (left, right)
    return false
  }
}

extension ConditionSurvey.Search.Way {
  fileprivate mutating func take(_ side: JSONPath.Part.Side) {
    if side.value != nil { isFound = true }
    guard !isFound, let way = side.way else { return }
    path = way.path
    isRelative = way.isRelative
    end = UnresolvedPath.nearest(end, UnresolvedPath(way.path, in: way.start))
  }
}
