extension JSON.Parser {
  /// Passes over a value that is written as recorders write this one; `false` when it is not, or differs.
  mutating func take(written json: JSON) -> Bool {
    switch json {
    case .null: return take("null")
    case .bool(let value): return value ? take("true") : take("false")
    case .number(let number):
      return take(bytesOf: number.literal)
        && (position == bytes.count || !Self.isNumberByte(bytes[position]))
    case .string(let text): return take(string: text)
    case .array(let elements):
      guard take(UInt8(ascii: "[")) else { return false }
      for index in elements.indices {
        if index > 0, !take(UInt8(ascii: ",")) { return false }
        guard take(written: elements[index]) else { return false }
      }
      return take(UInt8(ascii: "]"))
    case .object(let object):
      guard take(UInt8(ascii: "{")) else { return false }
      for index in object.keys.indices {
        if index > 0, !take(UInt8(ascii: ",")) { return false }
        guard take(string: object.keys[index]), take(UInt8(ascii: ":")),
          take(written: object.values[index])
        else { return false }
      }
      return take(UInt8(ascii: "}"))
    }
  }

  private mutating func take(bytesOf text: String) -> Bool {
    let count = text.utf8.count
    guard bytes.count - position >= count else { return false }
    guard text.hasBytes(UnsafeBufferPointer(rebasing: bytes[position..<position + count])) else {
      return false
    }
    position += count
    return true
  }

  private mutating func take(string text: String) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
    let start = position
    position += 1
    _ = passPlainBytes()
    guard position < bytes.count else { return false }
    if bytes[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      return text.hasBytes(UnsafeBufferPointer(rebasing: bytes[start + 1..<position]))
    }
    position = start
    return (try? string()).map { $0.hasSameBytes(as: text) } ?? false
  }
}

extension JSON {
  /// Whether a text is this value as recorders write it; `false` says nothing of the values.
  package func isWritten(as text: UnsafeBufferPointer<UInt8>) -> Bool {
    var parser = Parser(bytes: text)
    return parser.take(written: self) && parser.position == text.count
  }
}

extension JSON {
  /// The name of the only member of an object that is written as recorders write; `nil` for anything else.
  package static func onlyName(in text: UnsafeBufferPointer<UInt8>) -> String? {
    var parser = Parser(bytes: text)
    guard parser.take(#"{""#), let name = parser.plainText(), parser.take(":"),
      parser.skipValue(), parser.take("}"), parser.position == text.count
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}
