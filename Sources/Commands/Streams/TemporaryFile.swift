import ActionLog
import Foundation
import ReplayEngine
import Synchronization

/// A temporary file that is removed when the object is deallocated.
///
/// The file is a copy of a stream that is read more than once, or a file that another process reads or writes.
package final class TemporaryFile {
  package let path: String
  /// The folder that contains the file, and other files that a killed writer may leave.
  private let folder: TemporaryDirectory

  /// Creates a file with the given content.
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

  /// Copies a stream to a temporary file.
  ///
  /// - Parameters:
  ///   - input: The handle of the stream, which is read to its end.
  ///   - name: The name of the stream in messages.
  /// - Throws: `StreamError` if the stream can't be read or the file can't be written.
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
      LogBytesReadCounter.add(count)
      let code = buffer[..<count].write(to: descriptor)
      guard code == 0 else { throw StreamError(name: path, code: code) }
    }
  }

  /// Copies the stream that an operand names: standard input for `-`, or a pipe.
  ///
  /// - Parameters:
  ///   - operand: The operand, which may also name a file.
  ///   - input: The handle of standard input. If `nil`, `-` is an ordinary name.
  /// - Returns: The copy, or `nil` if the operand is not a stream.
  /// - Throws: `StreamError` if the stream can't be read or the copy can't be written.
  package static func copy(
    of operand: String,
    input: FileHandle?
  ) throws(StreamError) -> TemporaryFile? {
    if operand == "-", let input { return try TemporaryFile(copying: input) }
    guard FileSystemItemKind(operand) == .stream else { return nil }
    let descriptor = open(operand, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StreamError(name: operand, code: errno) }
    let stream = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return try TemporaryFile(copying: stream, name: operand)
  }
}
