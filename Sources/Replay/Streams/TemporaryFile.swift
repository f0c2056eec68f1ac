import Foundation

/// A file that is gone with the object: a copy of a stream that is to be read more than once, or what another process is
/// to read.
final class TemporaryFile {
  let path: String

  /// A file with this content.
  init(_ content: some Collection<UInt8>) throws(StreamError) {
    let descriptor: Int32
    (path, descriptor) = try Self.create()
    defer { close(descriptor) }
    let code = content.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  private static func create() throws(StreamError) -> (path: String, descriptor: Int32) {
    let template = NSTemporaryDirectory() + "/tca-replay-XXXXXX"
    var name = Array(template.utf8CString)
    let descriptor = name.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw StreamError(name: template, code: errno, isCreation: true) }
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (path, descriptor)
  }

  init(copying input: FileHandle) throws(StreamError) {
    let descriptor: Int32
    (path, descriptor) = try Self.create()
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        read(input.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StreamError(name: Wording.standardInput, code: errno) }
      guard count > 0 else { return }
      let code = buffer[..<count].write(to: descriptor)
      guard code == 0 else { throw StreamError(name: path, code: code) }
    }
  }

  deinit { unlink(path) }
}
