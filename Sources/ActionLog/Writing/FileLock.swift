import Foundation

/// The lock of an open file.
package enum FileLock {
  /// Releases the lock of a file and closes its descriptor.
  ///
  /// Closing alone can leave the file locked for a moment: a child process that is being started also has the descriptor,
  /// until it executes its program.
  package static func releaseAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
