import Foundation
import ReplayCommands

/// A shell that ends a process when this one is killed and cannot end it itself.
///
/// It is started before the process, so that a process is watched as soon as it runs.
package struct OrphanReaper {
  private let shell: ChildProcess

  /// Starts the shell; `nil` when there is none.
  package init?() {
    guard
      let shell = try? ChildProcess(
        "/bin/sh",
        arguments: ["-c", Self.script],
        output: .null,
        error: .null
      )
    else { return nil }
    self.shell = shell
  }

  /// Watches over a process.
  package func watch(_ process: ChildProcess) {
    if let input = shell.input { _ = Array("\(process.id)\n".utf8).write(to: input) }
  }

  /// Waits for the process, and then for a line or for the end of the process that would write it; then it ends the group, and on Linux the
  /// session.
  ///
  /// In proc(5) the session is the fourth word after the name in parentheses.
  private static let script = """
    read -r leader && [ -n "$leader" ] || exit
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
