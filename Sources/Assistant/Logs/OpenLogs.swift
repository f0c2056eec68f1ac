import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// A log that was opened, with what was found out about it.
final class OpenLog {
  /// The name, as answers have it.
  let name: String
  let slice: LogSlice
  /// The number of logs in the file.
  let siblings: Int
  let session: DebugSession
  fileprivate let trace: FileTrace
  fileprivate var known: [String: Any] = [:]

  fileprivate init(
    _ slice: LogSlice,
    named name: String,
    siblings: Int,
    _ trace: FileTrace
  ) throws {
    (self.name, self.slice, self.siblings, self.trace) = (name, slice, siblings, trace)
    // Indexes stay in memory: nothing may be written outside of the folder for results.
    session = try DebugSession(DebuggedLog(slice, cache: nil))
  }

  var log: DebuggedLog { session.log }

  /// A value that takes a pass over the log: it is found out once.
  func remembering<Value>(_ key: String, _ find: () throws -> Value) rethrows -> Value {
    if let value = known[key] as? Value { return value }
    let value = try find()
    if known.count >= Self.mostKnown { known = [:] }
    known[key] = value
    return value
  }

  /// Values that are kept of a log.
  private static let mostKnown = 32

  /// The step of an action.
  ///
  /// - Throws: `CommandError.noSuchAction`, `LogReadError`.
  func step(_ seq: Int) throws -> LogStep {
    if let step = try log.step(at: seq) { return step }
    let last = try log.last()?.seq ?? 0
    if seq > last, let damage = log.damage { throw damage }
    throw CommandError.noSuchAction(seq, last: last)
  }
}

/// The logs that were asked about last, kept open from one call to the next.
final class OpenLogs {
  private let folders: LogFolders
  private var logs: [OpenLog] = []

  /// Logs that are kept open: two that are compared, and a few others.
  private static let most = 4

  init(_ folders: LogFolders) { self.folders = folders }

  /// A log by its name; of a file that has several, `name.jsonl#2` is the second one.
  ///
  /// - Throws: `ToolError`, `LogReadError`.
  func log(_ name: String) throws -> OpenLog {
    let (file, number) = Self.parts(name)
    let path = try folders.path(of: file)
    let known = folders.name(of: path) ?? file
    guard let trace = FileTrace(path) else { throw LogReadError.noSuchFile(known) }
    let own = number == 1 ? known : "\(known)#\(number)"
    if let index = logs.firstIndex(where: { $0.name == own }) {
      let log = logs.remove(at: index)
      if log.trace == trace {
        logs.append(log)
        return log
      }
    }
    let slices = try LogSlice.slices(of: path, name: known)
    guard number <= slices.count else {
      throw ToolError.noSuchLog(name, "; the file has \(slices.count)")
    }
    let log = try OpenLog(slices[number - 1], named: own, siblings: slices.count, trace)
    logs.append(log)
    if logs.count > Self.most { logs.removeFirst() }
    return log
  }

  private static func parts(_ name: String) -> (file: String, number: Int) {
    guard let mark = name.lastIndex(of: "#"), name[..<mark].hasSuffix(".jsonl"),
      let number = Int(name[name.index(after: mark)...]), number > 0
    else { return (name, 1) }
    return (String(name[..<mark]), number)
  }
}
