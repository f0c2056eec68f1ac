import ActionLog
import ReplayEngine

/// The actions of a log at which a condition begins or ceases to hold, by one reading of the log.
package struct ConditionScan: Sendable, Equatable {
  /// An action at which the condition begins or ceases to hold.
  package struct Flip: Sendable, Equatable {
    package let seq: Int
    package let holds: Bool
  }

  /// Whether the condition holds before the first action.
  package private(set) var holdsAtStart = false
  /// Every flip, in order.
  package private(set) var flips: [Flip] = []
  /// The changes by the first action after which it holds.
  package private(set) var differences: [LogDifference] = []
  /// The last action of the log.
  package private(set) var last = 0
  /// Reasons to doubt that the condition, or a part of it, can ever hold as meant.
  package private(set) var doubts: [ConditionSurvey.Doubt] = []
  /// The doubts that hold for other logs as well.
  package private(set) var certainDoubts: [ConditionSurvey.Doubt] = []

  /// The first action after which the condition holds, having not held before.
  package var first: Int? { flips.first { $0.holds }?.seq }

  /// Reads a log.
  ///
  /// - Throws: What the events throw, and `LogCursor.BrokenPatch`.
  package init(_ events: @escaping LogComparison.Events, for condition: Condition) throws {
    var contexts = ActionContexts(events)
    var survey = ConditionSurvey(condition.expression)
    var held: Bool?
    var hasHeld = false
    defer {
      doubts = survey.doubts(isNeverTrue: !hasHeld)
      certainDoubts = survey.doubts(isNeverTrue: false)
    }
    while let context = try contexts.next() {
      last = context.seq
      let value = condition.value(of: context)
      survey.look(at: value)
      let holds = condition.expression.holds(for: value)
      hasHeld = hasHeld || holds
      defer { held = holds }
      guard let held else {
        holdsAtStart = context.action == nil && holds
        if context.action != nil, holds { note(context, holds) }
        continue
      }
      if held != holds { note(context, holds) }
    }
  }

  private mutating func note(_ context: ActionContext, _ holds: Bool) {
    if holds, first == nil { differences = context.differences }
    flips.append(Flip(seq: context.seq, holds: holds))
  }
}

extension ActionContext {
  /// The changes by the action.
  fileprivate var differences: [LogDifference] {
    guard let before else { return [] }
    return JSON.differences(from: before, to: state).map {
      LogDifference($0, seq: seq, cause: .state)
    }
  }
}

/// Why an expression is never true in a log: a member that never exists, or types that never match.
package struct ConditionSurvey: Sendable {
  /// A reason to doubt that a clause of an expression can hold as meant.
  package enum Doubt: Sendable, Equatable {
    /// Nothing was ever at the end of a path, which starts at the root or at the elements of an array; and where it ended.
    case missing(JSON.Location, UnresolvedPath, elementsOf: String?)
    /// The sides were never of one type; examples of both.
    case unlike(JSONPath.Clause, left: JSON, right: JSON)
  }

  fileprivate struct Search {
    let clause: JSONPath.Clause
    var left = Way()
    var right = Way()
    /// Values of the sides that are not of one type.
    var clash: (left: JSON, right: JSON)?

    /// The way to the value of a side.
    struct Way {
      var isFound = false
      var isRelative = false
      var path = JSON.Location()
      var end: UnresolvedPath?
    }
  }

  private var searches: [Search]

  package init(_ expression: JSONPath.Expression) {
    searches = expression.clauses.map { Search(clause: $0) }
  }

  /// Takes a value for which the expression is evaluated.
  package mutating func look(at root: JSON) {
    for index in searches.indices.reversed() {
      let sides = searches[index].clause.sides(in: root)
      if sides.contains(where: { searches[index].take($0.left, $0.right) }) {
        searches.remove(at: index)
      }
    }
  }

  /// The doubts that are left.
  ///
  /// - Parameter isNeverTrue: Whether the expression was never true. Otherwise only doubts count that hold for every log.
  /// - Returns: The doubts, in the order of the expression.
  package func doubts(isNeverTrue: Bool) -> [Doubt] {
    searches.flatMap { search -> [Doubt] in
      if let clash = search.clash {
        return [.unlike(search.clause, left: clash.left, right: clash.right)]
      }
      if search.clause.asks == .existence, !isNeverTrue { return [] }
      let ways = search.clause.asks == .existence ? [search.left] : [search.left, search.right]
      return ways.compactMap { way in
        guard !way.isFound, let end = way.end, isNeverTrue || end.isCertain else { return nil }
        // Unknown members of the root are reported before the log is read.
        guard way.isRelative || !end.path.steps.isEmpty else { return nil }
        let owner = way.isRelative ? search.clause.filteredText : nil
        return .missing(way.path, end, elementsOf: owner)
      }
    }
  }
}

extension ConditionSurvey.Search {
  /// Takes both sides of the clause for one value.
  ///
  /// - Returns: Whether nothing is left to doubt.
  fileprivate mutating func take(
    _ left: JSONPath.Clause.Side,
    _ right: JSONPath.Clause.Side
  ) -> Bool {
    self.left.take(left)
    guard clause.asks != .existence else { return self.left.isFound }
    self.right.take(right)
    if clause.comparesWithNull { return self.left.isFound && self.right.isFound }
    guard let left = left.value, let right = right.value, left != .null, right != .null else {
      return false
    }
    if clause.canHold(left, right) { return true }
    clash = clash ?? (left, right)
    return false
  }
}

extension ConditionSurvey.Search.Way {
  fileprivate mutating func take(_ side: JSONPath.Clause.Side) {
    if side.value != nil { isFound = true }
    guard !isFound, let way = side.way else { return }
    path = way.path
    isRelative = way.isRelative
    end = UnresolvedPath.nearest(end, UnresolvedPath(way.path.pointer, in: way.start))
  }
}
