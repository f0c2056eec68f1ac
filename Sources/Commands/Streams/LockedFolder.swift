import ActionLog
import Foundation
import ReplayEngine

/// A folder that belongs to this process while the object exists, and that is removed with the object.
///
/// A lock on the folder shows that its owner is alive. The system releases the lock when the process ends, even if the
/// process is killed. The next process therefore recognizes abandoned folders.
package final class LockedFolder: Sendable {
  package let path: String
  /// The file descriptor that holds the lock.
  private let descriptor: Int32

  /// Creates and locks a folder.
  ///
  /// - Parameters:
  ///   - parent: The path of the parent folder.
  ///   - prefix: The prefix of the folder's name. The remaining characters are random.
  /// - Throws: `StreamError` if the folder can't be created.
  package init(in parent: String, prefix: String) throws(StreamError) {
    while true {
      let path = "\(parent)/\(prefix)\(UUID().uuidString)"
      // The path is registered before the folder is created, so that a signal in between can't leave the folder behind.
      CleanupRegistry.add(path)
      guard mkdir(path, 0o700) == 0 else {
        let code = errno
        CleanupRegistry.forget(path)
        throw StreamError(name: path, code: code, isCreation: true)
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 || errno == ENOENT else {
        let code = errno
        rmdir(path)
        CleanupRegistry.forget(path)
        throw StreamError(name: path, code: code, isCreation: true)
      }
      // If the file system has no locks, no other process can get one either.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      if isLocked, Self.isFile(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      // Another process removed the folder as abandoned before this process could lock it.
      if descriptor >= 0 { close(descriptor) }
      CleanupRegistry.forget(path)
    }
  }

  /// Creates a folder at a path, or takes over a folder that a killed process has left.
  ///
  /// Returns `nil` if another process owns the folder, or if it contains files that no owner writes.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, which other users may read.
  ///   - isOwn: A closure that returns whether an owner of the folder writes a file with this name.
  /// - Throws: `StreamError` if the folder can't be created.
  package init?(at path: String, isOwn: (String) -> Bool) throws(StreamError) {
    let isNew = CleanupRegistry.add(path)
    guard isNew else { return nil }
    if mkdir(path, 0o755) != 0, errno != EEXIST {
      let code = errno
      CleanupRegistry.forget(path)
      throw StreamError(name: path, code: code, isCreation: true)
    }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK,
      Self.isFile(descriptor, at: path), names.allSatisfy(isOwn)
    else {
      if descriptor >= 0 { close(descriptor) }
      CleanupRegistry.forget(path)
      return nil
    }
    for name in names { unlink("\(path)/\(name)") }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    remove()
    close(descriptor)
  }

  /// Removes the folder and its content.
  package func remove() {
    try? FileManager.default.removeItem(atPath: path)
    CleanupRegistry.forget(path)
  }

  /// Returns whether an open file is the same as the file at a path.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var found = stat()
    return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
      && opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
  }

  /// Removes the folders that killed processes have left.
  ///
  /// - Parameters:
  ///   - parent: The path of the parent folder.
  ///   - prefix: The prefix of the folders' names.
  package static func removeAbandoned(in parent: String, prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else { continue }
      removeIfAbandoned("\(parent)/\(name)")
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    var status = stat()
    // All users share the temporary folder, so links and the folders of other users are skipped.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
    else { return }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}
