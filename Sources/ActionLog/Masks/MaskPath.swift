/// A pattern of places in a value: a JSON Pointer in which `*` stands for any one token and `**` for any number of them.
///
/// ```swift
/// "/user/email"      // one place
/// "/users/*/email"   // of every user
/// "/**/password"     // wherever there is one
/// ```
///
/// A place that is masked is masked with all that is in it. A name that is itself `*` or `**` is written `~2` or `~2~2`.
public struct MaskPath: Hashable, Sendable {
  /// One step of a pattern.
  enum Token: Hashable, Sendable {
    case name(String)
    case any
    case anyNumber
  }

  let tokens: [Token]
  /// The pattern as it was given.
  public let description: String

  /// Reads a pattern; a text that does not begin with `/` is read as if it did.
  public init(_ text: String) {
    // Byte by byte, because a combining mark would make one character of itself and a slash.
    let slash = UInt8(ascii: "/")
    description = text.isEmpty || text.utf8.first == slash ? text : "/" + text
    let parts = description.utf8.split(separator: slash, omittingEmptySubsequences: false)
    tokens = parts.dropFirst().map { part -> Token in
      if part.elementsEqual("*".utf8) { return .any }
      if part.elementsEqual("**".utf8) { return .anyNumber }
      return .name(Self.unescaped(part))
    }
  }

  /// The pattern of a place in all elements of the arrays that lead there.
  package init(anyOf tokens: [String]) {
    self.init(tokens.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .any : .name($0) })
  }

  /// The same below a place.
  package init(_ place: [String], anyOf tokens: [String]) {
    self.init(place.map { .name($0) } + MaskPath(anyOf: tokens).tokens)
  }

  /// A pattern of a place.
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

  /// The characters with a meaning in patterns; `~` and the index of one stand for it.
  private static let escapes = Array("~/*".utf8)

  /// A name, escaped for a pattern.
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
  /// A pattern.
  public init(stringLiteral value: String) { self.init(value) }
}

/// The progress of patterns on a path through a value.
struct MaskMatch: Sendable {
  private let paths: [MaskPath]
  /// The positions in the patterns: the pattern and the token that comes next.
  private var places: [(path: Int, next: Int)]

  /// The patterns at the root of a value.
  init(_ paths: [MaskPath]) {
    self.paths = paths
    places = paths.indices.map { ($0, 0) }
    close()
  }

  /// Whether no pattern can match here or below.
  var isEmpty: Bool { places.isEmpty }

  /// The patterns that match the place.
  var complete: [Int] {
    places.filter { $0.next == paths[$0.path].tokens.count }.map(\.path)
  }

  /// Whether a pattern names an element here by its index, so that it names another one when elements move.
  var namesElements: Bool {
    places.contains { path, next in
      guard next < paths[path].tokens.count, case .name(let name) = paths[path].tokens[next] else {
        return false
      }
      return !name.isEmpty && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// The patterns one step further.
  ///
  /// - Parameters:
  ///   - token: The step.
  ///   - other: Another name for it.
  /// - Returns: The patterns that go on there.
  func descend(_ token: String, or other: String? = nil) -> MaskMatch {
    stepping { name in
      name.hasSameBytes(as: token) || other.map { name.hasSameBytes(as: $0) } == true
    }
  }

  /// The patterns one step further, whatever the step is.
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

  /// What is left of the patterns from here on.
  var rests: [MaskPath] { places.map { MaskPath(Array(paths[$0.path].tokens[$0.next...])) } }

  /// Whether the same patterns are at the same places.
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
  /// Whether this value has a place that one of the patterns names.
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
