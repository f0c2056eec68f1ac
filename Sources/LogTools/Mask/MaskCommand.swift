import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// `mask LOG`: replaces the values of a log that must not be shared.
package enum MaskCommand: Command {
  package static let syntax = CommandSyntax(
    name: "mask",
    summary: "mask values of a log, or show what it tells",
    operands: [
      CommandSyntax.Operand(name: "LOG", summary: "a file of logs; '-' is standard input")
    ],
    options: [
      option("--path", "the state"),
      option("--action-path", "actions"),
      option("--read-path", "what the reducer reads; the first name is the read's key"),
      CommandSyntax.Option(
        name: "--omit",
        value: "PATTERN",
        summary: "leave this place of the state out of the log; a replay keeps what it has there",
        isRepeated: true
      ),
      .output, .force,
      CommandSyntax.Option(
        name: "--allow-unmatched",
        summary: "write the log also when a pattern matches nothing in it"
      ),
      CommandSyntax.Option(
        name: "--check",
        summary: "write nothing; show every path with a sample of what the log tells"
      ),
      .format,
    ],
    discussion: """
      A pattern is a JSON Pointer in which '*' stands for any one name and '**' for any number of them. What it matches
      is replaced by a substitute of the same type, the same for equal values, wherever it stands in the log: also in
      other places, in errors and notes, and in keys. Values of less than 4 bytes are replaced only where a pattern leads.
      What --omit matches is left out as a whole, there alone. Ends with status 1, and writes nothing, when a pattern
      matches nothing.
      With --check and patterns it shows what would be left. --format goes with --check.
      """
  )

  private nonisolated static func option(_ name: String, _ place: String) -> CommandSyntax.Option {
    CommandSyntax.Option(
      name: name,
      value: "PATTERN",
      summary: "mask this place in \(place)",
      isRepeated: true
    )
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let isCheck = arguments.isOn("--check")
    let masks = LogMasks(
      state: arguments.values("--path").map { MaskPath($0) },
      action: arguments.values("--action-path").map { MaskPath($0) },
      read: arguments.values("--read-path").map { MaskPath($0) },
      omitted: arguments.values("--omit").map { MaskPath($0) }
    )
    try checkOptions(arguments, masks, isCheck: isCheck)
    try LogOutput.check(arguments.value("--output"), arguments)
    let name = arguments.operands[0]
    let spooled = try TemporaryFile.copy(of: name, input: context.console.input)
    defer { withExtendedLifetime(spooled) {} }
    let path = spooled?.path ?? name
    func open() throws -> LogComparison.Events {
      var reader = try LogReader(path: path)
      return { try reader.next()?.event }
    }
    var masking = LogMasking(masks)
    try masking.learn(from: open())
    let unmatched = masking.unmatched
    if !unmatched.isEmpty, isCheck || !arguments.isOn("--allow-unmatched") {
      try complain(unmatched, try paths(open()), isCheck: isCheck, context)
      guard isCheck else { return .different }
    }
    if isCheck {
      let found = try paths { [events = try open()] in try events().map { try masking.masked($0) } }
      try context.console.print(MaskCheck(found).text(isJSON: arguments.isJSON))
      return unmatched.isEmpty ? .same : .different
    }
    try write(try open(), &masking, arguments, context.console)
    return .same
  }

  private static func checkOptions(
    _ arguments: ParsedArguments,
    _ masks: LogMasks,
    isCheck: Bool
  ) throws(UsageError) {
    if isCheck, arguments.value("--output") != nil {
      throw .conflict("--check", "--output", command: syntax.name)
    }
    if !isCheck, arguments.value("--format") != nil {
      throw .goesWith("--format", "--check", command: syntax.name)
    }
    if !isCheck, masks.isEmpty {
      throw .missingOption("--path", value: "PATTERN", command: syntax.name)
    }
  }

  private static func paths(_ events: LogComparison.Events) throws -> [LogPathInventory.Entry] {
    var paths = LogPathInventory()
    while let event = try events() { paths.add(event) }
    return paths.entries
  }

  private static func complain(
    _ unmatched: [(subject: LogMasks.Subject, path: MaskPath)],
    _ known: [LogPathInventory.Entry],
    isCheck: Bool,
    _ context: CommandContext
  ) throws {
    for (subject, path) in unmatched {
      let section = subject == .omitted ? LogMasks.Subject.state : subject
      let known = known.filter { $0.section.rawValue == section.rawValue }.map(\.path)
      context.complain(Wording.unmatched(path, in: subject, known: known))
    }
    if !isCheck { context.console.complain(Wording.nothingMasked) }
  }

  private static func write(
    _ events: LogComparison.Events,
    _ masking: inout LogMasking,
    _ arguments: ParsedArguments,
    _ console: Console
  ) throws {
    let output = arguments.value("--output")
    try console.write(to: output) { sink in
      while let event = try events() {
        let masked = try masking.masked(event).written(by: syntax.name, to: output)
        try sink.write(masked.line + [0x0A])
      }
    }
  }
}

