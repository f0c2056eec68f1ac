import ActionLog
import ReplayCommands
import ReplayEngine

/// `blame LOG PTR`: which action last changed a value, and its causes.
package enum BlameCommand: Command {
  package static let syntax = CommandSyntax(
    name: "blame",
    summary: "find the action that last changed a value",
    operands: [
      .log,
      CommandSyntax.Operand(
        name: "POINTER",
        summary: "the place of the value in the state, such as /todos/0/title"
      ),
    ],
    options: [
      CommandSyntax.Option(
        name: "--at",
        value: "SEQ",
        summary: "the action after which the value is looked at (the last one)"
      ),
      .format,
    ],
    discussion: """
      Works from the log alone. Elements of arrays are followed when others are put in or taken out before them. Ends
      with status 1 when there is no such value.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let path = try arguments.pointer(operand: 1, of: syntax)
    let at = try arguments.seq("--at")
    let (log, spool) = try context.log(arguments.operands[0])
    let result = try Blame(log: log, path: path, at: at).run()
    let links = try result.change.map { change in
      try change.isExternal ? [] : CauseChain(of: change.seq).links { try log.events() }
    }
    withExtendedLifetime(spool) {}
    if arguments.isJSON {
      try context.console.print("\(document(result, path, links ?? []))\n")
    } else {
      let style = Style(hasColor: context.console.hasColor)
      try context.console.print(text(result, path, links ?? [], style))
    }
    return .same
  }

  private static func document(
    _ result: Blame.Result,
    _ path: JSON.Pointer,
    _ links: [Verdict.Divergence.Link]
  ) -> JSON {
    var object: JSON.Object = [
      "path": .string(path.description), "at": .number(JSON.Number(result.at)),
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
    _ path: JSON.Pointer,
    _ links: [Verdict.Divergence.Link],
    _ style: Style
  ) -> String {
    var lines = [Wording.value(result.value, at: path, after: result.at)]
    guard let change = result.change else {
      return lines[0] + "\n" + Wording.neverChanged + "\n"
    }
    let causes =
      change.isExternal
      ? [Wording.changedFromOutside(after: change.seq)]
      : VerdictText(style: style).causes(links, of: change.seq)
    lines += ["", Wording.lastChange] + causes.map { "  \($0)" }
    lines += ["", "  \(Wording.place(change.path))"]
    lines += TimelineText.pair(change.before, change.after, style, indent: "    ")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The words of `blame`.
extension Wording {
  static func value(_ value: JSON, at path: JSON.Pointer, after seq: Int) -> String {
    let place = path.tokens.isEmpty ? "the state" : "\(path)"
    let when = seq == 0 ? "before the first action" : "after action \(seq)"
    return "\(place) is \(value.abbreviated) \(when)"
  }

  static let lastChange = "last changed by"

  static func changedFromOutside(after seq: Int) -> String {
    "something else than an action of the feature, after action \(seq)"
  }

  static let neverChanged = "as it was in the first checkpoint: no action has changed it"
}
