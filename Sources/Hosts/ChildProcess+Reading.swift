import Foundation

extension ChildProcess {
  /// Reads what the process writes to its pipes until both are at their ends, and closes them.
  package func readToEnd() -> (output: [UInt8], error: [UInt8]) {
    var streams: [(descriptor: Int32, bytes: [UInt8])] = [(output ?? -1, []), (error ?? -1, [])]
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while streams.contains(where: { $0.descriptor >= 0 }) {
      // A negative descriptor is passed over.
      var entries = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      for index in streams.indices where entries[index].revents != 0 {
        let count = read(streams[index].descriptor, &buffer, buffer.count)
        if count > 0 {
          streams[index].bytes += buffer[..<count]
        } else if count == 0 || errno != EINTR {
          close(streams[index].descriptor)
          streams[index].descriptor = -1
        }
      }
    }
    return (streams[0].bytes, streams[1].bytes)
  }
}
