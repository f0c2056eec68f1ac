import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// `view LOG...`: one HTML file that shows a log.
package enum ViewCommand: Command {
  package static let syntax = CommandSyntax(
    name: "view",
    summary: "write a page that shows a log in a browser",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or two logs to compare; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--output",
        short: "-o",
        value: "FILE",
        summary: "where to write (the log's name with .html); '-' is standard output"
      ),
      CommandSyntax.Option(
        name: "--host",
        value: "PATH",
        summary: "replay the log with this executable, and show the replay beside the log"
      ),
      CommandSyntax.Option(
        name: "--replay",
        summary: "replay the log with the host that 'run' would use"
      ),
      CommandSyntax.Option(
        name: "--range",
        value: "A..B",
        summary: "only these actions, both ends included; A is one action"
      ),
      .feature, .timeout,
      CommandSyntax.Option(name: "--open", summary: "open the page in the browser"),
      CommandSyntax.Option(name: "--force", summary: "write over a file that is not a page"),
    ],
    discussion: """
      The page is one file without a network: it holds the log, and can be sent to others as the log can. It shows the
      actions, what each changed and why it came, the state before and after it, and every value that a place had.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let operands = arguments.operands
    guard operands.count <= 2 else {
      throw UsageError.badOperand(
        operands[2],
        operand: "LOG",
        expected: "one log, or two to compare",
        command: syntax.name
      )
    }
    guard operands != ["-", "-"] else { throw UsageError.standardInputTwice(command: syntax.name) }
    let isReplaying = arguments.isOn("--replay") || arguments.value("--host") != nil
    let range = try arguments.range("--range")
    for (option, isGiven) in [("--host", isReplaying), ("--range", range != nil)]
    where isGiven && operands.count > 1 {
      throw UsageError.oneLogOnly(option: option, found: operands.count, command: syntax.name)
    }
    let output = arguments.value("--output") ?? PageOutput.name(for: operands[0])
    if arguments.isOn("--open"), output == "-" {
      throw UsageError.conflict("--open", "--output", command: syntax.name)
    }
    try PageOutput.check(output, arguments)

    let (log, spool) = try context.log(operands[0])
    let (other, otherSpool) =
      try operands.dropFirst().first.map { try context.log($0) } ?? (nil, nil)
    let shown = try PageLog(log, range: range)
    var comparison: PageComparison?
    if let other {
      comparison = try PageComparison(of: log, with: PageLog(other))
    } else if isReplaying {
      comparison = try PageComparison(
        replaying: log,
        try context.replayOptions(arguments),
        by: context.makeReplayStarter()
      )
    }
    let page = LogPage(shown, comparison: comparison, program: context.program)
    try context.console.write(to: output) { try page.write(to: $0) }
    withExtendedLifetime((spool, otherSpool)) {}
    for (log, name) in zip([log, other], operands) where log?.end != nil {
      context.complain(Wording.firstLogOnly(name == "-" ? Wording.standardInput : name))
    }
    if output != "-" {
      try context.console.print(Wording.wrotePage(output, actions: shown.actionCount) + "\n")
    }
    if arguments.isOn("--open"), !PageOutput.open(output) {
      context.complain(Wording.cannotOpen(output))
    }
    return .same
  }
}

extension PageOutput {
  /// The name of the page of a log, in the working folder.
  static func name(for operand: String) -> String {
    guard operand != "-", case .file = FileKind(operand) else { return "log.html" }
    return URL(fileURLWithPath: operand).deletingPathExtension().lastPathComponent + ".html"
  }

  /// Checks before the work begins that a page may be written.
  ///
  /// - Throws: `PageError.notAPage`.
  static func check(_ path: String, _ arguments: ParsedArguments) throws(PageError) {
    guard path != "-", !arguments.isOn("--force"), case .file = FileKind(path),
      let file = FileHandle(forReadingAtPath: path)
    else { return }
    let found = (try? file.read(upToCount: beginning.utf8.count)) ?? Data()
    guard found.isEmpty || found.elementsEqual(beginning.utf8) else { throw .notAPage(path) }
  }

  /// Opens a page in the browser; `false` when there is nothing to open it with.
  static func open(_ path: String) -> Bool {
    #if os(macOS)
    let names = ["/usr/bin/open"]
    #else
    let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
    #endif
    #if os(macOS) || os(Linux)
    guard let opener = names.first(where: FileManager.default.isExecutableFile) else {
      return false
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = [path]
    process.standardOutput = FileHandle.nullDevice
    return (try? process.run()) != nil
    #else
    return false
    #endif
  }
}

/// The reason why a page is not written.
enum PageError: StatusError, Hashable, CustomStringConvertible {
  /// The file is there, and is something else.
  case notAPage(String)

  var status: ExitStatus { .cannotCreate }

  var description: String {
    switch self {
    case .notAPage(let path):
      "\(path) is not a page of 'view'; expected another name, or --force to write over it"
    }
  }
}

/// The words of `view`.
extension Wording {
  static func wrotePage(_ path: String, actions: Int) -> String {
    "\(path): \(actions == 1 ? "1 action" : "\(actions) actions")"
  }

  static func firstLogOnly(_ name: String) -> String {
    "\(name) holds several logs; the page shows the first one"
  }

  static func cannotOpen(_ path: String) -> String {
    "found no program that opens \(path); open it in a browser"
  }
}
