import Foundation

/// A file that appears under its name when it is whole: until then it has another name, and what stood there before stays.
///
/// What is not a file, such as a pipe or `/dev/null`, is written to as it is. A link keeps its place and a file its rights.
final class WholeFile: ByteSink {
  private let path: String
  /// Where the file is until it is whole.
  var temporaryPath: String { temporary }
  private let temporary: String
  private let place: String
  private let descriptor: Int32
  private var isInPlace = false

  init(_ path: String) throws(StreamError) {
    self.path = path
    let old = FileKind(path)
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    place = url.path
    isInPlace = old == .stream
    temporary =
      isInPlace
      ? path
      : url.deletingLastPathComponent()
        .appendingPathComponent(".\(url.lastPathComponent).\(getpid())").path
    let flags = isInPlace ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC
    let rights = old.rights ?? 0o644
    // Before it is there, so that no signal comes in between.
    if !isInPlace { Leftovers.add(temporary) }
    descriptor = open(temporary, flags | O_CLOEXEC, rights)
    guard descriptor >= 0 else {
      let code = errno
      if !isInPlace { Leftovers.forget(temporary) }
      throw StreamError(name: path, code: code, isCreation: true)
    }
    if old.rights != nil { fchmod(descriptor, rights) }
  }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    let code = bytes.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  /// Puts the file in its place.
  func finish() throws(StreamError) {
    guard !isInPlace else { return }
    guard rename(temporary, place) == 0 else {
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
