import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayPage

/// The pages of `run --pages`: one for each log that fails, in a folder.
struct RunPages {
  private let folder: String
  private let program: Program
  private let options: ReplayOptions
  private let start: CommandContext.ReplayStarter
  private var names: Set<String> = []

  /// Makes the folder, if it is not there.
  ///
  /// - Throws: `StreamError`.
  init(
    in folder: String,
    _ context: CommandContext,
    _ options: ReplayOptions
  ) throws(StreamError) {
    self.folder = folder
    program = context.program
    self.options = options
    start = context.makeReplayStarter()
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw StreamError(creating: folder, error, otherwise: EEXIST) }
  }

  /// Writes the page of a log that fails.
  ///
  /// - Returns: The path of the page; `nil` for a log that is as expected, and for one that cannot be read.
  /// - Throws: `StreamError`.
  mutating func write(for report: RunReport) throws -> String? {
    guard report.status != .same, let log = report.log, let shown = try? PageLog(log) else {
      return nil
    }
    // A host that is lost leaves the log.
    let comparison = try? PageComparison(replaying: log, options, by: start)
    let path = "\(folder)/\(name(of: report.name))"
    let file = try AtomicFile(path)
    try LogPage(shown, comparison: comparison, program: program).write(to: file)
    try file.finish()
    return path
  }

  /// The name of a log's page: its path with dashes, which no other page of the run has.
  private mutating func name(of log: String) -> String {
    var parts = log.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    if let last = parts.popLast() {
      parts.append(last.replacing(".jsonl", with: "").replacing("#", with: "-"))
    }
    let stem = parts.joined(separator: "-")
    var name = "\(stem).html"
    var number = 2
    while !names.insert(name).inserted {
      name = "\(stem)-\(number).html"
      number += 1
    }
    return name
  }
}
