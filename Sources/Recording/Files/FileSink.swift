import ActionLog
import Foundation
import Synchronization

/// A log file that is written to.
package final class FileSink: LogSink {
  /// Where the file is.
  package let path: String
  private let file: Mutex<LogFile>
  private let lastError = Mutex<LogWriteError?>(nil)

  /// Why the lines of the last call are not in the file; `nil` when they are.
  package var failure: LogWriteError? { lastError.withLock { $0 } }

  package init(
    creating path: String,
    isNumbered: Bool = true,
    isSynced: Bool = false,
    calls: SystemCalls = SystemCalls()
  ) throws {
    let path = Self.resolve(path)
    // Why there is no folder is what the system says when the file is created.
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
    // Nearly every call is another success.
    if failure != nil { lastError.withLock { $0 = nil } }
  }

  /// Apps of Apple's platforms are started in a folder that is not theirs, so theirs is the one for support files.
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
