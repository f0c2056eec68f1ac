import ActionLog
import ReplayCommands
import ReplayEngine

/// `blame LOG PLACE`: finds the action that last changed a value, and the causes of the action.
package enum BlameCommand: Command {
  package static let syntax = CommandSyntax(
    name: "blame",
    summary: "find the action that last changed a value",
    operands: [
      .log,
      CommandSyntax.Operand(
        name: "PLACE",
        summary: "the path of the value in the state, such as todos[0].title or /todos/0/title"
      ),
    ],
    options: [
      CommandSyntax.Option(
        name: "--at",
        value: "POSITION",
        summary: "examine the value after this action, or at this time (the end)"
      ),
      .log, .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example(
        "bug.jsonl todos[0].title",
        "find the action that set the value at the end"
      ),
      CommandSyntax.Example(
        "bug.jsonl count --at 12",
        "find the action that set the value as it is after action 12"
      ),
    ],
    discussion: """
      Works from the log alone. Follows an element of an array when others are inserted or removed before it. For a path
      that matches several values, such as todos[*].title, lists each value with the action that set it. Shows only the
      last change; 'show --path' shows every change of the value. Exits with status 1 if there is no such value.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let place = try arguments.valuePath(operand: 1, of: syntax)
    let position = try arguments.position("--at")
    let (log, spool) = try context.log(arguments)
    let at = position == .end ? nil : try position?.seq(in: log)
    let results = try Blame(log: log, place: place, at: at).run()
    let changes = results.compactMap { $0.change }.filter { !$0.isExternal }
    let causes = try CauseChain(of: changes.map(\.seq)).chains { try log.events() }
    withExtendedLifetime(spool) {}
    func links(_ result: Blame.Result) -> [Verdict.Divergence.Link] {
      result.change.flatMap { $0.isExternal ? nil : causes[$0.seq] } ?? []
    }
    if arguments.isJSON {
      try context.console.print(document(results, of: place, links))
      return .same
    }
    let style = context.style(arguments)
    try context.console.print(style.fitted(text(results, of: place, links, style)))
    return .same
  }

  /// A function that returns the chain of causes for the change that set a value.
  package typealias CauseLookup = (Blame.Result) -> [Verdict.Divergence.Link]

  /// Returns the JSON output: the values at a path, with their changes and causes.
  package static func document(
    _ results: [Blame.Result],
    of place: ValuePath,
    _ links: CauseLookup
  ) -> JSON {
    let documents = results.map { document($0, links($0)) }
    let all: JSON = ["places": .array(documents)]
    return place.standsForMany ? all : documents.first ?? all
  }

  /// Returns the text output: the values at a path, with their changes and causes.
  package static func text(
    _ results: [Blame.Result],
    of place: ValuePath,
    _ links: CauseLookup,
    _ style: Style
  ) -> String {
    place.standsForMany
      ? resultLines(results.map { ($0, links($0).first?.action) }, style)
      : results.map { text($0, links($0), style) }.joined()
  }

  /// Returns lines with a value's path, its content, and the action that set it.
  private static func resultLines(
    _ results: [(Blame.Result, action: JSON?)],
    _ style: Style
  ) -> String {
    let notation = style.notation
    let places = results.map { notation.shown($0.0.path, as: $0.0.place) }
    let width = places.map { TerminalWidthCounter.count($0) }.max() ?? 0
    let short = notation.limited(to: style.width.map { $0 / 2 })
    let rows = zip(places, results).map { place, row in
      let gap = String(repeating: " ", count: width - TerminalWidthCounter.count(place))
      let setter =
        switch row.0.change {
        case nil: Wording.neverChanged
        case let change? where change.isExternal: Wording.changedFromOutside(after: change.seq)
        case let change?:
          "\(change.seq)" + (row.action.map { "  \(short.action($0))" } ?? "")
        }
      let room = style.width.map { $0 - width - TerminalWidthCounter.count(setter) - 4 }
      let value = notation.limited(to: room.map { max($0, leastValue) }).value(row.0.value)
      // The action is the answer that the user asked for, so it moves to its own line instead of being cut off.
      let fits =
        style.width.map { width + TerminalWidthCounter.count(value + setter) + 4 <= $0 } ?? true
      let separator = fits ? "  " : "\n    "
      return "\(place)\(gap)  \(value)\(separator)\(style.dim(setter))\n"
    }
    return rows.joined()
  }

  /// The minimum number of columns for a value, below which an excerpt is too short to be useful.
  private static let leastValue = 24

  private static func document(
    _ result: Blame.Result,
    _ links: [Verdict.Divergence.Link]
  ) -> JSON {
    var object: JSON.Object = [
      "path": .string(result.path.description), "at": .number(JSON.Number(result.at)),
      "value": result.value,
    ]
    guard let change = result.change else { return .object(object) }
    var changed: JSON.Object = [
      "seq": .number(JSON.Number(change.seq)), "path": .string(change.path.description),
    ]
    if change.isExternal { changed["external"] = true }
    changed["before"] = change.before
    changed["after"] = change.after
    changed["causes"] = .array(links.map(\.json))
    object["changed"] = .object(changed)
    return .object(object)
  }

  private static func text(
    _ result: Blame.Result,
    _ links: [Verdict.Divergence.Link],
    _ style: Style
  ) -> String {
    let notation = style.notation
    let place = notation.shown(result.path, as: result.place)
    var lines = [
      style.wrapped(Wording.value(notation.value(result.value), at: place, after: result.at))
    ]
    guard let change = result.change else {
      return lines[0] + "\n" + Wording.neverChanged + "\n"
    }
    let causes =
      change.isExternal
      ? [Wording.changedFromOutside(after: change.seq)]
      : VerdictText(style: style).causes(links, of: change.seq)
    lines += ["", Wording.lastChange] + causes.map { style.hanging("  \($0)") }
    let changed = notation.shown(change.path, as: change.place)
    lines += ["", "  \(changed.isEmpty ? Wording.wholeState : changed)"]
    lines += TimelineText.pair(change.before, change.after, style, indent: "    ")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The phrases and titles that `blame` prints.
extension Wording {
  static func value(_ value: String, at place: String, after seq: Int) -> String {
    let place = place.isEmpty ? "the state" : place
    let when = seq == 0 ? "before the first action" : "after action \(seq)"
    return "\(place) is \(value) \(when)"
  }

  static let lastChange = "last changed by"

  package static func changedFromOutside(after seq: Int) -> String {
    "something else than an action of the feature, after action \(seq)"
  }

  package static let neverChanged = "as it was in the first checkpoint: no action has changed it"
}
