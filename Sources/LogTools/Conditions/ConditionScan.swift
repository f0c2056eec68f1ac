import ActionLog
import ReplayEngine

/// Finds the actions of a log at which a condition starts or stops holding, in a single pass.
package struct ConditionScan: Sendable, Equatable {
  /// An action at which the condition starts or stops holding.
  package struct Flip: Sendable, Equatable {
    package let seq: Int
    package let holds: Bool
  }

  /// Whether the condition holds before the first action.
  package private(set) var holdsAtStart = false
  /// All actions at which the condition starts or stops holding, in order.
  package private(set) var flips: [Flip] = []
  /// The state changes made by action `first`.
  ///
  /// Empty if there is no such action, or if the state before the action is unknown.
  package private(set) var differences: [LogDifference] = []
  /// The number of the last action in the log, or 0 if the log has none.
  package private(set) var last = 0
  /// The reasons why the condition, or a part of it, may never hold.
  package private(set) var doubts: [ConditionDiagnosis.NeverTrueReason] = []
  /// The doubts that apply to every log of the feature.
  package private(set) var certainDoubts: [ConditionDiagnosis.NeverTrueReason] = []

  /// The number of the first action at which the condition starts holding, or `nil` if it never starts.
  package var first: Int? { flips.first { $0.holds }?.seq }

  /// Reads a log and evaluates a condition after each action.
  ///
  /// - Throws: The errors that reading the log throws, such as `LogReadError`, and `LogCursor.BrokenPatch`.
  package init(_ events: @escaping LogComparison.Events, for condition: Condition) throws {
    var contexts = ConditionContextReader(events)
    var survey = ConditionDiagnosis(condition.expression)
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

  private mutating func recordFlip(_ context: ConditionContext, _ holds: Bool) {
    if holds, first == nil { differences = context.differences }
    flips.append(Flip(seq: context.seq, holds: holds))
  }
}

extension ConditionContext {
  /// The differences between the states before and after the action.
  fileprivate var differences: [LogDifference] {
    guard let before else { return [] }
    return JSON.differences(from: before, to: state).map {
      LogDifference($0, seq: seq, cause: .state)
    }
  }
}

/// Finds reasons why an expression may never be true for a log, such as paths without values.
package struct ConditionDiagnosis: Sendable {
  /// A reason why a clause of an expression may never hold.
  package enum NeverTrueReason: Sendable, Equatable {
    /// A path in a query never had a value.
    ///
    /// - Parameters:
    ///   - elementsOf: The array in whose elements the path starts, if any.
    ///   - typed: A suggested correction, if there is one.
    case missing(JSON.ValueLocation, UnresolvedPath, elementsOf: String?, typed: String?)
    /// A path outside of a query never had a value.
    ///
    /// - Parameter meant: A suggested correction, if there is one.
    case missingPlace(String, UnresolvedPath, meant: String?)
    /// No action of the log matches the pattern.
    ///
    /// - Parameter known: The case paths of the actions that occurred.
    case noSuchAction(String, known: [String])
    /// The value at a path was never the case that the expression asks for.
    ///
    /// - Parameter known: The names of the cases that occurred.
    case noSuchCase(String, String, known: [String])
    /// A query tests whether a value exists, although the value is a Boolean or `null`.
    ///
    /// - Parameters:
    ///   - query: The clause.
    ///   - truth: The path of the query, which tests by itself whether the value is true.
    case asksForPresence(query: String, truth: String)
    /// The operands of a clause never had types that can be compared.
    ///
    /// - Parameters:
    ///   - left: An example of the left operand.
    ///   - right: The right operand in the same example.
    case unlike(JSONPath.Clause, left: JSON, right: JSON)
  }

  fileprivate struct ClauseDiagnosis {
    let clause: JSONPath.Clause
    var left = OperandPath()
    var right = OperandPath()
    /// The path in a query that tests for existence, if its value is a Boolean or `null`.
    var presence: String?
    /// An example of two operands with types that can't be compared, if one occurred.
    var clash: (left: JSON, right: JSON)?

    /// The path that an operand refers to, and how far it resolved.
    struct OperandPath {
      var isFound = false
      var isRelative = false
      var path = JSON.ValueLocation()
      var end: UnresolvedPath?
      /// The path as the user typed it, or `nil` if the operand is a query.
      var text: String?
      /// The path of a query without its root, or `nil` if the operand is not a query.
      var shortText: String?
      /// A suggested correction for a path that never had a value.
      var meant: String?
      /// Whether the other operand was a string.
      var isBesideText = false
    }

    /// The cases that occurred at the path that the clause compares with a case.
    var cases: Set<String> = []
    /// For each operand, the action pattern that the user may have meant.
    let patterns: (left: ActionPattern?, right: ActionPattern?)

    /// Whether one of the operands starts with `action.` or `$.action.`.
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

    /// Interprets the text of an operand as an action pattern, or returns `nil` if it can't be one.
    private static func pattern(_ text: String) -> ActionPattern? {
      guard let first = text.first, first.isLetter || text.hasPrefix("$.action.") else {
        return nil
      }
      let path =
        actionRoots.first { text.hasPrefix($0) }.map { text.dropFirst($0.count) } ?? text[...]
      return try? ActionPattern(parsing: ".\(path)")
    }
  }

  private var searches: [ClauseDiagnosis]
  /// The action patterns in the expression that have not matched yet.
  private var actions: [ActionPattern]
  /// The case paths of the actions that occurred, collected while a suggestion may need them.
  private var casePaths: Set<String> = []

  /// The maximum number of stored case paths or cases, because more would not improve a suggestion.
  fileprivate static let mostNames = 1000

  package init(_ expression: JSONPath.Expression) {
    searches = expression.clauses.map { ClauseDiagnosis(clause: $0) }
    actions = expression.actions
  }

  /// Updates the doubts with a value on which the expression is evaluated, and with the action at that point.
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

  /// Returns the doubts that remain.
  ///
  /// - Parameter isNeverTrue: Whether the expression was never true. If it was true at least once, only the doubts that
  ///   apply to every log are returned.
  /// - Returns: The doubts, in the order of the expression.
  package func doubts(isNeverTrue: Bool) -> [NeverTrueReason] {
    let unmet =
      isNeverTrue
      ? actions.map { NeverTrueReason.noSuchAction($0.description, known: casePaths.sorted()) } : []
    return unmet
      + searches.flatMap { search -> [NeverTrueReason] in
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
            way.meant = SpellingSuggestion.closestPath(to: path, among: casePaths.sorted())
          }
          if let text = way.text { return .missingPlace(text, end, meant: way.meantText(text)) }
          // `unknownMembers` reports unknown members of the root, so they are left out here.
          guard way.isRelative || !end.path.steps.isEmpty else { return nil }
          let owner = way.isRelative ? search.clause.filteredText : nil
          return .missing(way.path, end, elementsOf: owner, typed: way.meant)
        }
      }
  }
}

