import Foundation
import ReplayCommands

/// A shell that ends a child process if this process is killed and can't do so itself.
///
/// The shell starts before the child, so that the child is watched from its first moment.
package struct OrphanReaper {
  private let shell: ChildProcess

  /// Starts the shell.
  ///
  /// Returns `nil` if there is no shell.
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

  /// Starts to watch a process.
  package func watch(_ process: ChildProcess) {
    if let input = shell.input { _ = Array("\(process.id)\n".utf8).write(to: input) }
  }

  /// Reads the process ID, and then waits for a second line or the end of input.
  ///
  /// The end of input means that this process was killed. The script then kills the process group, and on Linux the
  /// session. In proc(5) the session is the fourth word after the name in parentheses.
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

  /// Stops watching.
  ///
  /// Must be called before the system can reuse the process ID.
  package func release() {
    if let input = shell.input {
      _ = [UInt8(ascii: "\n")].write(to: input)
      close(input)
    }
    _ = shell.wait()
  }
}
