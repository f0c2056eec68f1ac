import Foundation
import ReplayCommands

/// A function that copies the failed logs and their expected verdicts, for the artifacts of a CI job.
struct FailedLogCopier {
  private let folder: String
  private var kept: Set<String> = []

  /// Creates the collection in a folder, which the first copy creates.
  init(in folder: String) { self.folder = folder }

  /// Copies the log of a failed report into the folder, below the path by which the log was named.
  ///
  /// Existing files are never replaced. If another log is already at the path, the copy gets a number. If the same log
  /// is already there, no copy is made. A stream is not copied, because it has no file.
  ///
  /// - Throws: `StreamError` if the copy can't be written.
  mutating func copyLog(_ report: LogRunReport) throws(StreamError) {
    guard report.status != .same, let file = report.file, kept.insert(file).inserted else { return }
    let names = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let wanted = ([folder] + names.map(String.init)).joined(separator: "/")
    let copy = try Self.copy(file, to: wanted)
    let verdict = ExpectedVerdictFile.path(beside: file)
    if FileManager.default.fileExists(atPath: verdict) {
      _ = try Self.copy(verdict, to: ExpectedVerdictFile.path(beside: copy))
    }
  }

  /// Copies a file, unless a file with the same bytes exists.
  ///
  /// - Returns: The path of the copy or of the existing file.
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
