import Dispatch
import Foundation

/// The processes of a session: its leader and all descendants.
///
/// A signal to the leader's group does not reach all of them, because builds start processes in their own groups. Some
/// hosts start processes in their own sessions, which inherit the mark in the leader's environment.
package struct ProcessTree: Hashable, Sendable {
  /// The name of the environment variable that contains the leader's mark.
  package static let variable = "TCA_REPLAY_SESSION"

  /// The process ID of the session's leader.
  package let leader: pid_t
  /// The unique value of the environment variable, by which descendants are found.
  package let mark: String

  package init(leader: pid_t, mark: String) {
    self.leader = leader
    self.mark = mark
  }

  /// Returns a mark that no other session has.
  package static func makeMark() -> String { UUID().uuidString }

  /// Kills the processes of sessions, and all other processes that carry a leader's mark.
  ///
  /// A marked process may run in another session, whose leader may have ended.
  ///
  /// - Parameters:
  ///   - sessions: The sessions to kill.
  ///   - isOwn: A closure that returns whether the process ID of a session's leader still belongs to that leader.
  package static func kill(
    _ sessions: Set<ProcessTree>,
    isOwn: (ProcessTree) -> Bool = { _ in true }
  ) {
    for session in sessions where isOwn(session) { Foundation.kill(-session.leader, SIGKILL) }
    #if !canImport(Darwin)
    // The search for processes is repeated, because a process may start another one before it is killed.
    for _ in 0..<100 {
      let left = members(of: sessions, isOwn: isOwn)
      guard !left.isEmpty else { return }
      for id in left { Foundation.kill(id, SIGKILL) }
      usleep(1000)
    }
    #endif
  }

  /// Sends a signal to sessions, waits, and kills the remaining processes.
  ///
  /// - Parameters:
  ///   - sessions: The sessions to end.
  ///   - number: The number of the signal.
  ///   - gracePeriod: The number of seconds to wait before the remaining processes are killed.
  ///   - isOwn: A closure that returns whether the process ID of a session's leader still belongs to that leader.
  package static func terminate(
    _ sessions: Set<ProcessTree>,
    by number: Int32,
    gracePeriod: Double,
    isOwn: (ProcessTree) -> Bool = { _ in true }
  ) {
    guard !sessions.isEmpty else { return }
    // The processes first get a signal, because they may have to remove their own files.
    for session in sessions where isOwn(session) { Foundation.kill(-session.leader, number) }
    let deadline = DispatchTime.now() + gracePeriod
    // A search through all processes takes long, so the pauses become longer.
    var pause: UInt32 = 5000
    while DispatchTime.now() < deadline, isAlive(sessions, isOwn: isOwn) {
      usleep(pause)
      pause = min(2 * pause, 80_000)
    }
    kill(sessions, isOwn: isOwn)
  }

  private static func isAlive(
    _ sessions: Set<ProcessTree>,
    isOwn: (ProcessTree) -> Bool
  ) -> Bool {
    #if canImport(Darwin)
    return sessions.contains { session in
      guard isOwn(session) else { return false }
      var information = siginfo_t()
      let flags = WEXITED | WNOWAIT | WNOHANG
      return waitid(P_PID, id_t(session.leader), &information, flags) == 0
        && information.si_pid == 0
    }
    #else
    return !members(of: sessions, isOwn: isOwn).isEmpty
    #endif
  }

  #if !canImport(Darwin)
  /// Returns the IDs of running processes that belong to sessions.
  private static func members(
    of sessions: Set<ProcessTree>,
    isOwn: (ProcessTree) -> Bool
  ) -> [pid_t] {
    guard !sessions.isEmpty, let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    let marks = sessions.map { Array("\(variable)=\($0.mark)".utf8) }
    let leaders = Set(sessions.filter(isOwn).map(\.leader))
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

  /// Returns whether the initial environment of a process contains one of several marks.
  ///
  /// During `exec`, a process has neither an environment nor arguments. The function waits until `exec` is complete.
  private static func isMarked(_ id: pid_t, by marks: [[UInt8]]) -> Bool {
    var emptyEnvironments = 0
    for _ in 0..<1000 {
      let environment = bytes(of: "environ", id)
      if !environment.isEmpty {
        return marks.contains { contains($0, in: environment) }
      }
      guard let status = status(of: id), status.isAlive, !status.isKernelThread,
        Foundation.kill(id, 0) == 0
      else { return false }
      // A program has at least its name as an argument. The process may have completed `exec` since its environment was
      // read, so arguments without an environment count only if they are found repeatedly.
      guard bytes(of: "cmdline", id).isEmpty else {
        emptyEnvironments += 1
        if emptyEnvironments == 10 { return false }
        continue
      }
      usleep(1000)
    }
    return false
  }

  /// Returns whether an environment contains a variable with a value.
  ///
  /// The environments of all processes are searched repeatedly, so the C library compares them.
  private static func contains(_ variable: [UInt8], in environment: [UInt8]) -> Bool {
    environment.withUnsafeBytes { environment in
      guard let base = environment.baseAddress else { return false }
      var start = 0
      while start < environment.count {
        let zero = memchr(base + start, 0, environment.count - start)
        let end = zero.map { UnsafeRawPointer($0) - base } ?? environment.count
        if end - start == variable.count, memcmp(base + start, variable, variable.count) == 0 {
          return true
        }
        start = end + 1
      }
      return false
    }
  }

  /// Returns the content of a file that proc(5) describes for a process, or no bytes if the file can't be read.
  private static func bytes(of name: String, _ id: pid_t) -> [UInt8] {
    let file = open("/proc/\(id)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Returns the session and the state of a process, or `nil` if the process does not exist.
  ///
  /// In proc(5), the fields after the name in parentheses are state, parent, group, session, terminal, the terminal's
  /// group, and flags.
  private static func status(
    of id: pid_t
  ) -> (session: pid_t, isAlive: Bool, isKernelThread: Bool)? {
    let bytes = bytes(of: "stat", id)
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self)
      .split(separator: " ", maxSplits: 7)
    guard fields.count > 6, let session = pid_t(fields[3]), let flags = UInt(fields[6]) else {
      return nil
    }
    // The value of PF_KTHREAD in the kernel's <linux/sched.h>.
    return (session, fields[0] != "Z" && fields[0] != "X", flags & 0x20_0000 != 0)
  }
  #endif
}
