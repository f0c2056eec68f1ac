import ActionLog
import Foundation
import Synchronization

/// A log file that is open for writing.
package final class FileSink: LogSink {
  /// The resolved path of the file, with the number that was added if the name was taken.
  package let path: String
  private let file: Mutex<LogFile>
  private let lastError = Mutex<LogWriteError?>(nil)

  /// The error of the last write, or `nil` if the last write succeeded.
  package var failure: LogWriteError? { lastError.withLock { $0 } }

  package init(
    creating path: String,
    isNumbered: Bool = true,
    isSynced: Bool = false,
    calls: SystemCalls = SystemCalls()
  ) throws {
    let path = Self.resolve(path)
    // An error is ignored here, because creating the file then fails for the same reason.
    try? FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let file = try LogFile(
      creating: path,
      isNumbered: isNumbered,
      isSynced: isSynced,
      calls: calls
    )
    self.path = file.path
    self.file = Mutex(file)
  }

  package func append(_ lines: [UInt8]) throws {
    try append(lines, isChecked: true)
  }

  package func appendUnchecked(_ lines: [UInt8]) throws {
    try append(lines, isChecked: false)
  }

  private func append(_ lines: [UInt8], isChecked: Bool) throws {
    do throws(LogWriteError) {
      try file.withLock { (file) throws(LogWriteError) in
        try file.append(lines, isChecked: isChecked)
      }
    } catch {
      lastError.withLock { $0 = error }
      throw error
    }
    // The lock is taken only after an error, because nearly every write succeeds.
    if failure != nil { lastError.withLock { $0 = nil } }
  }

  /// Resolves a relative path against Application Support if this process is an app on an Apple platform.
  ///
  /// Such apps start in a folder that they can't write to.
  static func resolve(_ path: String) -> String {
    guard Platform.isApple, !path.hasPrefix("/"), Bundle.main.bundleURL.pathExtension == "app",
      let support = FileManager.default.urls(
        for: .applicationSupportDirectory,
        in: .userDomainMask
      ).first
    else { return path }
    return support.appendingPathComponent(path).path
  }
}
