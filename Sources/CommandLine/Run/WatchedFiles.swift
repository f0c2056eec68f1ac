import ActionLog
import ReplayCommands
import ReplayEngine

/// The files on which the result of a run depends: the logs, the host, the settings, and the invariants.
struct WatchedFiles {
  /// The paths of log files, and of folders in which new logs may appear.
  let logs: [String]
  let host: String
  let settings: [String]

  /// The number of seconds between two checks.
  private static let interval = 0.3
  /// The number of checks after which open pages are signaled that the command is waiting, about once per second.
  private static let looksBetweenSigns = 3

  /// The metadata of the existing files, by their paths.
  var traces: [String: FileMetadata] {
    var traces: [String: FileMetadata] = [:]
    for case .file(let path, _) in OperandLogs(logs).entries { traces[path] = FileMetadata(path) }
    for path in [host] + settings { traces[path] = FileMetadata(path) }
    return traces
  }

  /// Waits until files have changed and then stay the same between two checks, because a host is not written at once.
  ///
  /// - Parameters:
  ///   - before: The traces of the files before the files were read.
  ///   - context: The environment of the command.
  ///   - giveSign: A closure that is called at the start and about every second until a file has changed.
  /// - Returns: The paths of the files that were changed, added, or deleted, or `nil` if the command was interrupted.
  @MainActor func changes(
    since before: [String: FileMetadata],
    _ context: CommandContext,
    giveSign: () -> Void
  ) async -> [String]? {
    var last = before
    var looks = 0
    while true {
      if looks % Self.looksBetweenSigns == 0 { giveSign() }
      looks += 1
      await context.pause(Self.interval)
      guard !context.interruption.isRequested else { return nil }
      let now = traces
      defer { last = now }
      // A host that is missing may just be being built, so the wait continues.
      guard now == last, now != before, now[host] != nil || before[host] == nil else { continue }
      return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }
  }
}
