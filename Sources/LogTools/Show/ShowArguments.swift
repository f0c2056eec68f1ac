import ActionLog
import ReplayCommands
import ReplayEngine

/// The parsed arguments of `show`.
struct ShowArguments {
  /// The position at which the state is shown, or `nil` to show the timeline.
  let at: LogPosition?
  /// The range of actions to print, or `nil` to print all actions.
  let range: LogRange?
  private(set) var selection: LogPrinter.Selection
  let isFollowing: Bool
  /// Whether the timeline shows each action on one line.
  let isFolded: Bool
  let isTree: Bool
  let isJSON: Bool

  /// Reads and validates the arguments.
  ///
  /// - Throws: `UsageError`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    at = try arguments.position("--at")
    range = try arguments.range("--range")
    isFollowing = arguments.isOn("--follow")
    isTree = arguments.isOn("--tree")
    isJSON = arguments.isJSON
    selection = LogPrinter.Selection(
      place: try arguments.valuePath("--path"),
      criteria: try Self.criteria(arguments),
      last: try arguments.positiveCount("--last")
    )
    // A single action is shown in full.
    let isOne = range.map { $0.first == $0.last } ?? false
    isFolded =
      !arguments.isOn("--verbose") && !isOne && selection.place == nil && !arguments.isJSON
    try Self.checkConflicts(arguments, isOne: isOne)
    if isFollowing, let range {
      guard !range.needsLog else {
        throw .badValue(
          arguments.value("--range") ?? "",
          option: "--range",
          expected: "numbers of actions, beside --follow",
          command: arguments.command
        )
      }
    }
    selection.range = range?.seqs ?? selection.range
  }

  /// Whether the log must be read in advance, because a position is a time or the end.
  var needsLog: Bool { range?.needsLog ?? false || at.map { $0.seq == nil } ?? false }

  /// Converts the range to action numbers and stores them in `selection`.
  ///
  /// - Parameter log: The log, or `nil` if `needsLog` is `false`.
  /// - Throws: `LogReadError`, or `LogRange.BackwardRangeError` if the range ends before it begins.
  mutating func findRange(in log: LogSlice?) throws {
    guard let range, range.needsLog, let log else { return }
    selection.range = try range.seqs(in: log)
  }

  private static let criteriaOptions = [
    "--action", "--effect", "--origin", "--changes", "--when", "--since", "--until",
  ]

  private static func checkConflicts(
    _ arguments: ParsedArguments,
    isOne: Bool
  ) throws(UsageError) {
    func isGiven(_ option: String) -> Bool {
      arguments.isOn(option) || arguments.value(option) != nil
    }
    func exclude(_ option: String, _ others: [String]) throws(UsageError) {
      guard isGiven(option) else { return }
      for other in others where isGiven(other) {
        throw .conflict(option, other, command: arguments.command)
      }
    }
    let timeline = ["--range", "--follow", "--last", "--tree", "--verbose"] + criteriaOptions
    try exclude("--at", timeline)
    try exclude("--tree", ["--verbose", "--path"])
    if arguments.isJSON {
      for option in ["--follow", "--tree", "--verbose"] where isGiven(option) {
        throw .conflict(option, "--format json", command: arguments.command)
      }
    }
    if isOne, isGiven("--tree") {
      throw .conflict("--tree", "--range SEQ", command: arguments.command)
    }
  }

  private static func criteria(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> StepFilter.Criteria? {
    guard criteriaOptions.contains(where: { arguments.value($0) != nil }) else { return nil }
    var criteria = StepFilter.Criteria()
    for text in arguments.values("--action") {
      do throws(NotationSyntaxError) {
        criteria.actions.append(try ActionPattern(parsing: text))
      } catch {
        throw .badValue(
          text,
          option: "--action",
          expected: "an action such as .saved(.failure); \(error)",
          command: arguments.command
        )
      }
    }
    criteria.effects = arguments.values("--effect")
    criteria.origins = arguments.values("--origin").map { StepFilter.OriginPattern($0) }
    criteria.changes = try arguments.valuePaths("--changes")
    criteria.condition = try arguments.condition("--when")
    criteria.since = try arguments.position("--since")
    criteria.until = try arguments.position("--until")
    return criteria
  }

  /// Creates the timeline writer for the requested format.
  func writer(_ style: Style) -> any TimelineWriter {
    if isJSON { return TimelineJSON(hasPath: selection.place != nil) }
    return isFolded ? TimelineLines(style: style, isTree: isTree) : TimelineText(style: style)
  }
}

extension StepFilter.OriginPattern {
  /// Parses a sender: `view`, `parent`, `effect`, an action number, or an effect name.
  fileprivate init(_ text: String) {
    switch text {
    case "view": self = .view
    case "parent": self = .parent
    case "effect": self = .anyEffect
    default: self = Int(text).map { .action($0) } ?? .effect(text)
    }
  }
}

extension ShowCommand {
  nonisolated static let timelineOptions = [
    CommandSyntax.Option(
      name: "--verbose",
      short: "-v",
      summary: "show everything about each action: reads, changes, effects, calls"
    ),
    CommandSyntax.Option(
      name: "--action",
      value: "ACTION",
      summary: "show only actions such as .saved, '.path[2].report' or '.saved(.failure)'",
      isRepeated: true
    ),
    CommandSyntax.Option(
      name: "--effect",
      value: "NAME",
      summary: "show only what starts, comes from or ends an effect with this name, id or number",
      isRepeated: true
    ),
    CommandSyntax.Option(
      name: "--origin",
      value: "SENDER",
      summary:
        "show only what was sent by view, effect, parent, an action's number or an effect's name",
      isRepeated: true
    ),
    CommandSyntax.Option(
      name: "--changes",
      value: "PLACE",
      summary:
        "show only actions that change this path, such as 'todos[*].title', with all that they change",
      isRepeated: true
    ),
    .when,
    CommandSyntax.Option(
      name: "--since",
      value: "POSITION",
      summary: "show only actions from this action or time on, such as 12, 1.2s or 5min"
    ),
    CommandSyntax.Option(
      name: "--until",
      value: "POSITION",
      summary: "show only actions up to this action or time"
    ),
    CommandSyntax.Option(
      name: "--last",
      value: "N",
      summary: "show only the last N of these actions"
    ),
    CommandSyntax.Option(name: "--tree", summary: "indent actions below their causes"),
    CommandSyntax.Option(
      name: "--follow",
      short: "-f",
      summary: "continue while the log grows, until Ctrl-C"
    ),
    CommandSyntax.Option(
      name: "--no-pager",
      summary: "write directly to the terminal, not through $PAGER"
    ),
  ]
}