extension ConditionDiagnosis.ClauseDiagnosis {
  /// Updates the doubts about a clause with the values of its operands.
  ///
  /// - Returns: Whether no doubts about the clause remain.
  fileprivate mutating func examine(
    _ left: JSONPath.Clause.ClauseOperand,
    _ right: JSONPath.Clause.ClauseOperand
  ) -> Bool {
    self.left.examine(left)
    if let asked = clause.askedCase {
      self.right.examine(right)
      guard let value = asked.isLeft ? left.value : right.value else { return false }
      if asked.pattern.isCase(value) { return true }
      if let name = value.caseName, cases.count < ConditionDiagnosis.mostNames {
        cases.insert(name)
      }
      return false
    }
    switch clause.asks {
    case .existence:
      if let value = left.value, value.bool != nil || value.isNull {
        presence = presence ?? left.clausePath?.shortText
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

extension ConditionDiagnosis.ClauseDiagnosis {
  /// Stores an action pattern as the correction for an operand without a value, if the pattern matches the action.
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
  ///
  /// The value is `nil` if the clause doesn't ask for a case, or if no case occurred at the clause's path.
  fileprivate var caseDoubt: ConditionDiagnosis.NeverTrueReason? {
    guard let asked = clause.askedCase, !cases.isEmpty else { return nil }
    let text = asked.isLeft ? clause.texts.left : clause.texts.right
    return .noSuchCase(text, asked.pattern.description, known: cases.sorted())
  }
}

extension JSON {
  /// The case of an enum value as users type it, such as `.loading`, or `nil` if the value can't be a case.
  ///
  /// The case of an optional without a value is the string `nil`.
  fileprivate var caseName: String? {
    if isNull { return "nil" }
    if let text = string { return text.isSwiftIdentifier ? ".\(text)" : nil }
    guard let object, object.count == 1, let name = object.firstKey else { return nil }
    if name == "$some" { return object.values[0].caseName }
    return name.isSwiftIdentifier ? ".\(name)" : nil
  }
}

extension ConditionDiagnosis.ClauseDiagnosis.OperandPath {
  /// Returns a suggested correction for a path that the user typed, or `nil` if there is none.
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
    guard let way = side.clausePath else { return }
    shortText = way.shortText
    meant = meant ?? way.shortTextThatFinds
    path = way.path
    isRelative = way.isRelative
    end = UnresolvedPath.nearest(end, UnresolvedPath(way.path.pointer, in: way.start))
  }
}

extension String {
  /// The path before a suffix that means the element count in other languages, such as `rows` in `rows.length`.
  fileprivate var ownerOfCount: String? {
    for name in [".length", ".size"] where hasSuffix(name) && count > name.count {
      return String(dropLast(name.count))
    }
    return nil
  }
}
