import ActionLog
import ReplayCommands
import ReplayEngine

extension Console {
  /// Writes a replayed log as a recorder would have written it, to a file or, as `-`, to standard output.
  package func write(log events: [LogEvent], to path: String, by command: String) throws {
    var bytes: [UInt8] = []
    for event in events.lazy.map(\.asRecorded) where !event.isFinding {
      bytes += event.written(by: command, to: path).line
      bytes.append(UInt8(ascii: "\n"))
    }
    try write(to: path) { try $0.write(bytes) }
  }
}

extension LogEvent {
  /// The event without what a replaying program says of itself, and what it carries through a replay.
  fileprivate var asRecorded: LogEvent {
    switch self {
    case .header(var header):
      header.rest["replayer"] = nil
      return .header(header)
    case .action(let action): return .action(action.unmarked)
    default: return self
    }
  }

  /// What a replay has to say is no part of a recording.
  fileprivate var isFinding: Bool {
    if case .finding = self { true } else { false }
  }
}
