import ActionLog
import ReplayCommands
import ReplayEngine

extension CommandSyntax.Option {
  package static let when = Self(
    name: "--when",
    value: "EXPR",
    summary: "a condition on an action, such as 'count < 0 && seq > 10' or '.saved'"
  )
}

extension ParsedArguments {
  /// Parses the value of an option as a condition on actions.
  package func condition(_ option: String) throws(UsageError) -> Condition? {
    guard let text = value(option) else { return nil }
    do throws(JSONPath.SyntaxError) {
      return Condition(try JSONPath.Expression(parsing: text))
    } catch {
      throw .badExpression(option: option, error, command: command)
    }
  }
}

extension CommandContext {
  /// Warns about each member that a condition uses although no action has it.
  package func warn(of condition: Condition) {
    for name in condition.unknownMembers { complain(Wording.unknownMember(name)) }
  }

  /// Reads a log, and warns about each reason why a condition may never hold for it.
  ///
  /// - Parameters:
  ///   - condition: The condition to check.
  ///   - option: The name of the option that contains the condition.
  ///   - log: The log on which the condition is evaluated.
  ///   - isOfReplays: Whether the condition is evaluated on replays. A replay may have members that the log lacks, so
  ///     only the doubts that apply to every log are reported.
  package func warn(
    of condition: Condition,
    _ option: String,
    in log: LogSlice,
    isOfReplays: Bool = false
  ) {
    // An unreadable log is reported by the command itself.
    guard let events = try? log.events(), let scan = try? ConditionScan(events, for: condition)
    else { return }
    warn(of: isOfReplays ? scan.certainDoubts : scan.doubts, option, in: log)
  }

  /// Warns about the given reasons why a condition may never hold for a log.
  package func warn(
    of doubts: [ConditionDiagnosis.NeverTrueReason],
    _ option: String,
    in log: LogSlice
  ) {
    let places = doubts.isEmpty ? nil : log.places
    for doubt in doubts { complain(Wording.doubt(doubt, option, places)) }
  }
}

/// The warnings about conditions.
extension Wording {
  package static func unknownMember(_ name: String) -> String {
    "the expression looks at '$.\(name)', which no action has; expected one of "
      + ConditionContext.members.map { "$.\($0)" }.joined(separator: ", ")
      + suggestion(for: "$.\(name)", among: ConditionContext.members.map { "$.\($0)" })
  }

  package static func doubt(
    _ doubt: ConditionDiagnosis.NeverTrueReason,
    _ option: String,
    _ places: StatePathSuggestions?
  ) -> String {
    switch doubt {
    case .missingPlace(let text, let place, let meant):
      let root = text.split(whereSeparator: { ".[".contains($0) }).first.map(String.init) ?? ""
      let bearer = root == "action" ? "no action of the log" : "no state of the log"
      let end = root == "action" ? place : place.proposing(text, from: places)
      let help = meant.map { "; did you mean '\($0)'?" } ?? nearest(end)
      return "\(option): \(bearer) has anything at '\(text)'\(help)"
    case .noSuchAction(let text, let known):
      let meant = SpellingSuggestion.closestPath(to: text, among: known)
      return "\(option): no action of the log is \(text)"
        + (meant.map { "; did you mean \($0)?" } ?? "")
    case .noSuchCase(let text, let name, let known):
      let meant = SpellingSuggestion.closest(to: name, among: known)
      return "\(option): '\(text)' is never \(name) in the log"
        + (meant.map { "; did you mean \($0)?" } ?? "; it is \(oneOf(known))")
    case .asksForPresence(let query, let truth):
      return
        "\(option): '\(query)' asks whether there is a value, not whether it is true; '\(truth)' asks for its truth"
    case .missing(let path, _, let owner, let typed?):
      let query = JSONPath.text(of: path, isRelative: owner != nil)
      return
        "\(option): \(bearer(of: path, owner)) has anything at '\(query)'; did you mean '\(typed)'?"
    case .missing(let path, let place, let owner, nil):
      let query = JSONPath.text(of: path, isRelative: owner != nil)
      let typed = query.hasPrefix("$.state.") ? String(query.dropFirst("$.state.".count)) : nil
      let nearest = nearest(
        typed.map { place.proposing($0, from: places) } ?? place,
        root: "the element",
        name: { JSONPath.text(of: $0, isRelative: owner != nil) }
      )
      return "\(option): \(bearer(of: path, owner)) has anything at '\(query)'\(nearest)"
    case .unlike(let clause, let left, let right):
      return "\(option): \(unlike(clause, left, right))"
    }
  }

  private static func bearer(of path: JSON.ValueLocation, _ owner: String?) -> String {
    if let owner { return "no element of '\(owner)'" }
    return ["state", "before"].contains(path.steps.first?.token ?? "")
      ? "no state of the log" : "no action of the log"
  }

  private static func unlike(_ clause: JSONPath.Clause, _ left: JSON, _ right: JSON) -> String {
    let outcome = clause.asks == .comparison("!=") ? "always true" : "never true"
    let consequence = "so '\(clause.description)' is \(outcome)"
    guard clause.asks == .match || clause.literal != nil else {
      return "'\(clause.texts.left)' and '\(clause.texts.right)' are never of one type in the log,"
        + " \(consequence); they are \(example(left)) and \(example(right))"
    }
    let isLeftLiteral = clause.literal == left && clause.literal != right
    let (query, value, wanted) =
      isLeftLiteral ? (clause.texts.right, right, left) : (clause.texts.left, left, right)
    var text =
      "'\(query)' is never \(wanted.comparedKind) in the log, \(consequence); it is \(example(value))"
    if let name = wanted.string, !name.isEmpty, value.object?.count == 1 {
      text += "; '\(JSONPath.text(query, member: name))' asks for a case"
    }
    return text
  }

  // The example is JSON, because an expression is compared with the value in this form.
  private static func example(_ value: JSON) -> String {
    "\(value.comparedKind) such as \(Notation(isRaw: true).value(value))"
  }
}
