import Dispatch
import Foundation

/// The processes of a session: its leader and all processes that it has started in turn.
///
/// Builds start processes in groups of their own, which a signal to the leader's group does not reach.
package enum ProcessSession {
  /// Kills the sessions of some leaders.
  ///
  /// - Parameter leaders: Processes whose numbers are still their own.
  package static func kill(_ leaders: Set<pid_t>) {
    for leader in leaders { Foundation.kill(-leader, SIGKILL) }
    #if !canImport(Darwin)
    // Until none is found, because a process may start another one before it is killed.
    for _ in 0..<100 {
      let left = members(of: leaders)
      guard !left.isEmpty else { return }
      for id in left { Foundation.kill(id, SIGKILL) }
      usleep(1000)
    }
    #endif
  }

  /// Asks the sessions of some leaders to end, waits, and kills the rest.
  ///
  /// - Parameters:
  ///   - leaders: Processes whose numbers are still their own.
  ///   - number: The signal that asks.
  ///   - gracePeriod: The time to wait, in seconds.
  ///   - isOwn: Whether a leader's number is still its own.
  package static func end(
    _ leaders: Set<pid_t>,
    by number: Int32,
    gracePeriod: Double,
    isOwn: (pid_t) -> Bool = { _ in true }
  ) {
    guard !leaders.isEmpty else { return }
    // Processes may have files of their own to remove.
    for leader in leaders where isOwn(leader) { Foundation.kill(-leader, number) }
    let deadline = DispatchTime.now() + gracePeriod
    while DispatchTime.now() < deadline, isAlive(leaders.filter(isOwn)) { usleep(5000) }
    kill(leaders.filter(isOwn))
  }

  private static func isAlive(_ leaders: Set<pid_t>) -> Bool {
    #if canImport(Darwin)
    return leaders.contains { leader in
      var information = siginfo_t()
      return waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT | WNOHANG) == 0
        && information.si_pid == 0
    }
    #else
    return !members(of: leaders).isEmpty
    #endif
  }

  #if !canImport(Darwin)
  /// The processes of sessions that have not ended.
  private static func members(of leaders: Set<pid_t>) -> [pid_t] {
    guard !leaders.isEmpty, let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var members: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let id = pid_t(name), let status = status(of: id), status.isAlive,
        leaders.contains(status.session)
      else { continue }
      members.append(id)
    }
    return members
  }

  /// The session and state of a process.
  ///
  /// In proc(5) state, parent, group and session follow the name in parentheses.
  private static func status(of id: pid_t) -> (session: pid_t, isAlive: Bool)? {
    let file = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = read(file, &buffer, buffer.count)
    guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = String(decoding: buffer[(end + 1)..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 3, let session = pid_t(fields[3]) else { return nil }
    return (session, fields[0] != "Z" && fields[0] != "X")
  }
  #endif
}
