import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `pictures LOG -o FOLDER`: draws the states at each action, and compares them with an earlier set.
package enum PicturesCommand: Command {
  package static let syntax = CommandSyntax(
    name: "pictures",
    summary: "draw what the user saw at each action, and compare it with earlier pictures",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log or, with --against, a folder of pictures; '-' is standard input"
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--output",
        short: "-o",
        value: "FOLDER",
        summary: "write the pictures and their index to this folder"
      ),
      CommandSyntax.Option(
        name: "--every",
        value: PictureRenderer.RowSelection.allCases.map(\.rawValue).joined(separator: "|"),
        summary: "list every action, or only those that change the state (action)",
        choices: PictureRenderer.RowSelection.allCases.map(\.rawValue)
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary:
          "list only the actions from A to B, both included, such as 3..9 or 1.2s..end; A alone is one action"
      ),
      CommandSyntax.Option(
        name: "--against",
        value: "FOLDER",
        summary: "compare with the pictures in this folder"
      ),
      CommandSyntax.Option(
        name: "--report",
        value: "FILE",
        summary: "write the differences to this file (report.html in the folder of -o)",
        requires: "--against"
      ),
      CommandSyntax.Option(
        name: "--jobs",
        short: "-j",
        value: "N",
        summary: "draw with this many hosts in parallel (the number of processors)"
      ),
    ] + CommandSyntax.Option.pictureLimits + [.log, .host, .feature, .timeout, .format],
    forms: [
      CommandSyntax.Form("--output"), CommandSyntax.Form("--against", allows: ["--output"]),
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl -o pictures", "draw a picture for each distinct state"),
      CommandSyntax.Example(
        "bug.jsonl --against pictures -o now",
        "show which pictures differ although the states are the same"
      ),
    ],
    discussion: """
      The host's function 'picture:' of the feature draws the states of the log. Reducers and effects do not run. Equal
      states are drawn once. An action without a picture is listed with the reason.

      With --against, the status is 1 if the state of an action is the same but its picture is not. Changed states, and
      actions that only one side has, are listed. In a folder without an index, the pictures have the numbers of actions
      as names, such as 12.png; then pictures are compared regardless of the states.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--output")
    let against = arguments.value("--against")
    let limits = try arguments.pictureLimits()
    if let output { try PictureSet.checkOutput(output) }
    let before = try against.map { try PictureSet(readingFrom: $0, limit: limits.bytes) }
    let (drawn, feature, range, owner) = try pictures(arguments, limits, in: context)
    defer { withExtendedLifetime(owner) {} }
    let comparison = before.map { PictureComparison(before: $0.limited(to: range), after: drawn) }
    let report = try comparison.flatMap { comparison in
      comparison.differences.isEmpty
        ? nil : try PictureReport(comparison, limit: limits.bytes).text()
    }
    if let output { try drawn.write(to: output, feature: feature, limit: limits.bytes) }
    let reportPath = arguments.value("--report") ?? output.map { "\($0)/report.html" }
    if let output, arguments.value("--report") == nil {
      PictureFileReader.removeLink("report.html", in: output)
    }
    if let report, let reportPath {
      try context.console.write(to: reportPath) { try $0.write(report.utf8) }
    } else if comparison != nil, let output {
      // An earlier report would show outdated differences.
      unlink("\(output)/report.html")
    }
    try print(
      drawn,
      comparison,
      output: output,
      report: report == nil ? nil : reportPath,
      arguments,
      context
    )
    return comparison?.differences.isEmpty ?? true ? .same : .different
  }

  /// Returns the pictures of the operand, drawn or read.
  private static func pictures(
    _ arguments: ParsedArguments,
    _ limits: PictureLimits,
    in context: CommandContext
  ) throws -> (PictureSet, feature: String, range: ClosedRange<Int>?, owner: Any?) {
    let operand = arguments.operands[0]
    if FileSystemItemKind(operand) == .folder {
      guard arguments.value("--against") != nil else {
        throw UsageError.goesWith(Wording.folderOperand, "--against", command: syntax.name)
      }
      let range = try arguments.range("--range")?.seqs
      let set = try PictureSet(readingFrom: operand, limit: limits.bytes)
      return (set.limited(to: range), "", range, nil)
    }
    let (log, spool) = try context.log(arguments)
    defer { withExtendedLifetime(spool) {} }
    var drawing = PictureRenderer(context, try context.replayOptions(arguments))
    drawing.limits = limits
    drawing.every =
      arguments.value("--every").flatMap(PictureRenderer.RowSelection.init) ?? .action
    drawing.range = try arguments.range("--range")?.seqs(in: log)
    drawing.jobs = try arguments.positiveCount("--jobs") ?? context.processors
    let folder = try TemporaryDirectory()
    let header = try log.header()
    return (
      try drawing.draw(log, into: folder),
      arguments.value("--feature") ?? header?.feature ?? "",
      drawing.range,
      folder
    )
  }

  private static func print(
    _ drawn: PictureSet,
    _ comparison: PictureComparison?,
    output: String?,
    report: String?,
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws {
    if arguments.isJSON {
      var object: JSON.Object = [
        "actions": .number(JSON.Number(drawn.rows.count)),
        "pictures": .number(JSON.Number(drawn.pictures.count)),
        "notes": .array(
          drawn.notes.map { action, note in
            [
              "action": .number(JSON.Number(action)), "note": note.json,
              "message": .string("\(note)"),
            ]
          }
        ),
      ]
      object["output"] = output.map(JSON.string)
      object["report"] = report.map(JSON.string)
      object["comparison"] = comparison?.json
      return try context.console.print(.object(object))
    }
    var lines: [String] = []
    if let output { lines.append(Wording.wrote(drawn, to: output)) }
    lines += Wording.notes(drawn)
    if let comparison { lines += Wording.lines(comparison) }
    if let report { lines.append(Wording.wroteReport(report)) }
    let style = context.style(arguments)
    try context.console.print(lines.map { style.wrapped($0) + "\n" }.joined())
  }
}

extension CommandSyntax.Option {
  /// The options for the limits of pictures.
  static let pictureLimits: [Self] = [.pictureSeconds, .pictureBytes, .pictureCount]
  package static let pictureSeconds = Self(
    name: "--picture-seconds",
    value: "SECONDS",
    summary: "skip a picture that takes longer than this (2)"
  )
  package static let pictureBytes = Self(
    name: "--picture-bytes",
    value: "N",
    summary: "skip a picture that is larger than this (1000000)"
  )
  package static let pictureCount = Self(
    name: "--most",
    value: "N",
    summary: "draw at most this many distinct states (10000)"
  )
}

extension ParsedArguments {
  /// Returns the limits of pictures from their options.
  package func pictureLimits() throws(UsageError) -> PictureLimits {
    var limits = PictureLimits()
    if let seconds = try seconds("--picture-seconds") { limits.seconds = seconds }
    if let bytes = try positiveCount("--picture-bytes") {
      limits.bytes = min(bytes, Self.mostBytes)
    }
    if let count = try positiveCount("--most") { limits.count = count }
    return limits
  }

  /// The maximum size of a picture in bytes.
  ///
  /// A picture is one line of the host's answer.
  private static var mostBytes: Int { 64 << 20 }
}
