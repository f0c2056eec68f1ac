import Foundation
import ReplayCommands

/// A monitor that ends a host when its tool has ended, even if the host is in a reducer that never returns.
///
/// A tool keeps the host's input open while it needs the host. The system closes the input when the tool is killed.
package enum ParentMonitor {
  /// Watches the standard input of this process, if a tool has started the process.
  package static func watch(_ console: Console, environment: [String: String]) {
    guard console.isProcess, ReplayHandshake(environment: environment) != nil else { return }
    let descriptor = console.input.fileDescriptor
    Thread.detachNewThread {
      // With no requested events, `poll` returns only when the other end is closed. A file has no other end.
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&entry, 1, -1) < 0, errno == EINTR {}
      guard Int32(entry.revents) & Int32(POLLHUP) != 0 else { return }
      // The thread that reads the input also notices the end, and gets time to finish in order.
      usleep(gracePeriod)
      CleanupRegistry.terminate(by: SIGHUP)
    }
  }

  /// The time in microseconds between the end of the input and the end of the process.
  ///
  /// The time is shorter than the one that a tool waits for a host that it no longer needs.
  private static let gracePeriod: useconds_t = 1_000_000
}
