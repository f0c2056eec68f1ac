import ActionLog
import Foundation

/// A file that appears under its name when it is whole.
enum WholeFile {
  static func write(_ bytes: [UInt8], to path: String) throws(LogWriteError) {
    let url = URL(fileURLWithPath: path)
    let temporary =
      url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(getpid())").path
    unlink(temporary)
    do {
      var file = try LogFile(creating: temporary, isNumbered: false, isSynced: true)
      try file.append(bytes)
    } catch {
      unlink(temporary)
      throw LogWriteError(path: path, code: error.code)
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw LogWriteError(path: path, code: code)
    }
  }
}
