import Foundation
import ReplayEngine

/// A page of memory that a tool shares with its host, backed by an unlinked file.
///
/// The file is resized before it is mapped, because an access beyond its end raises a signal.
package final class SharedMemoryPage: Sendable {
  /// The name of the environment variable that contains the number of the page's descriptor.
  static let variable = "TCA_REPLAY_PAGE"
  /// The number that the page's descriptor has in the host.
  static let descriptor: Int32 = 3

  /// The number that the page's descriptor has in this process.
  let number: Int32
  let progress: CrashProgressRecord
  private let memory: UInt

  /// Creates a page for a host, or returns `nil` if the system can't provide one.
  init?() {
    var template = Array("\(NSTemporaryDirectory())/tca-replay-page-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { return nil }
    unlink(template)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard ftruncate(number, off_t(CrashProgressRecord.size)) == 0, let memory = Self.map(number)
    else {
      close(number)
      return nil
    }
    self.number = number
    self.memory = UInt(bitPattern: memory)
    progress = CrashProgressRecord(memory)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: memory), CrashProgressRecord.size)
    close(number)
  }

  /// Returns the page that this process has inherited from its tool, or `nil` if it has inherited none.
  package static func inherited(environment: [String: String]) -> CrashProgressRecord? {
    guard let number = environment[variable].flatMap({ Int32($0) }) else { return nil }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_size == off_t(CrashProgressRecord.size),
      let memory = map(number)
    else { return nil }
    // The descriptor is closed so that child processes of the feature don't inherit it.
    close(number)
    return CrashProgressRecord(memory)
  }

  private static func map(_ number: Int32) -> UnsafeMutableRawPointer? {
    let memory = mmap(
      nil,
      CrashProgressRecord.size,
      PROT_READ | PROT_WRITE,
      MAP_SHARED,
      number,
      0
    )
    return memory == MAP_FAILED ? nil : memory
  }
}
