import Foundation
import ReplayCommands

/// Copies of the logs that failed, with the verdicts that were expected of them, for the artifacts of a job.
struct FailedLogs {
  private let folder: String
  private var kept: Set<String> = []

  /// Copies into a folder, which is made with the first of them.
  init(in folder: String) { self.folder = folder }

  /// Copies the log of a report that failed, below the path by which it was named; a stream has no log to copy.
  ///
  /// - Throws: `StreamError` when it cannot be written.
  mutating func keep(_ report: RunReport) throws(StreamError) {
    guard report.status != .same, let file = report.file, kept.insert(file).inserted else { return }
    let names = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let copy = ([folder] + names.map(String.init)).joined(separator: "/")
    try Self.copy(file, to: copy)
    let verdict = VerdictFile.path(beside: file)
    if FileManager.default.fileExists(atPath: verdict) {
      try Self.copy(verdict, to: VerdictFile.path(beside: copy))
    }
  }

  private static func copy(_ file: String, to copy: String) throws(StreamError) {
    let manager = FileManager.default
    do {
      let folder = URL(filePath: copy).deletingLastPathComponent()
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      if manager.fileExists(atPath: copy) { try manager.removeItem(atPath: copy) }
      try manager.copyItem(atPath: file, toPath: copy)
    } catch {
      throw StreamError(creating: copy, error, otherwise: EIO)
    }
  }
}
