extension JSON {
  /// Sets, inserts, or removes a value in place, by the text of its pointer.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove the existing one.
  ///   - path: The text of a pointer without escapes.
  ///   - isNew: Whether to insert the value into an array, or to add a member that an object lacks. If `false`, the
  ///     value must replace an existing one.
  /// - Returns: `false` if the path doesn't exist or only `JSON.Patch` can apply the change. The value is then
  ///   unchanged.
  mutating func setValue(
    _ value: JSON?,
    at path: UnsafeBufferPointer<UInt8>,
    isNew: Bool
  ) -> Bool {
    guard !path.isEmpty else { return false }
    var end = 1
    while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
    let token = UnsafeBufferPointer(rebasing: path[1..<end])
    let rest = UnsafeBufferPointer(rebasing: path[end...])
    // Moves the object out of `self`, so that it has one owner and is changed without a copy. A `switch` would keep a
    // second reference until its end.
    if case .object(var object) = self {
      self = .null
      defer { self = .object(object) }
      return object.setValue(value, at: token, rest, isNew: isNew)
    }
    if case .array(var elements) = self {
      self = .null
      defer { self = .array(elements) }
      guard let index = Pointer.index(token), index < elements.count + (isNew ? 1 : 0) else {
        return false
      }
      guard rest.isEmpty else {
        return index < elements.count && elements[index].setValue(value, at: rest, isNew: isNew)
      }
      switch (value, isNew) {
      case (let value?, true): elements.insert(value, at: index)
      case (let value?, false): elements[index] = value
      case (nil, _): elements.remove(at: index)
      }
      return true
    }
    return false
  }

  /// The value at a pointer, given as text without escapes, or `nil` if there is none.
  package subscript(text path: UnsafeBufferPointer<UInt8>) -> JSON? {
    guard !path.isEmpty else { return self }
    var end = 1
    while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
    let token = UnsafeBufferPointer(rebasing: path[1..<end])
    let rest = UnsafeBufferPointer(rebasing: path[end...])
    switch self {
    case .object(let object):
      return object.slot(of: token).flatMap { object.value(in: $0)[text: rest] }
    case .array(let elements):
      guard let index = Pointer.index(token), index < elements.count else { return nil }
      return elements[index][text: rest]
    default: return nil
    }
  }
}

extension JSON.Object {
  fileprivate mutating func setValue(
    _ value: JSON?,
    at token: UnsafeBufferPointer<UInt8>,
    _ rest: UnsafeBufferPointer<UInt8>,
    isNew: Bool
  ) -> Bool {
    guard let slot = slot(of: token) else {
      guard isNew, rest.isEmpty else { return false }
      self[String(decoding: token, as: UTF8.self)] = value
      return true
    }
    guard rest.isEmpty else {
      return modify(in: slot) { $0.setValue(value, at: rest, isNew: isNew) }
    }
    if let value {
      modify(in: slot) { $0 = value }
    } else {
      self[String(decoding: token, as: UTF8.self)] = nil
    }
    return true
  }
}

extension JSON.Pointer {
  /// Returns the array index that a token denotes, or `nil` if the token is invalid or has at least 18 digits.
  static func index(_ token: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = token.first, token.count < 18, first != 0x30 || token.count == 1 else {
      return nil
    }
    var index = 0
    for byte in token {
      guard byte &- 0x30 < 10 else { return nil }
      index = index * 10 + Int(byte &- 0x30)
    }
    return index
  }
}

extension JSON.Parser {
  /// Consumes the text of `json` in the encoder's layout.
  ///
  /// - Returns: `false` if the text at the position differs.
  mutating func consume(written json: JSON) -> Bool {
    switch json {
    case .null: return consume("null")
    case .bool(let value): return value ? consume("true") : consume("false")
    case .number(let number):
      return consume(bytesOf: number.literal)
        && (position == bytes.count || !Self.isNumberByte(bytes[position]))
    case .string(let text): return consume(string: text)
    case .array(let elements):
      guard consume(UInt8(ascii: "[")) else { return false }
      for index in elements.indices {
        if index > 0, !consume(UInt8(ascii: ",")) { return false }
        guard consume(written: elements[index]) else { return false }
      }
      return consume(UInt8(ascii: "]"))
    case .object(let object):
      guard consume(UInt8(ascii: "{")) else { return false }
      let (names, values) = (object.keys, object.values)
      for index in names.indices {
        if index > 0, !consume(UInt8(ascii: ",")) { return false }
        guard consume(string: names[index]), consume(UInt8(ascii: ":")),
          consume(written: values[index])
        else { return false }
      }
      return consume(UInt8(ascii: "}"))
    }
  }

  private mutating func consume(bytesOf text: String) -> Bool {
    let count = text.utf8.count
    guard bytes.count - position >= count else { return false }
    guard text.hasBytes(UnsafeBufferPointer(rebasing: bytes[position..<position + count])) else {
      return false
    }
    position += count
    return true
  }

  private mutating func consume(string text: String) -> Bool {
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

extension JSONText {
  /// Whether these bytes are the text of `json` in the encoder's layout.
  ///
  /// Even if the result is `false`, the bytes can be another text for an equal value.
  package func isText(of json: JSON) -> Bool {
    if isValue { return false }
    return withBytes { text in
      var parser = JSON.Parser(bytes: text)
      return parser.consume(written: json) && parser.position == text.count
    }
  }
}
