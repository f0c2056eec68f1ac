import Foundation

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

  /// Waits until the reader is done.
  package func close() { pclose(process) }
}
