import Foundation

/// A file that appears under its name when it is whole: until then it has another name, and what stood there before stays.
final class WholeFile: ByteSink {
  private let path: String
  /// Where the file is until it is whole.
  var temporaryPath: String { temporary }
  private let temporary: String
  private let descriptor: Int32
  private var isInPlace = false

  init(_ path: String) throws(StreamError) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    temporary =
      url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(getpid())").path
    // Before it is there, so that no signal comes in between.
    Leftovers.add(temporary)
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let code = errno
      Leftovers.forget(temporary)
      throw StreamError(name: path, code: code, isCreation: true)
    }
  }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    let code = bytes.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  /// Puts the file in its place.
  func finish() throws(StreamError) {
    guard rename(temporary, path) == 0 else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
    isInPlace = true
    Leftovers.forget(temporary)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    guard !isInPlace else { return }
    unlink(temporary)
    Leftovers.forget(temporary)
  }
}
