import ActionLog
import ReplayEngine

/// The actions of a log at which a condition starts or stops to hold, found in a single pass.
package struct ConditionScan: Sendable, Equatable {
  /// An action at which the condition starts or stops to hold.
  package struct Flip: Sendable, Equatable {
    package let seq: Int
    package let holds: Bool
  }

  /// Whether the condition holds before the first action.
  package private(set) var holdsAtStart = false
  /// Every flip, in order.
  package private(set) var flips: [Flip] = []
  /// The changes of the first action after which the condition holds.
  package private(set) var differences: [LogDifference] = []
  /// The last action of the log.
  package private(set) var last = 0
  /// Reasons why the condition, or a part of it, may never hold.
  package private(set) var doubts: [ConditionSurvey.Doubt] = []
  /// The doubts that also apply to other logs.
  package private(set) var certainDoubts: [ConditionSurvey.Doubt] = []

  /// The first action after which the condition holds and before which it did not hold.
  package var first: Int? { flips.first { $0.holds }?.seq }

  /// Reads a log.
  ///
  /// - Throws: The errors of the events, and `LogCursor.BrokenPatch`.
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
      survey.examine(value, of: context.action?.action)
      let holds = condition.expression.holds(for: value)
      hasHeld = hasHeld || holds
      defer { held = holds }
      guard let held else {
        holdsAtStart = context.action == nil && holds
        if context.action != nil, holds { recordFlip(context, holds) }
        continue
      }
      if held != holds { recordFlip(context, holds) }
    }
  }

  private mutating func recordFlip(_ context: ActionContext, _ holds: Bool) {
    if holds, first == nil { differences = context.differences }
    flips.append(Flip(seq: context.seq, holds: holds))
  }
}

extension ActionContext {
  /// The changes of the action.
  fileprivate var differences: [LogDifference] {
    guard let before else { return [] }
    return JSON.differences(from: before, to: state).map {
      LogDifference($0, seq: seq, cause: .state)
    }
  }
}

