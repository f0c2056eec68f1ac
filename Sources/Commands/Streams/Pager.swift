import Foundation
import ReplayEngine

/// The program through which a person reads long results on a terminal: `$PAGER`, else `less`.
///
/// ```swift
/// let pager = Pager(context)
/// defer { pager?.close() }
/// ```
package final class Pager {
  private let process: UnsafeMutablePointer<FILE>

  /// Starts the pager, to which results go from now on; `nil` where there is no terminal to read them on, where the variable
  /// is empty or `cat`, or where nothing can be started.
  package init?(_ context: inout CommandContext) {
    guard context.console.isProcess, context.console.width != nil, isatty(STDIN_FILENO) == 1,
      context.environment["TERM"] != "dumb"
    else { return nil }
    let command = context.environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat" else { return nil }
    guard Self.isThere(command) else {
      // A pager that does not start would lose the output. Only one that was asked for is worth a word.
      if context.environment["PAGER"] != nil { context.complain(Wording.noPager(command)) }
      return nil
    }
    // Colors, no page for what fits on the screen, and the screen stays as it is afterwards.
    setenv("LESS", "FRX", 0)
    fflush(nil)
    guard let process = popen(command, "w") else { return nil }
    self.process = process
    // Ctrl-C is for the pager, which ends by itself; this process waits for it.
    context.interruption.allowPartialResult()
    context.console.progress.end()
    context.console.output = DescriptorSink(fileno(process), name: command)
  }

  /// Whether the shell finds the program of a command; it is not asked where that is more than a word.
  private static func isThere(_ command: String) -> Bool {
    guard let program = command.split(separator: " ").first,
      program.utf8.allSatisfy({ byte in
        byte & 0xDF >= 0x41 && byte & 0xDF <= 0x5A || "0123456789/._+-".utf8.contains(byte)
      })
    else { return true }
    return system("command -v \(program) >/dev/null 2>&1") == 0
  }

  /// Waits until the reader is done.
  package func close() { pclose(process) }
}
