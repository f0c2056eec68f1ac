/// The values that were masked so far, so that they are found again at places that no path names: in an error's
/// description, in the key of a dictionary, in a copy of the value.
package struct MaskedTexts: Sendable {
  /// Shorter values are masked only where a path names them: they would be found everywhere.
  static let minimumLength = 4
  /// Names of members are only changed for values of this length; shorter ones would make the log unreadable.
  static let minimumNameLength = 8
  /// How many values are remembered while recording, unless more of them stand in the state; the oldest are forgotten first.
  package static let defaultCapacity = 50_000

  /// A text and its use.
  struct Entry: Hashable, Sendable {
    let text: [UInt8]
    /// Whether it is only known as a key.
    ///
    /// A text that could be the name of a member is left in keys: the type of the value is not secret, and other values of
    /// that type are in the log with these names.
    let isName: Bool

    /// Whether a name that contains it is changed, of which it is not known whether it is data.
    ///
    /// Short ones are only changed when no member could have the name, and no element of an array the index.
    func changes(name: some Collection<UInt8>) -> Bool {
      if text.count >= MaskedTexts.minimumNameLength {
        return !isName || !MaskedTexts.isIdentifier(text)
      }
      return !MaskedTexts.isIdentifier(text) && !name.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  private var capacity: Int
  private var order: [Entry] = []
  /// The texts and when each of them was learned.
  private var known: [Entry: Int] = [:]
  /// The texts by their first four bytes, the longest first.
  private var byStart: [UInt32: [[UInt8]]] = [:]

  init(capacity: Int) { self.capacity = capacity }

  /// Grows with each new text.
  private(set) var version = 0

  var isEmpty: Bool { known.isEmpty }

  /// Remembers every text and number within a value.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - names: How its names are known.
  mutating func insert(_ json: JSON, names: Names) {
    switch json {
    case .null, .bool: break
    case .number(let number): insert(number.literal)
    case .string(let text): if LogMark.code.text(of: text) == nil { insert(text) }
    case .array(let elements): for element in elements { insert(element, names: names) }
    case .object(let object):
      if let marked = object.markedValue { return insert(marked.value, names: names) }
      // Words of the format and names of types are not secret.
      switch object.keys.first {
      case "$error":
        for text in ["description", "localizedDescription"] {
          insert(object.values[0][text] ?? .null, names: names)
        }
      case "$opaque", "$ordinal", "$masked": break
      default:
        for (name, value) in object {
          // The substitute of a value stands beside it.
          if name == "$masked" { continue }
          if !name.hasPrefix("$") { insert(name: name, names: names) }
          insert(value, names: names)
        }
      }
    }
  }

  /// How it is known whether names are data, such as the keys of dictionaries.
  enum Names: Sendable {
    /// Those that are data are marked.
    case marked
    /// By their looks: a log does not tell.
    case guessed
  }

  /// Remembers a name if it is data, or may be.
  mutating func insert(name: String, names: Names) {
    switch names {
    case .marked: if let text = LogMark.data.text(of: name) { insert(text) }
    case .guessed:
      let isLong = name.utf8.count >= Self.minimumNameLength
      if isLong || !Self.isIdentifier(Array(name.utf8)) { insert(name, isName: true) }
    }
  }

  mutating func insert(_ text: String, isName: Bool = false) {
    let bytes = Array(text.utf8)
    let entry = Entry(text: bytes, isName: isName)
    guard bytes.count >= Self.minimumLength, known[entry] == nil else { return }
    let isNew = known[Entry(text: bytes, isName: !isName)] == nil
    version += 1
    known[entry] = version
    order.append(entry)
    if isNew {
      let start = Self.start(of: bytes[...])
      byStart[start, default: []].append(bytes)
      byStart[start]?.sort { $0.count > $1.count }
    }
  }

  /// Whether there are more texts than are to be remembered.
  var isOverfull: Bool { known.count > capacity }

  /// Forgets the older half of the texts, but none of those that still stand in the state.
  ///
  /// - Parameter standing: The texts of the state.
  mutating func forget(besides standing: MaskedTexts) {
    // With more of them than this, the next time comes when there are many others again.
    capacity = max(capacity, 2 * standing.known.count)
    let count = order.count / 2
    var kept: [Entry] = []
    for entry in order.prefix(count) {
      if standing.contains(entry.text) {
        kept.append(entry)
        continue
      }
      known[entry] = nil
      guard known[Entry(text: entry.text, isName: !entry.isName)] == nil else { continue }
      byStart[Self.start(of: entry.text[...])]?.removeAll { $0 == entry.text }
    }
    order.replaceSubrange(..<count, with: kept)
  }

  private func contains(_ text: [UInt8]) -> Bool {
    known[Entry(text: text, isName: false)] != nil || known[Entry(text: text, isName: true)] != nil
  }

  /// Whether a text as a whole is one of those that were masked.
  func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }

  /// The texts that were learned after a version.
  func newer(than version: Int) -> ArraySlice<Entry> {
    order.suffix(max(0, self.version - version))
  }

  /// Whether a number is one that was masked, in a version or before it.
  func contains(_ number: JSON.Number, by version: Int) -> Bool {
    known[Entry(text: Array(number.literal.utf8), isName: false)].map { $0 <= version } ?? false
  }

  /// Replaces every value that was masked in a version or before it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isKey: Whether it is a name, of which it is not known whether it is data.
  ///   - key: Makes the substitutes.
  ///   - version: The version.
  /// - Returns: The text with substitutes; `nil` when nothing that was masked is in it.
  func replaced(
    in text: String,
    isKey: Bool,
    by key: MaskKey,
    asOf version: Int
  ) -> String? {
    guard !known.isEmpty, text.utf8.count >= Self.minimumLength else { return nil }
    var text = text
    return text.withUTF8 { replaced(in: $0, isKey: isKey, by: key, asOf: version) }
  }

  private func replaced(
    in bytes: UnsafeBufferPointer<UInt8>,
    isKey: Bool,
    by key: MaskKey,
    asOf version: Int
  ) -> String? {
    var result: [UInt8]?
    var index = 0
    var copied = 0
    while index + Self.minimumLength <= bytes.count {
      let rest = bytes[index...]
      let found = byStart[Self.start(of: rest)]?.first {
        rest.starts(with: $0) && isKnown($0, asOf: version, inName: isKey ? bytes : nil)
      }
      guard let found else {
        index += 1
        continue
      }
      let substitute = key.substitute(for: String(decoding: found, as: UTF8.self))
      result = (result ?? []) + bytes[copied..<index] + substitute.utf8
      index += found.count
      copied = index
    }
    guard let result else { return nil }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private func isKnown(
    _ text: [UInt8],
    asOf version: Int,
    inName name: UnsafeBufferPointer<UInt8>?
  ) -> Bool {
    [false, true].contains { isName in
      let entry = Entry(text: text, isName: isName)
      guard let learned = known[entry], learned <= version else { return false }
      return name.map { entry.changes(name: $0) } ?? true
    }
  }

  /// Whether a text could be the name of a member.
  private static func isIdentifier(_ text: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      byte & 0xDF >= 0x41 && byte & 0xDF <= 0x5A || byte == 0x5F
    }
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || $0 >= 0x30 && $0 <= 0x39 }
  }

  private static func start(of bytes: some Collection<UInt8>) -> UInt32 {
    bytes.prefix(minimumLength).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