/// Finds out why an expression is never true in a log: a member never exists, or the types never match.
package struct ConditionSurvey: Sendable {
  /// A reason why a clause of an expression may never hold.
  package enum Doubt: Sendable, Equatable {
    /// A path from the root, or from the elements of an array, never had a value.
    ///
    /// The path resolved up to the given point.
    case missing(JSON.Location, UnresolvedPath, elementsOf: String?, typed: String?)
    /// A typed path never had a value.
    ///
    /// The path resolved up to the given point. `meant` is the most likely intended text.
    case missingPlace(String, UnresolvedPath, meant: String?)
    /// No action of the log matches; with the paths of the log's actions.
    case noSuchAction(String, known: [String])
    /// A value never was the requested case; with the cases that occurred.
    case noSuchCase(String, String, known: [String])
    /// A query without a comparison tests for presence, and the value is a Boolean or `null`; with a text that tests
    /// for truth.
    case asksForPresence(query: String, truth: String)
    /// Both sides never had the same type; with an example of each.
    case unlike(JSONPath.Clause, left: JSON, right: JSON)
  }

  fileprivate struct ClauseSurvey {
    let clause: JSONPath.Clause
    var left = SidePath()
    var right = SidePath()
    /// The path of a Boolean or `null` value whose presence is tested.
    var presence: String?
    /// Values of the two sides with different types.
    var clash: (left: JSON, right: JSON)?

    /// The path to the value of a side.
    struct SidePath {
      var isFound = false
      var isRelative = false
      var path = JSON.Location()
      var end: UnresolvedPath?
      /// The path as the user typed it; `nil` for a query.
      var text: String?
      /// The short form of a query's path.
      var shortText: String?
      /// The corrected text for a path without a value.
      var meant: String?
      /// Whether the value on the other side is a string.
      var isBesideText = false
    }

    /// The cases that occurred at a path where the condition asks for a case.
    var cases: Set<String> = []
    /// The action patterns of both sides, if they are meant as actions.
    let patterns: (left: ActionPattern?, right: ActionPattern?)

    /// Whether a side is a path or a query into the action.
    var isOfAction: Bool {
      [clause.texts.left, clause.texts.right].contains { text in
        Self.actionRoots.contains { text.hasPrefix($0) }
      }
    }

    private static let actionRoots = ["$.action.", "action."]

    init(clause: JSONPath.Clause) {
      self.clause = clause
      patterns = (Self.pattern(clause.texts.left), Self.pattern(clause.texts.right))
    }

    /// Returns the action that a path or a query names.
    private static func pattern(_ text: String) -> ActionPattern? {
      guard let first = text.first, first.isLetter || text.hasPrefix("$.action.") else {
        return nil
      }
      let path =
        actionRoots.first { text.hasPrefix($0) }.map { text.dropFirst($0.count) } ?? text[...]
      return try? ActionPattern(parsing: ".\(path)")
    }
  }

  private var searches: [ClauseSurvey]
  /// The requested actions that have not occurred yet.
  private var actions: [ActionPattern]
  /// The case paths of the log's actions, collected while an action is still missing.
  private var casePaths: Set<String> = []

  /// The maximum number of stored paths or cases.
  ///
  /// More would not improve a suggestion.
  fileprivate static let mostNames = 1000

  package init(_ expression: JSONPath.Expression) {
    searches = expression.clauses.map { ClauseSurvey(clause: $0) }
    actions = expression.actions
  }

  /// Examines a value on which the expression is evaluated, and the action that belongs to it.
  package mutating func examine(_ root: JSON, of action: JSON?) {
    if let action, !actions.isEmpty || searches.contains(where: \.isOfAction) {
      actions.removeAll { $0.isFound(in: action) }
      if casePaths.count < Self.mostNames { casePaths.insert(Notation().casePath(action)) }
    }
    for index in searches.indices.reversed() {
      let sides = searches[index].clause.sides(in: root)
      if sides.contains(where: { searches[index].examine($0.left, $0.right) }) {
        searches.remove(at: index)
      } else if let action {
        searches[index].matchPatterns(in: action)
      }
    }
  }

  /// Returns the remaining doubts.
  ///
  /// - Parameter isNeverTrue: Whether the expression was never true. Otherwise only the doubts that apply to every log
  ///   are returned.
  /// - Returns: The doubts, in the order of the expression.
  package func doubts(isNeverTrue: Bool) -> [Doubt] {
    let unmet =
      isNeverTrue
      ? actions.map { Doubt.noSuchAction($0.description, known: casePaths.sorted()) } : []
    return unmet
      + searches.flatMap { search -> [Doubt] in
        if let clash = search.clash {
          return [.unlike(search.clause, left: clash.left, right: clash.right)]
        }
        let isTest = [.existence, .truth].contains(search.clause.asks)
        if let place = search.presence {
          return [.asksForPresence(query: search.clause.description, truth: place)]
        }
        if isTest, !isNeverTrue { return [] }
        if isNeverTrue, let doubt = search.caseDoubt { return [doubt] }
        let ways = isTest ? [search.left] : [search.left, search.right]
        return ways.compactMap { way in
          guard !way.isFound, let end = way.end, isNeverTrue || end.isCertain else { return nil }
          var way = way
          if search.isOfAction, way.meant == nil, end.meant == nil {
            let typed = way.text ?? way.shortText ?? ""
            let path = typed.hasPrefix("action.") ? String(typed.dropFirst("action.".count)) : typed
            way.meant = Suggestion.closestPath(to: path, among: casePaths.sorted())
          }
          if let text = way.text { return .missingPlace(text, end, meant: way.meantText(text)) }
          // Unknown members of the root are reported before the log is read.
          guard way.isRelative || !end.path.steps.isEmpty else { return nil }
          let owner = way.isRelative ? search.clause.filteredText : nil
          return .missing(way.path, end, elementsOf: owner, typed: way.meant)
        }
      }
  }
}

