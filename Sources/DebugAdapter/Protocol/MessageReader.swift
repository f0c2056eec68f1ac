import ActionLog
import Foundation
import ReplayCommands

/// Reads the messages of a client: each has a header with its length, an empty line, and so many bytes of JSON.
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
    /// Bytes that are not JSON; the next message can still be read.
    case malformed(JSON.ParseError)
  }

  /// The end of a stream whose messages cannot be told apart any more.
  enum FramingError: Error, Equatable {
    /// A header line without a colon, or with a length that is no number.
    case badHeader(String)
    /// A header of another message than the ones that the protocol has.
    case noLength
    /// The header does not end where it should.
    case longHeader
    case longMessage(Int)
    /// The stream ended within a message.
    case truncated(expected: Int, found: Int)
    case system(Int32)
  }

  /// Bytes: headers have one line or two.
  static let longestHeader = 4096
  /// Bytes: far more than any request has, far less than would harm the machine.
  static let longestMessage = 16 * 1024 * 1024

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ handle: FileHandle) { self.handle = handle }

  /// The next message; `nil` when the stream ends after a whole one.
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
  /// - Returns: The number of bytes of the message; `nil` at the end of the stream.
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
      // Other fields, such as a content type, say nothing that matters.
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

  /// Reads a line of a header, whose size so far is given; `nil` at the end of the stream.
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

  /// Reads more bytes; `false` at the end of the stream.
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
  /// Reads once.
  ///
  /// - Returns: The number of bytes, 0 at the end of the stream, and the system's error number, 0 for success.
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
