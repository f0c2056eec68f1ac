import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// Writes a log to a host, line by line, and behind it what tells the host that it is through.
final class LogFeeder: Sendable {
  private let log: LogSlice
  private let file: Descriptor
  private let pipe: Descriptor
  private let separator: [UInt8]
  private let isBrokenOff = Mutex(false)

  init(_ log: LogSlice, file: Descriptor, pipe: Descriptor, separator: [UInt8]) {
    self.log = log
    self.file = file
    self.pipe = pipe
    self.separator = separator
  }

  /// Leaves out the lines that have not been written yet.
  func breakOff() { isBrokenOff.withLock { $0 = true } }

  /// Writes the log.
  ///
  /// A host that has ended takes nothing more: that is no failure of the feeder.
  func run() {
    lseek(file.number, off_t(log.start), SEEK_SET)
    var left = log.end.map { $0 - log.start } ?? .max
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    var pending: [UInt8] = []
    while left > 0, !isBrokenOff.withLock({ $0 }) {
      let wanted = min(left, chunk.count)
      let count = chunk.withUnsafeMutableBytes { read(file.number, $0.baseAddress, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      left -= count
      // What is broken off must end with a line, so that the separator is one.
      guard let feed = chunk[..<count].lastIndex(of: 0x0A) else {
        pending += chunk[..<count]
        continue
      }
      pending += chunk[...feed]
      guard pending.write(to: pipe.number) == 0 else { return }
      pending = Array(chunk[(feed + 1)..<count])
    }
    if !isBrokenOff.withLock({ $0 }) { pending = Self.whole(pending) } else { pending = [] }
    _ = (pending + separator + [0x0A]).write(to: pipe.number)
  }

  /// Bytes: what a pipe takes at once on Linux.
  private static let chunk = 64 * 1024

  /// What follows the last line feed, when it is an event that only lacks its own; a torn one is left out, as readers do.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard (try? JSON(parsing: bytes)) != nil else { return [] }
    return bytes + [0x0A]
  }
}
