import Foundation

/// A copy of a stream that is to be read more than once.
final class TemporaryFile {
  let path: String

  init(copying input: FileHandle) throws(StreamError) {
    let template = NSTemporaryDirectory() + "/tca-replay-XXXXXX"
    var name = Array(template.utf8CString)
    let descriptor = name.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw StreamError(name: template, code: errno, isCreation: true) }
    defer { close(descriptor) }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
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