extension ConditionSurvey.ClauseSurvey {
  /// Examines both sides of the clause for one value.
  ///
  /// - Returns: Whether all doubts are resolved.
  fileprivate mutating func examine(
    _ left: JSONPath.Clause.ClauseOperand,
    _ right: JSONPath.Clause.ClauseOperand
  ) -> Bool {
    self.left.examine(left)
    if let asked = clause.askedCase {
      self.right.examine(right)
      guard let value = asked.isLeft ? left.value : right.value else { return false }
      if asked.pattern.isCase(value) { return true }
      if let name = value.caseName, cases.count < ConditionSurvey.mostNames { cases.insert(name) }
      return false
    }
    switch clause.asks {
    case .existence:
      if let value = left.value, value.bool != nil || value.isNull {
        presence = presence ?? left.way?.shortText
        return presence == nil
      }
      presence = nil
      return self.left.isFound
    case .truth: return self.left.isFound
    case .comparison, .match: break
    }
    self.right.examine(right)
    if clause.literal == nil {
      if right.value?.string != nil { self.left.isBesideText = true }
      if left.value?.string != nil { self.right.isBesideText = true }
    }
    if clause.comparesWithNull { return self.left.isFound && self.right.isFound }
    guard let left = left.value, let right = right.value, left != .null, right != .null else {
      return false
    }
    if clause.canHold(left, right) { return true }
    clash = clash ?? (left, right)
    return false
  }
}

extension ConditionSurvey.ClauseSurvey {
  /// Checks whether an unresolved side names the action.
  fileprivate mutating func matchPatterns(in action: JSON) {
    if !left.isFound, left.meant == nil, let pattern = patterns.left, pattern.isFound(in: action) {
      left.meant = pattern.description
    }
    if !right.isFound, right.meant == nil, let pattern = patterns.right,
      pattern.isFound(in: action)
    {
      right.meant = pattern.description
    }
  }

  /// The doubt about a case that never occurred.
  fileprivate var caseDoubt: ConditionSurvey.Doubt? {
    guard let asked = clause.askedCase, !cases.isEmpty else { return nil }
    let text = asked.isLeft ? clause.texts.left : clause.texts.right
    return .noSuchCase(text, asked.pattern.description, known: cases.sorted())
  }
}

extension JSON {
  /// The case of the value in the form that users type; `nil` for values of other types.
  fileprivate var caseName: String? {
    if isNull { return "nil" }
    if let text = string { return text.isSwiftIdentifier ? ".\(text)" : nil }
    guard let object, object.count == 1, let name = object.firstKey else { return nil }
    if name == "$some" { return object.values[0].caseName }
    return name.isSwiftIdentifier ? ".\(name)" : nil
  }
}

extension ConditionSurvey.ClauseSurvey.SidePath {
  /// Returns the most likely intended text for a typed path.
  fileprivate func meantText(_ text: String) -> String? {
    if let meant { return meant }
    switch text.lowercased() {
    case "true", "false", "nil", "null": return text.lowercased()
    case "none", "undefined": return "nil"
    default: break
    }
    if let owner = text.ownerOfCount { return "\(owner).count" }
    let isWord = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isBesideText && isWord && end?.meant == nil ? "\"\(text)\"" : nil
  }

  fileprivate mutating func examine(_ side: JSONPath.Clause.ClauseOperand) {
    if side.value != nil { isFound = true }
    guard !isFound else { return }
    if let place = side.place {
      text = place.text
      end = UnresolvedPath.nearest(end, UnresolvedPath(place.place, in: place.start))
    }
    guard let way = side.way else { return }
    shortText = way.shortText
    meant = meant ?? way.shortTextThatFinds
    path = way.path
    isRelative = way.isRelative
    end = UnresolvedPath.nearest(end, UnresolvedPath(way.path.pointer, in: way.start))
  }
}

extension String {
  /// The path of the counted collection in the syntax of other languages, such as `rows` in `rows.length`.
  fileprivate var ownerOfCount: String? {
    for name in [".length", ".size"] where hasSuffix(name) && count > name.count {
      return String(dropLast(name.count))
    }
    return nil
  }
}
