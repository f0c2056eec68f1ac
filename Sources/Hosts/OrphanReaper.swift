import Foundation
import ReplayCommands

/// A shell that ends a process when this one is killed and cannot end it itself.
package struct OrphanReaper {
  private let shell: ChildProcess

  /// Starts the shell for a process; `nil` when there is no shell.
  package init?(over process: ChildProcess) {
    guard
      let shell = try? ChildProcess(
        "/bin/sh",
        arguments: ["-c", Self.script, "sh", String(process.id)],
        output: .null,
        error: .null
      )
    else { return nil }
    self.shell = shell
  }

  /// Waits for a line, or for the end of the process that would write it; then it ends the group, and on Linux the session.
  ///
  /// In proc(5) the session is the fourth word after the name in parentheses.
  private static let script = """
    leader=$1
    read -r line && exit
    kill -TERM "-$leader"
    for turn in 1 2 3 4 5 6 7 8 9 10; do
      kill -0 "-$leader" || break
      sleep 0.2
    done
    kill -KILL "-$leader"
    for file in /proc/[0-9]*/stat; do
      read -r line < "$file" || continue
      set -- ${line##*) }
      id=${file#/proc/}
      if [ "$4" = "$leader" ]; then kill -KILL "${id%/stat}"; fi
    done
    """

  /// Stops watching, before the number of the process can be used again.
  package func release() {
    if let input = shell.input {
      _ = [UInt8(ascii: "\n")].write(to: input)
      close(input)
    }
    _ = shell.wait()
  }
}