/// The report of `mask --check`: every path of a log with a sample, as text and as JSON.
struct MaskCheck {
  private let entries: [LogPathInventory.Entry]

  init(_ entries: [LogPathInventory.Entry]) { self.entries = entries }

  func text(isJSON: Bool) -> String { isJSON ? "\(json)\n" : text }

  private var json: JSON {
    [
      "paths": .array(
        entries.map { entry in
          [
            "section": .string(entry.section.rawValue), "path": .string(entry.path),
            "kinds": .array(entry.kinds.map(JSON.string)),
            "count": .number(JSON.Number(entry.count)), "masked": .bool(entry.isMasked),
            "sample": entry.sample,
          ]
        }
      )
    ]
  }

  private var text: String {
    LogPathInventory.Section.allCases.map { section -> String in
      let entries = entries.filter { $0.section == section }
      guard !entries.isEmpty else { return "" }
      let width = min(entries.map(\.path.count).max() ?? 0, Self.widest)
      let lines = entries.map { entry in
        let space = String(repeating: " ", count: max(0, width - entry.path.count))
        let mark = entry.isMasked ? Wording.maskedMark : ""
        return "  \(entry.path)\(space)  \(Wording.times(entry.count))\(mark)  \(sample(entry))\n"
      }
      return "\(Wording.heading(section))\n" + lines.joined()
    }
    .joined()
  }

  private func sample(_ entry: LogPathInventory.Entry) -> String {
    let text = "\(entry.sample)"
    return text.count > Self.longest ? "\(text.prefix(Self.longest))…" : text
  }

  /// Characters of a sample: enough to recognize it.
  private static let longest = 60
  /// Characters that the column of paths has at most.
  private static let widest = 50
}

/// The words of `mask`.
extension Wording {
  static func unmatched(
    _ path: MaskPath,
    in subject: LogMasks.Subject,
    known: [String]
  ) -> String {
    let place =
      switch subject {
      case .state, .omitted: "in the state"
      case .action: "in actions"
      case .read: "in reads"
      }
    return "'\(path)' matches nothing \(place)\(suggestion(for: path.description, among: known))"
  }

  static let nothingMasked =
    "nothing was written; 'mask LOG --check' shows the paths that there are, and --allow-unmatched writes nevertheless"

  static let maskedMark = "  masked"

  static func times(_ count: Int) -> String { "\(count)×" }

  static func heading(_ section: LogPathInventory.Section) -> String {
    switch section {
    case .state: "state (--path)"
    case .action: "actions (--action-path)"
    case .read: "reads (--read-path)"
    case .effect:
      "effects: names, inputs, cancellation ids and errors (masked values are taken out)"
    case .note: "notes and gaps (masked values are taken out)"
    case .header: "header"
    case .other: "findings and what this version does not know (masked values are taken out)"
    }
  }
}
