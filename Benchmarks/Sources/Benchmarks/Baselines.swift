import Foundation
import TCARecorder

/// A file to which each line is written with a separate system call.
@MainActor
final class PlainFile {
  let path: String
  private let descriptor: Int32

  init() {
    path = Self.newPath()
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
  }

  func write(_ bytes: Data) {
    bytes.withUnsafeBytes { _ = Foundation.write(descriptor, $0.baseAddress, $0.count) }
  }

  func remove() {
    close(descriptor)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns an unused file name, in memory if the system has such a folder.
  static func newPath() -> String {
    let folder =
      FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    return folder + "/tca-replay-benchmark-\(UUID().uuidString).jsonl"
  }
}

/// The usual alternative to a recorder: after each action, the entire state and the action are written as a line.
@MainActor
struct WholeStateLog<State: Encodable, Action: Encodable> {
  private let encoder = JSONEncoder()
  let file = PlainFile()

  private struct Line: Encodable {
    let action: Action
    let state: State
  }

  func append(_ action: Action, _ state: State) throws {
    var line = try encoder.encode(Line(action: action, state: state))
    line.append(UInt8(ascii: "\n"))
    file.write(line)
  }
}

/// Keeps values from being optimized away.
@MainActor
enum BlackHole {
  private static var value: Any = 0
  @inline(never)
  static func take<Value>(_ value: Value) { self.value = value }
}
