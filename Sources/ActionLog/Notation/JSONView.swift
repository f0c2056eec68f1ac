/// A read-only view of a JSON value, which is either a parsed value or valid text that is read in place.
struct JSONView {
  private enum Storage {
    case value(JSON)
    /// The text of the value without surrounding whitespace.
    case text(UnsafeBufferPointer<UInt8>)
  }

  enum Kind {
    case null
    case bool(Bool)
    case number, string, array, object
  }

  private let storage: Storage

  init(_ value: JSON) { storage = .value(value) }

  /// Creates a view of JSON text.
  ///
  /// - Parameter text: Valid JSON, which must stay in memory while the view is used.
  init(_ text: UnsafeBufferPointer<UInt8>) { storage = .text(text) }

  var kind: Kind {
    switch storage {
    case .value(.null): return .null
    case .value(.bool(let value)): return .bool(value)
    case .value(.number): return .number
    case .value(.string): return .string
    case .value(.array): return .array
    case .value(.object): return .object
    case .text(let text):
      switch text.first {
      case UInt8(ascii: "n"): return .null
      case UInt8(ascii: "t"): return .bool(true)
      case UInt8(ascii: "f"): return .bool(false)
      case UInt8(ascii: "\""): return .string
      case UInt8(ascii: "["): return .array
      case UInt8(ascii: "{"): return .object
      default: return .number
      }
    }
  }

  /// The parsed value.
  ///
  /// Parses the complete text, so use it only for small values.
  var json: JSON {
    switch storage {
    case .value(let value): value
    case .text(let text): (try? JSON(parsing: text)) ?? .null
    }
  }

  /// The literal of a number, spelled as in the log.
  var literal: String {
    switch storage {
    case .value(let value): value.number?.literal ?? ""
    case .text(let text): String(decoding: text, as: UTF8.self)
    }
  }

  /// The content of a string in JSON text, if it consists of visible ASCII characters without escapes.
  ///
  /// Such content can be copied unchanged. `nil` for other strings, and if the view has a parsed value. Values of other
  /// kinds are not supported.
  var visibleASCII: UnsafeBufferPointer<UInt8>? {
    guard case .text(let text) = storage, text.count >= 2 else { return nil }
    let inside = UnsafeBufferPointer(rebasing: text[1..<(text.count - 1)])
    let plain = inside.plainBytes(from: 0)
    guard plain.end == inside.count, plain.isASCII, !inside.contains(0x7F) else { return nil }
    return inside
  }

  /// Returns the string, or `nil` if the value is not a string or is too long.
  ///
  /// A parsed string is too long if it has more than `bytes` UTF-8 bytes. In JSON text, a string can be up to six times
  /// as long, because its escapes are not counted.
  func string(upTo bytes: Int) -> String? {
    guard case .string = kind else { return nil }
    switch storage {
    case .value(let value): return value.string.flatMap { $0.utf8.count <= bytes ? $0 : nil }
    // An escape takes up to six times as many bytes as its scalar.
    case .text(let text): return text.count <= 6 * bytes + 2 ? json.string : nil
    }
  }
}

// MARK: - Members and elements

extension JSONView {
  /// The name of a member, from a parsed object or from text.
  struct MemberName {
    fileprivate enum Storage {
      case string(String)
      /// The bytes between the quotes, including escapes.
      case text(UnsafeBufferPointer<UInt8>)
    }

    fileprivate let storage: Storage

    /// Whether the name equals `other`, which must not need escapes.
    func `is`(_ other: StaticString) -> Bool {
      let bytes = UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount)
      return switch storage {
      case .string(let string): string.hasBytes(bytes)
      case .text(let text): text.hasSameBytes(as: bytes)
      }
    }

    var string: String {
      switch storage {
      case .string(let string): return string
      case .text(let text):
        guard text.contains(UInt8(ascii: "\\")) else {
          return String(decoding: text, as: UTF8.self)
        }
        let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        return (try? JSON(parsing: quoted))?.string ?? ""
      }
    }

