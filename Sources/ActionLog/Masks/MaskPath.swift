/// A pattern for paths: a JSON Pointer in which `*` matches one token and `**` any number of tokens.
///
/// ```swift
/// "/user/email"      // one path
/// "/users/*/email"   // the email of every user
/// "/**/password"     // every member with this name
/// ```
///
/// A mask covers the value at a path and all values inside it. A name `*` or `**` is written as `~2` or `~2~2`.
public struct MaskPath: Hashable, Sendable {
  /// One token of a pattern, which matches one token of a path or, for `**`, any number.
  enum Token: Hashable, Sendable {
    case name(String)
    case any
    case anyNumber
  }

  let tokens: [Token]
  /// The pattern as it was written.
  public let description: String

  /// Creates a pattern from a string.
  ///
  /// If the string doesn't start with `/`, a slash is added.
  public init(_ text: String) {
    // The string is split as bytes, because a slash and a combining mark would form one character.
    let slash = UInt8(ascii: "/")
    description = text.isEmpty || text.utf8.first == slash ? text : "/" + text
    let parts = description.utf8.split(separator: slash, omittingEmptySubsequences: false)
    tokens = parts.dropFirst().map { part -> Token in
      if part.elementsEqual("*".utf8) { return .any }
      if part.elementsEqual("**".utf8) { return .anyNumber }
      return .name(Self.unescaped(part))
    }
  }

  /// Creates the pattern that matches a path in all elements of the arrays on the path.
  package init(anyOf tokens: [String]) {
    self.init(tokens.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .any : .name($0) })
  }

  /// Creates the pattern that matches a path in all elements of the arrays on the path, below the fixed path `place`.
  package init(_ place: [String], anyOf tokens: [String]) {
    self.init(place.map { .name($0) } + MaskPath(anyOf: tokens).tokens)
  }

  /// Creates a pattern from its tokens.
  init(_ tokens: [Token]) {
    self.tokens = tokens
    description = tokens.map { token in
      switch token {
      case .name(let name): "/" + Self.escaped(name)
      case .any: "/*"
      case .anyNumber: "/**"
      }
    }.joined()
  }

  /// The characters that have a meaning in patterns.
  ///
  /// Each is written as `~` and its index in this array.
  private static let escapes = Array("~/*".utf8)

  /// Returns a name with the special characters of patterns escaped.
  static func escaped(_ name: String) -> String {
    let bytes = name.utf8.flatMap { byte -> [UInt8] in
      guard let digit = escapes.firstIndex(of: byte) else { return [byte] }
      return [UInt8(ascii: "~"), UInt8(ascii: "0") + UInt8(digit)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ part: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~"), let digit = rest.first,
        (UInt8(ascii: "0")...UInt8(ascii: "2")).contains(digit)
      {
        bytes.append(escapes[Int(digit - UInt8(ascii: "0"))])
        rest.removeFirst()
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MaskPath: CustomStringConvertible, ExpressibleByStringLiteral {
  /// Creates a pattern from a string literal.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The progress of comparing patterns with a path, token by token.
struct MaskPathMatcher: Sendable {
  private let paths: [MaskPath]
  /// For each partial match, the index of its pattern and the index of the pattern's next token.
  private var places: [(path: Int, next: Int)]

  /// Starts to match the patterns at the root of a value.
  init(_ paths: [MaskPath]) {
    self.paths = paths
    places = paths.indices.map { ($0, 0) }
    close()
  }

  /// Whether no pattern can match the current path or a path below it.
  var isEmpty: Bool { places.isEmpty }

  /// The indexes of the patterns that match the current path.
  var complete: [Int] {
    places.filter { $0.next == paths[$0.path].tokens.count }.map(\.path)
  }

  /// Whether a pattern names an element of the current array by index.
  ///
  /// After a move in the array, such a pattern names another element.
  var namesElements: Bool {
    places.contains { path, next in
      guard next < paths[path].tokens.count, case .name(let name) = paths[path].tokens[next] else {
        return false
      }
      return !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// Returns the matches after one more token of the path.
  ///
  /// - Parameters:
  ///   - token: The next token of the path.
  ///   - other: An alternative name for the token.
  /// - Returns: The partial matches of the patterns that accept the token.
  func descend(_ token: String, or other: String? = nil) -> MaskPathMatcher {
    stepping { name in
      name.hasSameBytes(as: token) || other.map { name.hasSameBytes(as: $0) } == true
    }
  }

  /// Returns the matches after one more token of the path, as if all patterns accepted the token.
  func stepAnywhere() -> MaskPathMatcher { stepping { _ in true } }

  private func stepping(_ isStep: (String) -> Bool) -> MaskPathMatcher {
    guard !places.isEmpty else { return self }
    var result = self
    result.places = places.compactMap { place in
      let tokens = paths[place.path].tokens
      guard place.next < tokens.count else { return nil }
      switch tokens[place.next] {
      case .name(let name): return isStep(name) ? (place.path, place.next + 1) : nil
      case .any: return (place.path, place.next + 1)
      case .anyNumber: return place
      }
    }
    result.close()
    return result
  }

  /// The patterns that remain to be matched below the current path.
  var rests: [MaskPath] { places.map { MaskPath(Array(paths[$0.path].tokens[$0.next...])) } }

  /// Whether both matches have the same patterns with the same next tokens.
  func isSame(as other: MaskPathMatcher) -> Bool {
    places.count == other.places.count
      && places.allSatisfy { place in other.places.contains { $0 == place } }
  }

  /// Adds the partial matches in which `**` matches no token.
  private mutating func close() {
    var index = 0
    while index < places.count {
      let (path, next) = places[index]
      let tokens = paths[path].tokens
      if next < tokens.count, tokens[next] == .anyNumber,
        !places.contains(where: { $0.path == path && $0.next == next + 1 })
      {
        places.append((path, next + 1))
      }
      index += 1
    }
  }
}

extension JSON {
  /// Whether the value contains a path that a pattern in `paths` matches.
  package func has(anyOf paths: [MaskPath]) -> Bool { has(MaskPathMatcher(paths)) }

  private func has(_ match: MaskPathMatcher) -> Bool {
    if match.isEmpty { return false }
    if !match.complete.isEmpty { return true }
    switch self {
    case .object(let object):
      if object.count == 1, let inner = object["$some"] { return inner.has(match) }
      return object.contains { $0.value.has(match.descend($0.key)) }
    case .array(let elements):
      return elements.enumerated().contains { $0.element.has(match.descend("\($0.offset)")) }
    default: return false
    }
  }
}
