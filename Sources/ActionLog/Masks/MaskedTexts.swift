import Foundation

/// The values that were masked so far, so that they are found again at places that no path names: in an error's
/// description, in the key of a dictionary, in a copy of the value.
package struct MaskedTexts: Sendable {
  /// Shorter texts are found only between words, and shorter numbers only where a path names them: they would be found everywhere.
  static let minimumLength = 4
  /// Names of members are only changed for values of this length; shorter ones would make the log unreadable.
  static let minimumNameLength = 8
  /// How many values are remembered while recording, unless more of them stand in the state; the oldest are forgotten first.
  package static let defaultCapacity = 50_000

  /// A text and its use.
  struct SecretText: Hashable, Sendable {
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
  private var order: [SecretText] = []
  /// The texts and when each of them was learned.
  private var known: [SecretText: Int] = [:]
  /// The texts by their first four bytes, the longest first.
  private var byStart: [UInt32: [[UInt8]]] = [:]
  /// The shorter texts by their bytes, with a leading one; `longest` is the length of the longest.
  private var short = (texts: Set<UInt32>(), longest: 0)

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
    case .number(let number):
      if number.literal.utf8.count >= Self.minimumLength { insert(number.literal) }
    case .string(let text): if LogMark.code(of: text) == nil { insert(text) }
    case .array(let elements): for element in elements { insert(element, names: names) }
    case .object(let object):
      if let marked = object.markedValue { return insert(marked.value, names: names) }
      // Words of the format and names of types are not secret.
      switch object.firstKey {
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
      guard name.utf8.count >= Self.minimumLength else { return }
      let isLong = name.utf8.count >= Self.minimumNameLength
      if isLong || !Self.isIdentifier(Array(name.utf8)) { insert(name, isName: true) }
    }
  }

  /// Remembers a text, in each of the forms that Unicode takes for the same.
  mutating func insert(_ text: String, isName: Bool = false) {
    insert(Array(text.utf8), isName: isName)
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return }
    insert(Array(text.precomposedStringWithCanonicalMapping.utf8), isName: isName)
    insert(Array(text.decomposedStringWithCanonicalMapping.utf8), isName: isName)
  }

  private mutating func insert(_ bytes: [UInt8], isName: Bool) {
    let entry = SecretText(text: bytes, isName: isName)
    guard !bytes.isEmpty, known[entry] == nil else { return }
    let isNew = known[SecretText(text: bytes, isName: !isName)] == nil
    version += 1
    known[entry] = version
    order.append(entry)
    if isNew {
      guard bytes.count >= Self.minimumLength else {
        short.texts.insert(Self.packed(bytes))
        short.longest = max(short.longest, bytes.count)
        return
      }
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
    var kept: [SecretText] = []
    for entry in order.prefix(count) {
      if standing.contains(entry.text) {
        kept.append(entry)
        continue
      }
      known[entry] = nil
      guard known[SecretText(text: entry.text, isName: !entry.isName)] == nil else { continue }
      if entry.text.count < Self.minimumLength {
        short.texts.remove(Self.packed(entry.text))
      } else {
        byStart[Self.start(of: entry.text[...])]?.removeAll { $0 == entry.text }
      }
    }
    order.replaceSubrange(..<count, with: kept)
  }

  private func contains(_ text: [UInt8]) -> Bool {
    known[SecretText(text: text, isName: false)] != nil
      || known[SecretText(text: text, isName: true)] != nil
  }

  /// Whether a text as a whole is one of those that were masked.
  func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }

  /// The texts that were learned after a version.
  func newer(than version: Int) -> ArraySlice<SecretText> {
    order.suffix(max(0, self.version - version))
  }

  /// Whether a number is one that was masked, in a version or before it.
  func contains(_ number: JSON.Number, by version: Int) -> Bool {
    let literal = Array(number.literal.utf8)
    // A shorter one may equal a text that was masked.
    guard literal.count >= Self.minimumLength else { return false }
    return known[SecretText(text: literal, isName: false)].map { $0 <= version } ?? false
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
    guard !known.isEmpty, !text.isEmpty else { return nil }
    let search = SecretSearch(texts: self, key: key, version: version, isKey: isKey)
    return search.replaced(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The next known text at an offset.
  ///
  /// - Parameters:
  ///   - index: The offset.
  ///   - bytes: The text.
  ///   - version: The version.
  ///   - name: The name in which it stands, of which it is not known whether it is data.
  /// - Returns: Its length; `nil` when there is none.
  fileprivate func length(
    at index: Int,
    of bytes: [UInt8],
    asOf version: Int,
    inName name: [UInt8]?
  ) -> Int? {
    let rest = bytes[index...]
    if rest.count >= Self.minimumLength,
      let found = byStart[Self.start(of: rest)]?.first(where: {
        rest.starts(with: $0) && isKnown($0, asOf: version, inName: name)
      })
    {
      return found.count
    }
    guard short.longest > 0 else { return nil }
    for count in stride(from: min(short.longest, rest.count), to: 0, by: -1) {
      let text = rest.prefix(count)
      guard short.texts.contains(Self.packed(text)), bytes.isWord(index..<index + count),
        isKnown(Array(text), asOf: version, inName: name)
      else { continue }
      return count
    }
    return nil
  }

  private func isKnown(
    _ text: [UInt8],
    asOf version: Int,
    inName name: [UInt8]?
  ) -> Bool {
    [false, true].contains { isName in
      let entry = SecretText(text: text, isName: isName)
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

  private static func packed(_ text: some Collection<UInt8>) -> UInt32 {
    text.reduce(1) { $0 << 8 | UInt32($1) }
  }

  private static func start(of bytes: some Collection<UInt8>) -> UInt32 {
    bytes.prefix(minimumLength).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// A search for known texts in another one, whatever they are spelled as in it.
private struct SecretSearch {
  let texts: MaskedTexts
  let key: MaskKey
  let version: Int
  /// Whether the text is a name, of which it is not known whether it is data.
  let isKey: Bool

  /// Descriptions within descriptions escape what is escaped already; deeper ones are not searched.
  private static let mostEscapes = 4

  /// The text with substitutes; `nil` when no known text is in it.
  func replaced(in text: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    func apply(_ next: [UInt8]?) { if let next { result = next } }
    apply(replaced(in: text, spelling: SpelledBytes(text)))
    var spelled = SpelledBytes(result ?? text)
    for _ in 0..<Self.mostEscapes {
      guard let next = spelled.unescaped else { break }
      spelled = next
      if let found = replaced(in: result ?? text, spelling: next) {
        result = found
        spelled = SpelledBytes(found)
      }
    }
    for plusIsSpace in [false, true] where (result ?? text).contains(plusIsSpace ? 0x2B : 0x25) {
      let current = result ?? text
      let decoded = SpelledBytes(current).percentDecoded(plusIsSpace: plusIsSpace)
      apply(decoded.flatMap { replaced(in: current, spelling: $0) })
    }
    apply(replacedInBase64(result ?? text))
    return result
  }

  private func replaced(in text: [UInt8], spelling spelled: SpelledBytes) -> [UInt8]? {
    let bytes = spelled.bytes
    var result = Replacement(of: text)
    var index = 0
    while index < bytes.count {
      let name = isKey ? bytes : nil
      guard let length = texts.length(at: index, of: bytes, asOf: version, inName: name) else {
        index += 1
        continue
      }
      let found = index..<index + length
      let origin = spelled.origin(of: found)
      index = found.upperBound
      // What stands there as it is was replaced before, and may be in a substitute.
      if !spelled.isPlain, origin.count == length, length >= MaskedTexts.minimumLength { continue }
      result.replace(origin, by: substitute(for: bytes[found]))
    }
    return result.finish()
  }

  private func substitute(for text: some Collection<UInt8>) -> String.UTF8View {
    key.substitute(for: String(decoding: text, as: UTF8.self)).utf8
  }

  /// Within Base64 only the texts count that are no accident there: longer ones, and one that is all that is spelled.
  private func replacedInBase64(_ text: [UInt8]) -> [UInt8]? {
    var result = Replacement(of: text)
    for run in Base64Run.all(in: text) {
      for skipped in 0..<4 {
        let isWhole = skipped == 0 && run.range.count == text.count
        guard let found = replacedBytes(run.bytes(behind: skipped), isWhole: isWhole) else {
          continue
        }
        result.replace(run.range, by: run.spelling(found, behind: skipped))
        break
      }
    }
    return result.finish()
  }

  private func replacedBytes(_ bytes: [UInt8], isWhole: Bool) -> [UInt8]? {
    var result = Replacement(of: bytes)
    var index = 0
    while index < bytes.count {
      guard let length = texts.length(at: index, of: bytes, asOf: version, inName: nil),
        length >= MaskedTexts.minimumLength || isWhole && length == bytes.count
      else {
        index += 1
        continue
      }
      let found = index..<index + length
      result.replace(found, by: substitute(for: bytes[found]))
      index = found.upperBound
    }
    return result.finish()
  }
}

/// A text of which parts are replaced, from the first to the last.
private struct Replacement {
  private let text: [UInt8]
  private var result: [UInt8] = []
  private var copied = 0
  private var isChanged = false

  init(of text: [UInt8]) { self.text = text }

  mutating func replace(_ range: Range<Int>, by bytes: some Sequence<UInt8>) {
    result += text[copied..<range.lowerBound]
    result += bytes
    copied = range.upperBound
    isChanged = true
  }

  /// The text; `nil` when nothing was replaced.
  consuming func finish() -> [UInt8]? {
    guard isChanged else { return nil }
    return result + text[copied...]
  }
}

extension [UInt8] {
  /// Whether a range of UTF-8 neither begins nor ends within a word; one without letters and digits is no part of a longer text.
  fileprivate func isWord(_ range: Range<Int>) -> Bool {
    if range == indices { return true }
    let scalars = String(decoding: self[range], as: UTF8.self).unicodeScalars
    guard let first = scalars.first, let last = scalars.last,
      scalars.contains(where: \.isPartOfWord)
    else { return false }
    if first.isPartOfWord, scalar(before: range.lowerBound)?.isPartOfWord == true { return false }
    return !last.isPartOfWord || scalar(at: range.upperBound)?.isPartOfWord != true
  }

  private func scalar(before index: Int) -> Unicode.Scalar? {
    var start = index - 1
    while start > 0, start > index - 4, self[start] & 0xC0 == 0x80 { start -= 1 }
    guard start >= 0 else { return nil }
    return String(decoding: self[start..<index], as: UTF8.self).unicodeScalars.last
  }

  private func scalar(at index: Int) -> Unicode.Scalar? {
    String(decoding: self[index...].prefix(4), as: UTF8.self).unicodeScalars.first
  }
}

extension Unicode.Scalar {
  fileprivate var isPartOfWord: Bool {
    properties.isAlphabetic || properties.numericType != nil
      || properties.generalCategory == .nonspacingMark
  }
}
