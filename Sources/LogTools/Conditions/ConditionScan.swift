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
    case missing(JSON.Location, UnresolvedPath, elementsOf: String?, typed: String?)
    /// Nothing was ever at a place that was typed; where it ended.
    case missingPlace(String, UnresolvedPath)
    /// A query alone asks whether something is there, which is a Boolean or `null`; the text that asks for its truth.
    case asksForPresence(query: String, truth: String)
    /// The sides were never of one type; examples of both.
    case unlike(JSONPath.Clause, left: JSON, right: JSON)
  }

  fileprivate struct Search {
    let clause: JSONPath.Clause
    var left = Way()
    var right = Way()
    /// The place of a value that is a Boolean or `null`, whose presence alone is asked for.
    var presence: String?
    /// Values of the sides that are not of one type.
    var clash: (left: JSON, right: JSON)?

    /// The way to the value of a side.
    struct Way {
      var isFound = false
      var isRelative = false
      var path = JSON.Location()
      var end: UnresolvedPath?
      /// The place as it was typed; `nil` for a query.
      var text: String?
      /// The place that would lead to something, where the query leads nowhere.
      var meant: String?
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
      let isTest = [.existence, .truth].contains(search.clause.asks)
      if let place = search.presence {
        return [.asksForPresence(query: search.clause.description, truth: place)]
      }
      if isTest, !isNeverTrue { return [] }
      let ways = isTest ? [search.left] : [search.left, search.right]
      return ways.compactMap { way in
        guard !way.isFound, let end = way.end, isNeverTrue || end.isCertain else { return nil }
        if let text = way.text { return .missingPlace(text, end) }
        // Unknown members of the root are reported before the log is read.
        guard way.isRelative || !end.path.steps.isEmpty else { return nil }
        let owner = way.isRelative ? search.clause.filteredText : nil
        return .missing(way.path, end, elementsOf: owner, typed: way.meant)
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
    switch clause.asks {
    case .existence:
      if let value = left.value, value.bool != nil || value.isNull {
        presence = presence ?? left.way?.statePlace
        return presence == nil
      }
      presence = nil
      return self.left.isFound
    case .truth: return self.left.isFound
    case .comparison, .match: break
    }
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
    guard !isFound else { return }
    if let place = side.place {
      text = place.text
      end = UnresolvedPath.nearest(end, UnresolvedPath(place.place, in: place.start))
    }
    guard let way = side.way else { return }
    if meant == nil, let place = way.place, case .found = place.resolve(in: way.start) {
      meant = way.statePlace
    }
    path = way.path
    isRelative = way.isRelative
    end = UnresolvedPath.nearest(end, UnresolvedPath(way.path.pointer, in: way.start))
  }
}

extension JSONPath.Clause.Way {
  /// The names and indices as a place in the value in which they start; `nil` for a value that a filter tests.
  fileprivate var place: Place? { isRelative ? nil : Place(path) }

  /// The place as people type it in an expression; `nil` for one that is not in a state or an action.
  fileprivate var statePlace: String? {
    guard !isRelative, path.steps.count > 1, case .name(let root)? = path.steps.first else {
      return nil
    }
    let place = Notation().place(JSON.Location(Array(path.steps.dropFirst())))
    return switch root {
    case "state": place
    case "before", "action": "\(root).\(place)"
    default: nil
    }
  }
}
