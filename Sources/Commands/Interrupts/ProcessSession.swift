import Dispatch
import Foundation
import Synchronization

/// The processes of a session: its leader and all processes that it has started in turn.
///
/// Builds start processes in groups of their own, which a signal to the leader's group does not reach, and hosts some in sessions of
/// their own. The latter inherit the mark of the leader's environment.
package enum ProcessSession {
  /// The variable of a leader's environment with its mark.
  package static let variable = "TCA_REPLAY_SESSION"

  private static let marks = Mutex<[pid_t: String]>([:])

  /// A mark that no other leader has.
  package static func makeMark() -> String { UUID().uuidString }

  /// Notes the mark of a leader.
  package static func mark(_ leader: pid_t, as mark: String) {
    marks.withLock { $0[leader] = mark }
  }

  /// Forgets the mark of a leader, before its number can be used again.
  package static func forget(_ leader: pid_t) {
    marks.withLock { _ = $0.removeValue(forKey: leader) }
  }

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
    let marks = marks.withLock { marks in leaders.compactMap { marks[$0] } }
      .map { Array("\(variable)=\($0)".utf8) }
    let own = getpid()
    var members: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let id = pid_t(name), id != own, let status = status(of: id), status.isAlive else {
        continue
      }
      if leaders.contains(status.session) || isMarked(id, by: marks) { members.append(id) }
    }
    return members
  }

  /// Whether the environment with which a process was started has one of some marks.
  private static func isMarked(_ id: pid_t, by marks: [[UInt8]]) -> Bool {
    guard !marks.isEmpty else { return false }
    let file = open("/proc/\(id)/environ", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var environment: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      environment += buffer[..<count]
    }
    return environment.split(separator: 0).contains { variable in
      marks.contains { $0.elementsEqual(variable) }
    }
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