    /// The bytes of the name if it is an ASCII identifier in JSON text, which can be copied unchanged.
    ///
    /// `nil` for other names, and for the names in a parsed object.
    var identifier: UnsafeBufferPointer<UInt8>? {
      guard case .text(let text) = storage, text.isIdentifier else { return nil }
      return text
    }

    /// The position of an associated value without a label, such as 3 for the name `_3`.
    var place: Int? {
      switch storage {
      case .string(let string):
        var string = string
        return string.withUTF8 { Self.tuplePosition($0) }
      case .text(let text): return Self.tuplePosition(text)
      }
    }

    private static func tuplePosition(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
      guard text.count > 1, text.count < 5, text[0] == UInt8(ascii: "_") else { return nil }
      return JSON.Pointer.index(UnsafeBufferPointer(rebasing: text[1...]))
    }
  }

  /// An iterator over the members of an object, in order.
  struct Members: IteratorProtocol {
    fileprivate var object: (keys: [String], values: [JSON])?
    fileprivate var cursor: JSONTextCursor?
    private var index = 0

    fileprivate init(_ view: JSONView) {
      switch view.storage {
      case .value(.object(let value)): object = (value.keys, value.values)
      case .value: break
      case .text(let text): cursor = JSONTextCursor(inside: text)
      }
    }

    mutating func next() -> (name: MemberName, value: JSONView)? {
      if let object {
        guard index < object.keys.count else { return nil }
        defer { index += 1 }
        return (MemberName(storage: .string(object.keys[index])), JSONView(object.values[index]))
      }
      guard let name = cursor?.nextName(), let value = cursor?.nextValue() else { return nil }
      return (MemberName(storage: .text(name)), JSONView(value))
    }
  }

  /// An iterator over the elements of an array, in order.
  struct Elements: IteratorProtocol {
    private var values: [JSON]?
    private var cursor: JSONTextCursor?
    private var index = 0

    fileprivate init(_ view: JSONView) {
      switch view.storage {
      case .value(let value): values = value.array ?? []
      case .text(let text): cursor = JSONTextCursor(inside: text)
      }
    }

    mutating func next() -> JSONView? {
      if let values {
        guard index < values.count else { return nil }
        defer { index += 1 }
        return JSONView(values[index])
      }
      return cursor?.nextValue().map { JSONView($0) }
    }
  }

  var members: Members { Members(self) }

  var elements: Elements { Elements(self) }

  /// The object's only member, or `nil` if the value isn't an object with exactly one member.
  var onlyMember: (name: MemberName, value: JSONView)? {
    guard case .object = kind else { return nil }
    if case .value(.object(let object)) = storage, object.count != 1 { return nil }
    var members = members
    guard let first = members.next(), members.next() == nil else { return nil }
    return first
  }

  /// Returns the value of the object's only member, or `nil` unless the object has exactly one member with this name.
  func only(_ name: StaticString) -> JSONView? {
    guard let member = onlyMember, member.name.is(name) else { return nil }
    return member.value
  }

  /// Returns the values of an object's two members, or `nil` unless it has exactly these members in this order.
  func both(_ first: StaticString, _ second: StaticString) -> (JSONView, JSONView)? {
    guard case .object = kind else { return nil }
    var members = members
    guard let one = members.next(), one.name.is(first), let two = members.next(),
      two.name.is(second), members.next() == nil
    else { return nil }
    return (one.value, two.value)
  }

  /// The value of a member, or `nil` if this value is not an object with such a member.
  subscript(name: StaticString) -> JSONView? {
    guard case .object = kind else { return nil }
    var members = members
    while let member = members.next() { if member.name.is(name) { return member.value } }
    return nil
  }

  var isEmptyObject: Bool {
    guard case .object = kind else { return false }
    var members = members
    return members.next() == nil
  }
}

/// A cursor over the members or elements of a container in valid JSON text.
private struct JSONTextCursor {
  private var parser: JSON.Parser

  /// Creates a cursor before the first member or element.
  ///
  /// - Parameter text: The container, including its brackets.
  init(inside text: UnsafeBufferPointer<UInt8>) {
    parser = JSON.Parser(bytes: text)
    parser.position = 1
  }

