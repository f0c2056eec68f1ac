import ActionLog
import Foundation

/// Reads the messages of a client: one JSON value per line.
///
/// A line that is too long is skipped.
struct MessageLines {
  /// A line.
  enum ReceivedLine: Sendable {
    case message(ClientMessage)
    case tooLong
  }

  /// The maximum length of a line in bytes: far more than any request needs, but small enough for any machine.
  static let longest = 4 * 1024 * 1024

  private let handle: FileHandle
  private let longest: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  init(_ handle: FileHandle, longest: Int = Self.longest) {
    (self.handle, self.longest) = (handle, longest)
  }

  /// Returns the next line that is not blank; `nil` at the end of the stream.
  mutating func next() -> ReceivedLine? {
    while let line = nextLine() {
      guard let bytes = line else { return .tooLong }
      guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
      do throws(JSON.ParseError) {
        return .message(ClientMessage(try JSON(parsing: bytes)))
      } catch {
        return .message(.refused(nil, .notJSON(error)))
      }
    }
    return nil
  }

  /// Returns the next line.
  ///
  /// The outer value is `nil` at the end, and the inner value is `nil` for a line that is too long.
  private mutating func nextLine() -> ArraySlice<UInt8>?? {
    var scanned = position
    var isTooLong = false
    while true {
      if let feed = buffer[scanned...].firstIndex(of: 0x0A) {
        let line = buffer[position..<feed]
        position = feed + 1
        return .some(isTooLong || line.count > longest ? nil : line)
      }
      if buffer.count - position > longest {
        isTooLong = true
        position = buffer.count
      }
      let rest = buffer.count - position
      guard !isAtEnd, fill() else {
        isAtEnd = true
        // A message without a line feed was cut off or is the last one.
        let line = buffer[position...]
        position = buffer.count
        guard isTooLong || !line.isEmpty else { return nil }
        return .some(isTooLong ? nil : line)
      }
      // The scanned bytes contain no line feed.
      scanned = position + rest
    }
  }

  /// Reads more bytes.
  ///
  /// - Returns: `false` at the end of the stream, or if it cannot be read.
  private mutating func fill() -> Bool {
    if position > 0 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    let descriptor = handle.fileDescriptor
    while true {
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { memory, count in
        let result = read(descriptor, memory.baseAddress, 64 * 1024)
        count = max(result, 0)
        if result < 0 { code = errno }
      }
      if code == EINTR { continue }
      buffer += part
      return !part.isEmpty
    }
  }
}
