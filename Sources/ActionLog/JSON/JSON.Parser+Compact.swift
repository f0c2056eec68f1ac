// Values that are known to be values when they have been passed over, as encoders write them: without blanks, and with no
// more escapes than there must be. Whatever looks different is read as a tree.
extension JSON.Parser {
  /// What a function passes over; `nil` where it says that it looks different.
  mutating func text(_ skip: (inout JSON.Parser) -> Bool) -> [UInt8]? {
    let start = position
    return skip(&self) ? Array(bytes[start..<position]) : nil
  }

  /// Passes over a value.
  mutating func skipCompactValue() -> Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return skipCompactString()
    case UInt8(ascii: "{"):
      return skipContainer(end: UInt8(ascii: "}")) { parser in
        parser.skipCompactString() && parser.take(UInt8(ascii: ":")) && parser.skipCompactValue()
      }
    case UInt8(ascii: "["):
      return skipContainer(end: UInt8(ascii: "]")) { $0.skipCompactValue() }
    case UInt8(ascii: "t"): return take("true")
    case UInt8(ascii: "f"): return take("false")
    case UInt8(ascii: "n"): return take("null")
    default: return skipCompactNumber()
    }
  }

  private mutating func skipContainer(
    end: UInt8,
    _ skip: (inout JSON.Parser) -> Bool
  ) -> Bool {
    depth += 1
    position += 1
    guard depth <= JSON.deepestNesting else { return false }
    if !take(end) {
      repeat { guard skip(&self) else { return false } } while take(UInt8(ascii: ","))
      guard take(end) else { return false }
    }
    depth -= 1
    return true
  }

  private mutating func skipCompactNumber() -> Bool {
    let start = position
    var isInteger = true
    while position < bytes.count, Self.isNumberByte(bytes[position]) {
      isInteger = isInteger && bytes[position] >= 0x30 && bytes[position] <= 0x39
      position += 1
    }
    guard !isInteger else {
      return position > start && (position == start + 1 || bytes[start] != UInt8(ascii: "0"))
    }
    return JSON.Number.isNumber(UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  private mutating func skipCompactString() -> Bool {
    guard take(UInt8(ascii: "\"")) else { return false }
    let start = position
    var bits: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        return bits < 0x80 || isUTF8(start..<(position - 1))
      }
      if byte == UInt8(ascii: "\\") {
        guard position < bytes.count, Self.isShortEscape(bytes[position]) else { return false }
        position += 1
      }
      guard byte >= 0x20 else { return false }
      bits |= byte
    }
    return false
  }

  /// Whether an escape is one of those that encoders write, other than of a control character by its number.
  private static func isShortEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
      true
    default: false
    }
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    String(validating: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self) != nil
  }
}

extension JSON.Parser {
  /// Passes over a patch.
  mutating func skipPatch() -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else { return false }
    return skipContainer(end: UInt8(ascii: "]")) { $0.skipOperation() }
  }

  private mutating func skipOperation() -> Bool {
    guard take(#"{"op":""#) else { return false }
    depth += 1
    defer { depth -= 1 }
    if take(#"replace","path":""#) || take(#"add","path":""#) {
      return skipPointer() && take(#","value":"#) && skipCompactValue() && take("}")
    }
    if take(#"remove","path":""#) { return skipPointer() && take("}") }
    return take(#"move","from":""#) && skipPointer() && take(#","path":""#) && skipPointer()
      && take("}")
  }

  /// Passes over a JSON Pointer whose opening quote has been taken.
  private mutating func skipPointer() -> Bool {
    let start = position
    var bits: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        let isPointer = position == start + 1 || bytes[start] == UInt8(ascii: "/")
        return isPointer && (bits < 0x80 || isUTF8(start..<(position - 1)))
      }
      if byte == UInt8(ascii: "~") {
        guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else {
          return false
        }
      }
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return false }
      bits |= byte
    }
    return false
  }
}
