import Foundation
import ReplayCommands

/// Ends a host whose tool has gone, also while it reduces an action that takes for ever.
///
/// A tool holds the input of its host open for as long as it wants something, and the system closes it when the tool is
/// killed.
package enum HostLifeline {
  /// Watches the standard input of this process when a tool has started it.
  package static func watch(_ console: Console, environment: [String: String]) {
    guard console.isProcess, ReplayHandshake(environment: environment) != nil else { return }
    let descriptor = console.input.fileDescriptor
    Thread.detachNewThread {
      // Nothing is asked for, so this returns when the other end is closed; a file has no other end.
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&entry, 1, -1) < 0, errno == EINTR {}
      guard Int32(entry.revents) & Int32(POLLHUP) != 0 else { return }
      // What reads the input meets its end as well, and is let end in order.
      usleep(patience)
      CleanupRegistry.end(by: SIGHUP)
    }
  }

  /// Microseconds: less than a tool waits for a host that it no longer needs.
  private static let patience: useconds_t = 1_000_000
}
