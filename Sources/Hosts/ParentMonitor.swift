import Foundation
import ReplayCommands

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
      CleanupRegistry.terminate(by: SIGHUP)
    }
  }

  /// Microseconds: less than a tool waits for a host that it no longer needs.
  private static let gracePeriod: useconds_t = 1_000_000
}
