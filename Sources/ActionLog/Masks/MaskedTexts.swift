/// The values that were masked so far, so that they are found again at places that no path names: in an error's
/// description, in the key of a dictionary, in a copy of the value.
package struct MaskedTexts: Sendable {
  /// Shorter values are masked only where a path names them: they would be found everywhere.
  static let minimumLength = 4
  /// Names of members are only changed for values of this length; shorter ones would make the log unreadable.
  static let minimumNameLength = 8
  /// How many values are remembered while recording; the oldest are forgotten first.
  package static let defaultCapacity = 50_000

  /// A text and its use.
  struct Entry: Hashable, Sendable {
    let text: [UInt8]
    /// Whether it is only known as a key.
    ///
    /// A text that could be the name of a member is left in keys: the type of the value is not secret, and other values of
    /// that type are in the log with these names.
    let isName: Bool

    /// Whether keys that contain it are changed.
    var changesNames: Bool {
      text.count >= MaskedTexts.minimumNameLength && (!isName || !MaskedTexts.isIdentifier(text))
    }
  }

  private let capacity: Int
  private var order: [Entry] = []
  private var oldest = 0
  /// The texts and when each of them was learned.
  private var known: [Entry: Int] = [:]
  /// The texts by their first four bytes, the longest first.
  private var byStart: [UInt32: [[UInt8]]] = [:]

  init(capacity: Int) { self.capacity = capacity }

  /// Grows with each new text.
  private(set) var version = 0

  var isEmpty: Bool { known.isEmpty }

  /// Remembers every text and number within a value.
  mutating func insert(_ json: JSON) {
    switch json {
    case .null, .bool: break
    case .number(let number): insert(number.literal)
    case .string(let text): insert(text)
    case .array(let elements): for element in elements { insert(element) }
    case .object(let object):
      // Words of the format and names of types are not secret.
      if object.keys.first == "$error" {
        insert(object.values.first?["description"] ?? .null)
      } else if object.keys.first != "$opaque", object.keys.first != "$ordinal",
        object.keys.first != "$masked"
      {
        for (name, value) in object {
          if !name.hasPrefix("$") { insert(name: name) }
          insert(value)
        }
      }
    }
  }

  /// Remembers a name that may be the key of a dictionary.
  mutating func insert(name: String) {
    if name.utf8.count >= Self.minimumNameLength { insert(name, isName: true) }
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
    guard known.count > capacity else { return }
    let gone = order[oldest]
    oldest += 1
    known[gone] = nil
    if known[Entry(text: gone.text, isName: !gone.isName)] == nil {
      byStart[Self.start(of: gone.text[...])]?.removeAll { $0 == gone.text }
    }
    if oldest > capacity {
      order.removeFirst(oldest)
      oldest = 0
    }
  }

  /// The texts that were learned after a version.
  func newer(than version: Int) -> ArraySlice<Entry> {
    order[oldest...].suffix(max(0, self.version - version))
  }

  /// Whether a number is one that was masked, in a version or before it.
  func contains(_ number: JSON.Number, by version: Int) -> Bool {
    known[Entry(text: Array(number.literal.utf8), isName: false)].map { $0 <= version } ?? false
  }

  /// Replaces every value that was masked in a version or before it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isKey: Whether it is a key, which may be the name of a member.
  ///   - key: Makes the substitutes.
  ///   - version: The version.
  /// - Returns: The text with substitutes; `nil` when nothing that was masked is in it.
  func replaced(
    in text: String,
    isKey: Bool,
    by key: MaskKey,
    asOf version: Int
  ) -> String? {
    guard !known.isEmpty, text.utf8.count >= (isKey ? Self.minimumNameLength : Self.minimumLength)
    else {
      return nil
    }
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
        rest.starts(with: $0) && isKnown($0, inKey: isKey, asOf: version)
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

  private func isKnown(_ text: [UInt8], inKey: Bool, asOf version: Int) -> Bool {
    [false, true].contains { isName in
      let entry = Entry(text: text, isName: isName)
      guard let learned = known[entry], learned <= version else { return false }
      return !inKey || entry.changesNames
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
