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
  /// No file takes the place of another one: the copy gets a number where there is another log, and there is none where the log is
  /// there already.
  ///
  /// - Throws: `StreamError` when it cannot be written.
  mutating func copyLog(_ report: RunReport) throws(StreamError) {
    guard report.status != .same, let file = report.file, kept.insert(file).inserted else { return }
    let names = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let wanted = ([folder] + names.map(String.init)).joined(separator: "/")
    let copy = try Self.copy(file, to: wanted)
    let verdict = VerdictFile.path(beside: file)
    if FileManager.default.fileExists(atPath: verdict) {
      _ = try Self.copy(verdict, to: VerdictFile.path(beside: copy))
    }
  }

  /// Copies a file.
  ///
  /// - Returns: Where a file with the same bytes is now.
  private static func copy(_ file: String, to wanted: String) throws(StreamError) -> String {
    let manager = FileManager.default
    let url = URL(filePath: wanted)
    var copy = wanted
    var number = 1
    do {
      try manager.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      while manager.fileExists(atPath: copy) {
        if manager.contentsEqual(atPath: file, andPath: copy) { return copy }
        number += 1
        let end = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        copy = "\(wanted.dropLast(end.count))-\(number)\(end)"
      }
    } catch {
      throw StreamError(creating: copy, error, otherwise: EIO)
    }
    let source = open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw StreamError(name: file, code: errno) }
    defer { close(source) }
    let sink = try AtomicFile(copy)
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StreamError(name: file, code: errno) }
      guard count > 0 else { break }
      try sink.write(buffer[..<count])
    }
    try sink.finish()
    return copy
  }
}
