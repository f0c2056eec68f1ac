import ActionLog
import ReplayCommands
import ReplayEngine

/// The files on which the result of a run depends: the logs, the host, the settings and the invariants.
struct WatchedFiles {
  /// The operands: files, and folders that may get more of them.
  let logs: [String]
  let host: String
  let settings: [String]

  /// Seconds between two looks.
  private static let interval = 0.3
  /// Looks between two signs of life: about a second.
  private static let looksBetweenSigns = 3

  /// What the system tells about the files that are there.
  var traces: [String: FileTrace] {
    var traces: [String: FileTrace] = [:]
    for case .file(let path, _) in LogList(logs).entries { traces[path] = FileTrace(path) }
    for path in [host] + settings { traces[path] = FileTrace(path) }
    return traces
  }

  /// Waits until files have changed, and stay as they are from one look to the next: a host is not written at once.
  ///
  /// - Parameters:
  ///   - before: The traces of the files before they were read.
  ///   - context: The environment of the command.
  ///   - giveSign: Called at once and every second, as long as nothing has changed.
  /// - Returns: The files that have changed, came or went; `nil` when the command is told to end.
  @MainActor func changes(
    since before: [String: FileTrace],
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
      // A host that is being built is gone for a while.
      guard now == last, now != before, now[host] != nil || before[host] == nil else { continue }
      return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }
  }
}
