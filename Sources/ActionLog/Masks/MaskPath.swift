/// A pattern of paths: a JSON Pointer in which `*` matches one token and `**` any number of tokens.
///
/// ```swift
/// "/user/email"      // one path
/// "/users/*/email"   // the email of every user
/// "/**/password"     // every member with this name
/// ```
///
/// A mask covers the value at a path and everything inside it. A name `*` or `**` is written as `~2` or `~2~2`.
public struct MaskPath: Hashable, Sendable {
  /// One step of a pattern.
  enum Token: Hashable, Sendable {
    case name(String)
    case any
    case anyNumber
  }

  let tokens: [Token]
  /// The pattern as it was written.
  public let description: String

  /// Creates a pattern from text.
  ///
  /// A missing `/` at the start is added.
  public init(_ text: String) {
    // Splits bytes, because a slash and a combining mark would form one character.
    let slash = UInt8(ascii: "/")
    description = text.isEmpty || text.utf8.first == slash ? text : "/" + text
    let parts = description.utf8.split(separator: slash, omittingEmptySubsequences: false)
    tokens = parts.dropFirst().map { part -> Token in
      if part.elementsEqual("*".utf8) { return .any }
      if part.elementsEqual("**".utf8) { return .anyNumber }
      return .name(Self.unescaped(part))
    }
  }

  /// Creates the pattern of a path in all elements of the arrays on the path.
  package init(anyOf tokens: [String]) {
    self.init(tokens.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .any : .name($0) })
  }

  /// Creates the pattern of a path in all elements of the arrays on the path, below a fixed path.
  package init(_ place: [String], anyOf tokens: [String]) {
    self.init(place.map { .name($0) } + MaskPath(anyOf: tokens).tokens)
  }

  /// Creates a pattern from its steps.
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

  /// The characters with a meaning in patterns.
  ///
  /// Each is written as `~` and its index.
  private static let escapes = Array("~/*".utf8)

  /// Returns a name, escaped for a pattern.
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
  /// Creates a pattern from text.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The state of matching patterns along a path.
struct MaskMatch: Sendable {
  private let paths: [MaskPath]
  /// The current positions: the pattern and the index of its next token.
  private var places: [(path: Int, next: Int)]

  /// Starts matching at the root of a value.
  init(_ paths: [MaskPath]) {
    self.paths = paths
    places = paths.indices.map { ($0, 0) }
    close()
  }

  /// Whether no pattern can match here or below.
  var isEmpty: Bool { places.isEmpty }

  /// The indexes of the patterns that match the current path.
  var complete: [Int] {
    places.filter { $0.next == paths[$0.path].tokens.count }.map(\.path)
  }

  /// Whether a pattern names an element of this array by index, so that it names another element after a move.
  var namesElements: Bool {
    places.contains { path, next in
      guard next < paths[path].tokens.count, case .name(let name) = paths[path].tokens[next] else {
        return false
      }
      return !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// Returns the matches after one step.
  ///
  /// - Parameters:
  ///   - token: The step.
  ///   - other: An alternative name of the step.
  /// - Returns: The positions of the patterns that match the step.
  func descend(_ token: String, or other: String? = nil) -> MaskMatch {
    stepping { name in
      name.hasSameBytes(as: token) || other.map { name.hasSameBytes(as: $0) } == true
    }
  }

  /// Returns the matches after any step.
  func stepAnywhere() -> MaskMatch { stepping { _ in true } }

  private func stepping(_ isStep: (String) -> Bool) -> MaskMatch {
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

  /// The remaining tokens of the patterns.
  var rests: [MaskPath] { places.map { MaskPath(Array(paths[$0.path].tokens[$0.next...])) } }

  /// Whether both have the same patterns at the same positions.
  func isSame(as other: MaskMatch) -> Bool {
    places.count == other.places.count
      && places.allSatisfy { place in other.places.contains { $0 == place } }
  }

  /// Adds the positions that `**` reaches without a token.
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
  /// Whether the value contains a path that one of the patterns matches.
  package func has(anyOf paths: [MaskPath]) -> Bool { has(MaskMatch(paths)) }

  private func has(_ match: MaskMatch) -> Bool {
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
