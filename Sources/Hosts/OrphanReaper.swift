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

/// Ends a host whose tool has ended, even while the host reduces an action that never returns.
///
/// A tool keeps the input of its host open as long as it needs the host, and the system closes it when the tool is killed.
package enum ParentMonitor {
  /// Watches the standard input of this process when a tool has started it.
  package static func watch(_ console: Console, environment: [String: String]) {
    guard console.isProcess, ReplayHandshake(environment: environment) != nil else { return }
    let descriptor = console.input.fileDescriptor
    Thread.detachNewThread {
      // Without requested events this returns when the other end is closed; a file has no other end.
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&entry, 1, -1) < 0, errno == EINTR {}
      guard Int32(entry.revents) & Int32(POLLHUP) != 0 else { return }
      // The reader of the input finds its end as well, and gets time to end in order.
      usleep(gracePeriod)
      CleanupRegistry.end(by: SIGHUP)
    }
  }

  /// Microseconds: less than a tool waits for a host that it no longer needs.
  private static let gracePeriod: useconds_t = 1_000_000
}
