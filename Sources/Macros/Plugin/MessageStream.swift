import Foundation

/// Messages on a pair of files: the length in eight little-endian bytes, then JSON.
struct MessageStream {
  let input: FileHandle
  let output: FileHandle

  /// Waits for the next message; nil when the compiler has no more.
  func next() throws -> HostMessage? {
    guard let header = try read(count: 8) else { return nil }
    let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    // The compiler takes its leave with an empty message.
    guard count > 0, let payload = try read(count: count) else { return nil }
    return try JSONDecoder().decode(HostMessage.self, from: payload)
  }

  func send(_ message: PluginMessage) throws {
    let payload = try JSONEncoder().encode(message)
    var data = Data()
    for shift in stride(from: 0, to: 64, by: 8) {
      data.append(UInt8(truncatingIfNeeded: payload.count >> shift))
    }
    try output.write(contentsOf: data + payload)
  }

  private func read(count: Int) throws -> Data? {
    var data = Data()
    while data.count < count {
      guard let part = try input.read(upToCount: count - data.count), !part.isEmpty else {
        return nil
      }
      data.append(part)
    }
    return data
  }
}
