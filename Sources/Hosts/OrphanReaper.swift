import Foundation
import ReplayCommands

/// A shell that ends a child process if this process is killed before it can do so itself.
///
/// The shell starts before the child, so that it can watch the child from the child's start.
package struct OrphanReaper {
  private let shell: ChildProcess

  /// Starts the shell, or returns `nil` if the system has none.
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

  /// Starts to watch a child process.
  package func watch(_ process: ChildProcess) {
    if let input = shell.input { _ = Array("\(process.id)\n".utf8).write(to: input) }
  }

  /// A shell script that reads the process ID, and then waits for a second line or the end of input.
  ///
  /// The end of input means that this process was killed. The script then kills the child's process group, and on Linux
  /// also the child's session. In proc(5), the session is the fourth word after the name in parentheses.
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

  /// Stops watching the child process.
  ///
  /// Call this method before the system can reuse the process ID.
  package func release() {
    if let input = shell.input {
      _ = [UInt8(ascii: "\n")].write(to: input)
      close(input)
    }
    _ = shell.wait()
  }
}
