import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// Writes a log to a host, line by line, followed by a separator that the host returns after it has replayed the log.
final class HostInput: Sendable {
  private let log: LogSlice
  private let file: Descriptor
  private let pipe: Descriptor
  private let separator: [UInt8]
  private let isCancelled = Mutex(false)

  init(_ log: LogSlice, file: Descriptor, pipe: Descriptor, separator: [UInt8]) {
    self.log = log
    self.file = file
    self.pipe = pipe
    self.separator = separator
  }

  /// Skips the lines that have not been written yet.
  func cancel() { isCancelled.withLock { $0 = true } }

  /// Writes the log.
  ///
  /// If the host ends, it stops without an error.
  func run() {
    lseek(file.number, off_t(log.start), SEEK_SET)
    var left = log.end.map { $0 - log.start } ?? .max
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    var pending: [UInt8] = []
    while left > 0, !isCancelled.withLock({ $0 }) {
      let wanted = min(left, chunk.count)
      let count = chunk.withUnsafeMutableBytes { read(file.number, $0.baseAddress, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      left -= count
      // Writes complete lines only. After a cancellation, the separator then starts on a new line.
      guard let lineFeed = chunk[..<count].lastIndex(of: 0x0A) else {
        pending += chunk[..<count]
        continue
      }
      pending += chunk[...lineFeed]
      guard pending.write(to: pipe.number) == 0 else { return }
      pending = Array(chunk[(lineFeed + 1)..<count])
    }
    if !isCancelled.withLock({ $0 }) { pending = Self.whole(pending) } else { pending = [] }
    _ = (pending + separator + [0x0A]).write(to: pipe.number)
  }

  /// The number of bytes per read: the default capacity of a pipe on Linux.
  private static let chunk = 64 * 1024

  /// Returns the last line with its missing line feed.
  ///
  /// Returns no bytes for an incomplete line, because readers ignore it.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard (try? JSON(parsing: bytes)) != nil else { return [] }
    return bytes + [0x0A]
  }
}
