// Values that are known to be values when they have been passed over, as encoders write them: without blanks, and with no
// more escapes than there must be. Whatever looks different is read as a tree.
extension JSON.Parser {
  /// What a function passes over; `nil` where it says that it looks different.
  mutating func text(_ skip: (inout JSON.Parser) -> Bool) -> [UInt8]? {
    let start = position
    return skip(&self) ? Array(UnsafeBufferPointer(rebasing: bytes[start..<position])) : nil
  }

  /// Passes over a value.
  mutating func skipCompactValue() -> Bool {
    isCompact = true
    defer { isCompact = false }
    return skipValue()
  }
}

extension JSON.Parser {
  /// Passes over a patch.
  mutating func skipPatch() -> Bool {
    skipCompactArray { $0.skipOperation() }
  }

  /// Passes over an array without blanks, whose elements a function passes over.
  mutating func skipCompactArray(_ skipElement: (inout JSON.Parser) -> Bool) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "["), descend() else {
      return false
    }
    if !take(UInt8(ascii: "]")) {
      repeat { guard skipElement(&self) else { return false } } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { return false }
    }
    depth -= 1
    return true
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
    let isASCII = passPlainBytes()
    guard take(UInt8(ascii: "\"")) else { return false }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
    guard text.isEmpty || text[0] == UInt8(ascii: "/") else { return false }
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "~") {
      guard index + 1 < text.count, text[index + 1] == 0x30 || text[index + 1] == 0x31 else {
        return false
      }
    }
    return isASCII || String(validating: text, as: UTF8.self) != nil
  }
}
