import Foundation

/// The standard streams of this process, which a caller may have closed (`tca-replay show log >&-`).
package enum StandardStreams {
  /// Takes the place of closed ones, so that nothing that is opened later gets their number and what was meant for them.
  ///
  /// They still refuse to be read and written.
  package static func fillPlaces() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The system gives the lowest number that is free, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
