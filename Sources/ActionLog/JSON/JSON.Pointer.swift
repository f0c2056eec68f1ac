extension JSON {
  /// A JSON Pointer (RFC 6901), which is a path into a value.
  ///
  /// ```swift
  /// let pointer = try JSON.Pointer(parsing: "/todos/0/a~1b")
  /// pointer.tokens       // ["todos", "0", "a/b"]
  /// pointer.description  // /todos/0/a~1b
  /// ```
  public struct Pointer: Hashable, Sendable, CustomStringConvertible {
    /// The reference tokens without escapes.
    ///
    /// An empty array refers to the root value.
    public var tokens: [String]

    /// Creates a pointer from tokens without escapes.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Parses a pointer, which is an empty string or a sequence of tokens that each start with `/`.
    ///
    /// - Throws: A `JSON.Pointer.SyntaxError` with the rule that `text` violates.
    public init(parsing text: String) throws(SyntaxError) {
      var bytes = text
      switch bytes.withUTF8({ Self.tokens(of: $0) }) {
      case .success(let tokens): self.tokens = tokens
      case .failure(let problem): throw SyntaxError(text: text, problem: problem.rule)
      }
    }

    /// The pointer in its string form, with escaped tokens.
    public var description: String {
      tokens.map { "/" + Self.escape($0) }.joined()
    }

    /// Returns the pointer to a member or element inside the value to which this pointer refers.
    public func appending(_ token: String) -> Pointer { Pointer(tokens + [token]) }
  }
}

extension JSON.Pointer {
  /// An error for a string that is not a JSON Pointer.
  ///
  /// ```swift
  /// do { _ = try JSON.Pointer(parsing: "todos/0") } catch { print(error) }
  /// // 'todos/0' is not a JSON Pointer (RFC 6901): it begins with '/' or is empty
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string that is not a pointer.
    public let text: String
    /// The rule of RFC 6901 that `text` violates.
    let problem: String
    /// The invalid string and the violated rule, as text for people.
    public var description: String {
      "'\(text)' is not a JSON Pointer (RFC 6901): \(problem)"
    }
  }

  /// Returns a token with `~` escaped as `~0` and `/` as `~1` (RFC 6901, section 3).
  static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
    else { return token }
    var bytes: [UInt8] = []
    for byte in token.utf8 {
      switch byte {
      case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
      case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The rule of RFC 6901 that a string violates.
  struct BrokenRule: Error {
    let rule: String
  }

  static func tokens(of text: UnsafeBufferPointer<UInt8>) -> Result<[String], BrokenRule> {
    guard !text.isEmpty else { return .success([]) }
    guard text[0] == UInt8(ascii: "/") else {
      return .failure(BrokenRule(rule: "it begins with '/' or is empty"))
    }
    var tokens: [String] = []
    tokens.reserveCapacity(4)
    var start = 1
    while start <= text.count {
      var end = start
      var isEscaped = false
      while end < text.count, text[end] != UInt8(ascii: "/") {
        isEscaped = isEscaped || text[end] == UInt8(ascii: "~")
        end += 1
      }
      let part = UnsafeBufferPointer(rebasing: text[start..<end])
      if !isEscaped {
        tokens.append(String(decoding: part, as: UTF8.self))
      } else if let token = unescape(part) {
        tokens.append(token)
      } else {
        return .failure(BrokenRule(rule: "'~' is followed by '0' or '1'"))
      }
      guard tokens.count <= JSON.deepestNesting else {
        return .failure(BrokenRule(rule: "more than \(JSON.deepestNesting) levels lead nowhere"))
      }
      start = end + 1
    }
    return .success(tokens)
  }

  private static func unescape(_ part: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var iterator = part.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch iterator.next() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the array index that a token denotes.
  ///
  /// Returns `nil` unless the token consists of digits without a leading zero (RFC 6901, section 4).
  package static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return Int(token)
  }
}

extension JSON {
  /// The value to which a pointer refers, or `nil` if there is none.
  public subscript(pointer: Pointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Pointer.index(token), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}

extension JSON {
  /// Returns a copy in which `value` replaces the value at an existing path.
  package func replacing(_ place: Pointer, with value: JSON) -> JSON {
    guard let token = place.tokens.first else { return value }
    let rest = Pointer(Array(place.tokens.dropFirst()))
    switch self {
    case .object(var object):
      guard let inner = object[token] else { return self }
      object[token] = inner.replacing(rest, with: value)
      return .object(object)
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(rest, with: value)
      return .array(elements)
    default: return self
    }
  }
}
