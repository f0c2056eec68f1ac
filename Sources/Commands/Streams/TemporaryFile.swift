import ActionLog
import Foundation
import ReplayEngine
import Synchronization

/// A file that is removed with the object: a copy of a stream that is read more than once, or a file that another process
/// reads or writes.
package final class TemporaryFile {
  package let path: String
  /// Another process that is ended while it writes the file may leave other files here.
  private let folder: TemporaryDirectory

  /// A file with this content.
  package init(_ content: some Collection<UInt8>) throws(StreamError) {
    let descriptor: Int32
    (folder, path, descriptor) = try Self.create()
    defer { close(descriptor) }
    let code = content.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  private static func create() throws(StreamError) -> (TemporaryDirectory, String, Int32) {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/log.jsonl"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
    return (folder, path, descriptor)
  }

  /// A copy of a stream.
  ///
  /// - Parameters:
  ///   - input: The stream, which is read to its end.
  ///   - name: Its name in messages.
  /// - Throws: `StreamError`.
  package init(copying input: FileHandle, name: String = Wording.standardInput) throws(StreamError)
  {
    let descriptor: Int32
    (folder, path, descriptor) = try Self.create()
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        read(input.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StreamError(name: name, code: errno) }
      guard count > 0 else { return }
      ReadingCount.add(count)
      let code = buffer[..<count].write(to: descriptor)
      guard code == 0 else { throw StreamError(name: path, code: code) }
    }
  }

  /// A copy of the stream that an operand names: standard input for `-`, a pipe.
  ///
  /// - Parameters:
  ///   - operand: The operand.
  ///   - input: Standard input; without it `-` is a name like any other.
  /// - Returns: The copy; `nil` for everything else.
  /// - Throws: `StreamError`.
  package static func copy(
    of operand: String,
    input: FileHandle?
  ) throws(StreamError) -> TemporaryFile? {
    if operand == "-", let input { return try TemporaryFile(copying: input) }
    guard FileKind(operand) == .stream else { return nil }
    let descriptor = open(operand, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StreamError(name: operand, code: errno) }
    let stream = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return try TemporaryFile(copying: stream, name: operand)
  }
}
