import Foundation

/// The lock that shows other processes that an open file is in use.
package enum FileLock {
  /// Releases the lock of a file and closes its descriptor.
  ///
  /// Closing alone can leave the file locked for a moment. A child process that is being started also has the
  /// descriptor, until it executes its program.
  package static func releaseAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
