import ActionLog
import Foundation
import ReplayEngine

/// A file that appears under its final name when it is complete.
///
/// Until then, an existing file stays in place. Pipes and devices such as `/dev/null` are written directly. A link
/// remains a link, and a file keeps its permissions.
package final class AtomicFile: ByteSink {
  private let path: String
  /// The path at which the file is written until it is complete.
  package var temporaryPath: String { temporary }
  private let temporary: String
  private let place: String
  private let descriptor: Int32
  private var isInPlace: Bool

  package init(_ path: String) throws(StreamError) {
    self.path = path
    let old = FileSystemItemKind(path)
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    place = url.path
    isInPlace = old == .stream
    guard !isInPlace else {
      temporary = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
      return
    }
    let hidden = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).tca-replay").path
    do { (temporary, descriptor) = try Self.locked(hidden, rights: old.rights ?? 0o644) } catch {
      throw StreamError(name: path, code: error.code, isCreation: true)
    }
    if let rights = old.rights { fchmod(descriptor, rights) }
  }

  /// Opens a temporary file that no other process is writing: a new file, or one that a killed process has left.
  private static func locked(
    _ name: String,
    rights: mode_t
  ) throws(StreamError) -> (String, Int32) {
    var code: Int32 = 0
    for number in 1...Self.mostWriters {
      let path = number == 1 ? name : "\(name)-\(number)"
      // The path is registered before the file is created, so that a signal in between can't leave the file behind.
      guard CleanupRegistry.add(path) else { continue }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, rights)
      code = descriptor < 0 ? errno : EAGAIN
      // If the file system has no locks, several writers are possible, and the last one wins.
      if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK,
        // Another process may have moved the file into place in the meantime.
        LockedFolder.isFile(descriptor, at: path)
      {
        ftruncate(descriptor, 0)
        return (path, descriptor)
      }
      if descriptor >= 0 { close(descriptor) }
      CleanupRegistry.forget(path)
    }
    throw StreamError(name: name, code: code, isCreation: true)
  }

  /// The maximum number of processes that can write the same file concurrently.
  private static let mostWriters = 100

  /// Ensures that the file is also moved into place if a trap ends the process.
  ///
  /// The file then contains the output up to the trap.
  package func moveIntoPlaceOnTrap() {
    if !isInPlace { TrapOutputFileRegistry.register(temporary, as: place) }
  }

  package func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    let code = bytes.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
  }

  /// Moves the complete file into place.
  package func finish() throws(StreamError) {
    guard !isInPlace else { return }
    TrapOutputFileRegistry.forget(temporary)
    guard rename(temporary, place) == 0 else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
    isInPlace = true
    CleanupRegistry.forget(temporary)
  }

  deinit {
    guard descriptor >= 0 else { return }
    if !isInPlace {
      TrapOutputFileRegistry.forget(temporary)
      // The file is removed while it is locked, because another writer may take over a file that is not locked.
      unlink(temporary)
      CleanupRegistry.forget(temporary)
    }
    FileLock.releaseAndClose(descriptor)
  }
}
