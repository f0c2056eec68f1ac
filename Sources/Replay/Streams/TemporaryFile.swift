import Foundation

/// A file that is gone with the object: a copy of a stream that is to be read more than once, or what another process is
/// to read or write.
final class TemporaryFile {
  let path: String
  /// Where another process that writes the file, and is ended at it, leaves what it has written so far.
  private let folder: ScratchFolder

  /// A file with this content.
  init(_ content: some Collection<UInt8>) throws(StreamError) {
    let descriptor: Int32
    (folder, path, descriptor) = try Self.create()
    defer { close(descriptor) }
    let code = content.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  private static func create() throws(StreamError) -> (ScratchFolder, String, Int32) {
    let folder = try ScratchFolder()
    let path = folder.path + "/log.jsonl"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
    return (folder, path, descriptor)
  }

  init(copying input: FileHandle) throws(StreamError) {
    let descriptor: Int32
    (folder, path, descriptor) = try Self.create()
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
}
