import Foundation
import ReplayEngine

/// A program that displays long results on a terminal: `$PAGER`, or `less` by default.
///
/// ```swift
/// let pager = Pager(context)
/// defer { pager?.close() }
/// ```
package final class Pager {
  private let process: UnsafeMutablePointer<FILE>

  /// Starts the pager and redirects results to it.
  ///
  /// Returns `nil` if there is no terminal, if `$PAGER` is empty or `cat`, or if the pager can't be started.
  package init?(_ context: inout CommandContext) {
    guard context.console.isProcess, context.console.width != nil, isatty(STDIN_FILENO) == 1,
      context.environment["TERM"] != "dumb"
    else { return nil }
    let command = context.environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat" else { return nil }
    guard Self.isThere(command, path: context.environment["PATH"]) else {
      // A pager that does not start would lose the output. A message is printed only if the user asked for a pager.
      if context.environment["PAGER"] != nil { context.complain(Wording.noPager(command)) }
      return nil
    }
    // `F` prints a single screen without paging, `R` shows colors, `X` keeps the screen afterward.
    setenv("LESS", "FRX", 0)
    fflush(nil)
    guard let process = popen(command, "w") else { return nil }
    self.process = process
    // The pager handles Ctrl-C and ends by itself. This process waits until the pager ends.
    context.interruption.allowPartialResult()
    context.console.progress.end()
    context.console.output = DescriptorSink(fileno(process), name: command)
  }

  /// Returns whether the program of a command is a file, or is in a folder of `PATH`.
  ///
  /// A program whose name needs the shell's quotes is assumed to exist.
  private static func isThere(_ command: String, path: String?) -> Bool {
    guard let program = command.split(separator: " ").first,
      program.utf8.allSatisfy({ byte in
        byte & 0xDF >= 0x41 && byte & 0xDF <= 0x5A || "0123456789/._+-".utf8.contains(byte)
      })
    else { return true }
    let folders = program.contains("/") ? [] : (path ?? "").split(separator: ":")
    let files = folders.isEmpty ? [String(program)] : folders.map { "\($0)/\(program)" }
    return files.contains(where: FileManager.default.isExecutableFile)
  }

  /// Waits until the pager ends.
  package func close() { pclose(process) }
}
