import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// An open log, with cached information.
final class OpenLog {
  /// The name in answers.
  let name: String
  let slice: LogSlice
  /// The number of logs in the file.
  let siblings: Int
  let session: DebugSession
  fileprivate let trace: FileMetadata
  fileprivate var known: [String: Any] = [:]

  fileprivate init(
    _ slice: LogSlice,
    named name: String,
    siblings: Int,
    _ trace: FileMetadata
  ) throws {
    (self.name, self.slice, self.siblings, self.trace) = (name, slice, siblings, trace)
    // Indexes stay in memory, because files may be written only to the folder for results.
    session = try DebugSession(DebuggedLog(slice, cache: nil))
  }

  var log: DebuggedLog { session.log }

  /// Returns a value that takes a pass over the log, and caches it.
  func remembering<Value>(_ key: String, _ find: () throws -> Value) rethrows -> Value {
    if let value = known[key] as? Value { return value }
    let value = try find()
    if known.count >= Self.mostKnown { known = [:] }
    known[key] = value
    return value
  }

  /// The maximum number of cached values of a log.
  private static let mostKnown = 32

  /// Returns the step of an action.
  ///
  /// - Throws: `CommandError.noSuchAction`, `LogReadError`.
  func requiredStep(_ seq: Int) throws -> LogStep {
    if let step = try log.step(at: seq) { return step }
    let last = try log.last()?.seq ?? 0
    if seq > last, let damage = log.damage { throw damage }
    throw CommandError.noSuchAction(seq, last: last)
  }
}

/// The most recently used logs, which stay open between calls.
final class OpenLogs {
  private let folders: LogFolders
  private var logs: [OpenLog] = []

  /// The maximum number of open logs: two for a comparison, and a few others.
  private static let most = 4

  init(_ folders: LogFolders) { self.folders = folders }

  /// Returns a log by its name.
  ///
  /// For a file with several logs, `name.jsonl#2` is the second one.
  ///
  /// - Throws: `ToolError`, `LogReadError`.
  func log(_ name: String) throws -> OpenLog {
    let (file, number) = Self.parts(name)
    let path = try folders.path(of: file)
    let known = folders.name(of: path) ?? file
    guard let trace = FileMetadata(path) else { throw LogReadError.noSuchFile(known) }
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