  /// Returns the name of the next member without quotes, or `nil` at the end.
  mutating func nextName() -> UnsafeBufferPointer<UInt8>? {
    guard let name = nextValue() else { return nil }
    parser.skipSpace()
    _ = parser.consume(UInt8(ascii: ":"))
    return UnsafeBufferPointer(rebasing: name.dropFirst().dropLast())
  }

  /// Returns the next value, or `nil` at the end.
  mutating func nextValue() -> UnsafeBufferPointer<UInt8>? {
    parser.skipSpace()
    _ = parser.consume(UInt8(ascii: ","))
    return parser.skippedValue()
  }
}

// MARK: - The ends of long strings

extension JSONView {
  /// The content of a string: complete for a short string, and both ends of a long one.
  enum StringExcerpt {
    case whole(String)
    /// The start and end of the string, and the size of the complete string in UTF-8 bytes.
    ///
    /// In a parsed string, each end has the requested number of Unicode scalars. In JSON text, the length of an end
    /// depends on its escapes.
    case ends(String, String, bytes: Int)
  }

  /// Returns the content of a string, or only its ends if the string is long.
  ///
  /// Only the ends of a long string are decoded.
  ///
  /// - Parameter scalars: The number of Unicode scalars that the caller needs from each end. A string is long if it has
  ///   more than `8 * scalars + 64` bytes.
  /// - Returns: The complete string, or both ends.
  func text(scalars: Int) -> StringExcerpt {
    let long = scalars < 1 << 20 ? 8 * scalars + 64 : .max
    switch storage {
    case .value(let value):
      let string = value.string ?? ""
      guard string.utf8.count > long else { return .whole(string) }
      let head = String(string.unicodeScalars.prefix(scalars))
      let tail = String(string.unicodeScalars.suffix(scalars))
      return .ends(head, tail, bytes: string.utf8.count)
    case .text(let text):
      guard text.count > long else { return .whole(json.string ?? "") }
      return Self.ends(UnsafeBufferPointer(rebasing: text[1..<(text.count - 1)]), long / 2)
    }
  }

  private static func ends(_ text: UnsafeBufferPointer<UInt8>, _ length: Int) -> StringExcerpt {
    var position = 0
    var bytes = 0
    var (head, tail) = (text.count, text.count)
    while position < text.count {
      // Splits only between scalars. Half of a surrogate pair is not a scalar.
      if text[position] & 0xC0 != 0x80, !isLowSurrogate(text, position) {
        if head == text.count, position >= length { head = position }
        if tail == text.count, position >= text.count - length { tail = position }
      }
      guard text[position] == UInt8(ascii: "\\") else {
        position += 1
        bytes += 1
        continue
      }
      guard position + 5 < text.count, text[position + 1] == UInt8(ascii: "u") else {
        position += 2
        bytes += 1
        continue
      }
      let value =
        Int(String(decoding: text[(position + 2)..<(position + 6)], as: UTF8.self), radix: 16) ?? 0
      // A surrogate pair has four bytes in UTF-8, so each half counts as two.
      bytes += value < 0x80 ? 1 : value < 0x800 || (0xD800..<0xE000).contains(value) ? 2 : 3
      position += 6
    }
    func decoded(_ part: Range<Int>) -> String {
      MemberName(storage: .text(UnsafeBufferPointer(rebasing: text[part]))).string
    }
    return .ends(decoded(0..<head), decoded(tail..<text.count), bytes: bytes)
  }

  private static func isLowSurrogate(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
    guard position + 3 < text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u"), text[position + 2] | 0x20 == UInt8(ascii: "d")
    else { return false }
    return (0x63...0x66).contains(text[position + 3] | 0x20)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are an ASCII identifier.
  var isIdentifier: Bool {
    guard let first, first == UInt8(ascii: "_") || (0x61...0x7A).contains(first | 0x20) else {
      return false
    }
    return allSatisfy { byte in
      byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
        || (0x30...0x39).contains(byte)
    }
  }
}
