import ActionLog
import Foundation
import ReplayCommands

/// Reads the messages of a client.
///
/// A message consists of a header with the length of the JSON in bytes, an empty line, and the JSON.
///
/// ```
/// Content-Length: 45\r\n
/// \r\n
/// {"seq":1,"type":"request","command":"threads"}
/// ```
struct MessageReader {
  /// A message from a client.
  enum Message: Equatable {
    case json(JSON)
    /// Bytes that are not JSON.
    ///
    /// Reading continues with the next message.
    case malformed(JSON.ParseError)
  }

  /// An error after which the boundaries of messages are unknown, so that reading stops.
  enum FramingError: Error, Equatable {
    /// A header line without a colon, or with a length that is not a number.
    case badHeader(String)
    /// A header without a length.
    case noLength
    /// A header that exceeds the maximum length.
    case longHeader
    case longMessage(Int)
    /// The stream ended in the middle of a message.
    case truncated(expected: Int, found: Int)
    case system(Int32)
  }

  /// The maximum length of a header in bytes.
  ///
  /// A usual header has one or two lines.
  static let longestHeader = 4096
  /// The maximum length of a message in bytes.
  ///
  /// The limit is far above the length of any request, and small enough for the memory.
  static let longestMessage = 16 * 1024 * 1024

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ handle: FileHandle) { self.handle = handle }

  /// Returns the next message, or `nil` if the stream ends after a complete message.
  ///
  /// - Throws: `FramingError`.
  mutating func next() throws(FramingError) -> Message? {
    guard let length = try length() else { return nil }
    while buffer.count - position < length {
      guard try fill() else {
        throw .truncated(expected: length, found: buffer.count - position)
      }
    }
    let bytes = buffer[position..<(position + length)]
    position += length
    do throws(JSON.ParseError) { return .json(try JSON(parsing: bytes)) } catch {
      return .malformed(error)
    }
  }

  /// Reads a header.
  ///
  /// - Returns: The number of bytes in the message, or `nil` at the end of the stream.
  private mutating func length() throws(FramingError) -> Int? {
    var length: Int?
    var size = 0
    while let line = try line(&size) {
      guard !line.isEmpty else {
        guard let length else { throw .noLength }
        return length
      }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .badHeader(line) }
      // Other fields, such as the content type, are ignored.
      guard parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].trimmingCharacters(in: .whitespaces)
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
        throw .badHeader(line)
      }
      guard number <= Self.longestMessage else { throw .longMessage(number) }
      length = number
    }
    return nil
  }

  /// Reads a header line and adds its length to `size`, or returns `nil` at the end of the stream.
  private mutating func line(_ size: inout Int) throws(FramingError) -> String? {
    let start = size
    while true {
      let rest = buffer[position...]
      if let feed = rest.prefix(Self.longestHeader - size).firstIndex(of: 0x0A) {
        var line = rest[..<feed]
        size += line.count + 1
        position = feed + 1
        if line.last == 0x0D { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
      }
      guard rest.count < Self.longestHeader - size else { throw .longHeader }
      guard try fill() else {
        guard rest.isEmpty, start == 0 else {
          throw .badHeader(String(decoding: rest, as: UTF8.self))
        }
        return nil
      }
    }
  }

  /// Reads more bytes, or returns `false` at the end of the stream.
  private mutating func fill() throws(FramingError) -> Bool {
    if position > 0 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    let (count, code) = buffer.append(from: handle.fileDescriptor, upTo: 64 * 1024)
    guard code == 0 else { throw .system(code) }
    return count > 0
  }
}

extension [UInt8] {
  /// Appends the bytes that a single system call reads.
  ///
  /// - Returns: The number of bytes, which is 0 at the end of the stream, and the `errno` value, which is 0 on success.
  fileprivate mutating func append(
    from descriptor: Int32,
    upTo limit: Int
  ) -> (count: Int, code: Int32) {
    while true {
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
        let result = read(descriptor, memory.baseAddress, limit)
        count = Swift.max(result, 0)
        if result < 0 { code = errno }
      }
      if code == EINTR { continue }
      self += part
      return (part.count, code)
    }
  }
}
