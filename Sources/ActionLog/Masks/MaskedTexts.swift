import Foundation

/// The values that were masked so far.
///
/// Used to find these values in strings that no path names, such as error descriptions, dictionary keys, and copies.
package struct MaskedTexts: Sendable {
  /// The minimum length in bytes of strings that are found inside words, and the minimum number of digits of numbers
  /// that are found outside masked paths.
  ///
  /// Shorter values would be found almost everywhere.
  static let minimumLength = 4
  /// The minimum length in bytes of values that are replaced in the names of members.
  ///
  /// Shorter values would make the log unreadable.
  static let minimumNameLength = 8
  /// The maximum number of stored values while recording, unless the state contains more.
  ///
  /// The oldest values are dropped first.
  package static let defaultCapacity = 50_000

  /// A masked string in UTF-8, and whether it occurred as a key.
  struct SecretText: Hashable, Sendable {
    let text: [UInt8]
    /// Whether the string occurred as a key, and not as a value.
    ///
    /// A string that occurred as both is stored twice.
    ///
    /// A key that could be the name of a member stays visible in keys. The type of the value is not secret, and the log
    /// shows the same names in other values of that type.
    let isName: Bool

    /// Whether the string is replaced in a name that is either data or a member's name.
    ///
    /// A string shorter than `minimumNameLength` is replaced only if it isn't an identifier itself, and if `name` is
    /// neither an identifier nor an array index.
    func changes(name: some Collection<UInt8>) -> Bool {
      if text.count >= MaskedTexts.minimumNameLength {
        return !isName || !MaskedTexts.isIdentifier(text)
      }
      return !MaskedTexts.isIdentifier(text) && !MaskedTexts.isIdentifier(name)
        && !name.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  private var capacity: Int
  private var order: [SecretText] = []
  /// The version at which each string was learned.
  private var known: [SecretText: Int] = [:]
  /// The strings by their first four bytes, longest first.
  private var byStart: [UInt32: [[UInt8]]] = [:]
  /// The strings that are shorter than four bytes, and the length of the longest one.
  ///
  /// A string is packed into an integer after a leading 1.
  private var short = (texts: Set<UInt32>(), longest: 0)

  init(capacity: Int) { self.capacity = capacity }

  /// A number that grows with each new string.
  private(set) var version = 0

  var isEmpty: Bool { known.isEmpty }

  /// Whether a number has too few digits to be found outside masked paths.
  ///
  /// It can equal a masked string by accident, as `-0.0` does.
  static func isShort(number literal: some Sequence<UInt8>) -> Bool {
    literal.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } < minimumLength
  }

  /// Adds the strings and numbers in a value.
  ///
  /// Omits short numbers, and strings that come from the app's code.
  ///
  /// - Parameters:
  ///   - json: The value that contains the strings and numbers.
  ///   - names: The method to recognize names that are data.
  mutating func insert(_ json: JSON, names: NameDetection) {
    switch json {
    case .null, .bool: break
    case .number(let number):
      if !Self.isShort(number: number.literal.utf8) { insert(number.literal) }
    case .string(let text): if MaskerMark.code(of: text) == nil { insert(text) }
    case .array(let elements): for element in elements { insert(element, names: names) }
    case .object(let object):
      if let marked = object.markedValue { return insert(marked.value, names: names) }
      // Reserved names of the format and names of types are not secret.
      switch object.firstKey {
      case "$error":
        for text in ["description", "localizedDescription"] {
          insert(object.values[0][text] ?? .null, names: names)
        }
      case "$opaque", "$ordinal", "$masked": break
      default:
        for (name, value) in object {
          // The substitute is skipped. The secret value is in the preceding member.
          if name == "$masked" { continue }
          if !name.hasPrefix("$") { insert(name: name, names: names) }
          insert(value, names: names)
        }
      }
    }
  }

  /// The methods to recognize names that are data, such as the keys of dictionaries.
  enum NameDetection: Sendable {
    /// Names that are data are marked.
    case marked
    /// Names are judged by their length and characters, because the log doesn't mark them.
    case guessed
  }

  /// Adds a name, if it is or could be data.
  mutating func insert(name: String, names: NameDetection) {
    switch names {
    case .marked: if let text = MaskerMark.data.text(of: name) { insert(text) }
    case .guessed:
      guard name.utf8.count >= Self.minimumLength else { return }
      let isLong = name.utf8.count >= Self.minimumNameLength
      if isLong || !Self.isIdentifier(Array(name.utf8)) { insert(name, isName: true) }
    }
  }

  /// Adds a string in each of its canonically equivalent forms.
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

  /// Whether the number of strings exceeds the capacity.
  var isOverfull: Bool { known.count > capacity }

  /// Drops the older half of the strings, except those that are masked in the state.
  ///
  /// - Parameter standing: The strings that are masked in the state.
  mutating func forget(besides standing: MaskedTexts) {
    // If the state contains many strings, the next call isn't made until as many others have been added.
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

  /// Whether `text` equals a masked string.
  func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }

  /// Returns the strings that were learned after a version.
  func newer(than version: Int) -> ArraySlice<SecretText> {
    order.suffix(max(0, self.version - version))
  }

  /// Whether a number was masked at or before a version.
  func contains(_ number: JSON.Number, by version: Int) -> Bool {
    guard !Self.isShort(number: number.literal.utf8) else { return false }
    return known[SecretText(text: Array(number.literal.utf8), isName: false)].map { $0 <= version }
      ?? false
  }

  /// Replaces every value that was masked at or before a version.
  ///
  /// - Parameters:
  ///   - text: The string to search.
  ///   - isKey: Whether `text` is a name that is either data or a member's name.
  ///   - key: The key that computes the substitutes.
  ///   - version: The last version whose values are replaced.
  /// - Returns: The string with substitutes, or `nil` if it contains no masked value.
  func replaced(
    in text: String,
    isKey: Bool,
    by key: SubstituteHashKey,
    asOf version: Int
  ) -> String? {
    guard !known.isEmpty, !text.isEmpty else { return nil }
    let search = MaskedStringFinder(texts: self, key: key, version: version, isKey: isKey)
    return search.replaced(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the length of the masked string at an offset.
  ///
  /// - Parameters:
  ///   - index: The offset in `bytes`.
  ///   - bytes: The UTF-8 bytes to search.
  ///   - version: The last version whose strings are found.
  ///   - name: The complete name that contains `bytes`, or `nil` if `bytes` is not part of a name. Only strings that
  ///     are replaced in this name are found.
  /// - Returns: The length in bytes, or `nil` if no masked string starts at the offset.
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

  /// Whether a string could be the name of a member.
  private static func isIdentifier(_ text: some Collection<UInt8>) -> Bool {
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

/// A search for masked strings in another string, in any spelling.
private struct MaskedStringFinder {
  let texts: MaskedTexts
  let key: SubstituteHashKey
  let version: Int
  /// Whether the searched string is a name that is either data or a member's name.
  let isKey: Bool

  /// The maximum number of nested escapes to decode.
  ///
  /// Nested descriptions escape their content repeatedly, and deeper escapes are not searched.
  private static let mostEscapes = 4

  /// Returns the string with substitutes, or `nil` if it contains no masked string.
  func replaced(in text: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    func apply(_ next: [UInt8]?) { if let next { result = next } }
    apply(replaced(in: text, spelling: UnescapedBytes(text)))
    var spelled = UnescapedBytes(result ?? text)
    for _ in 0..<Self.mostEscapes {
      guard let next = spelled.unescaped else { break }
      spelled = next
      if let found = replaced(in: result ?? text, spelling: next) {
        result = found
        spelled = UnescapedBytes(found)
      }
    }
    for plusIsSpace in [false, true] where (result ?? text).contains(plusIsSpace ? 0x2B : 0x25) {
      let current = result ?? text
      let decoded = UnescapedBytes(current).percentDecoded(plusIsSpace: plusIsSpace)
      apply(decoded.flatMap { replaced(in: current, spelling: $0) })
    }
    apply(replacedInBase64(result ?? text))
    return result
  }

  private func replaced(in text: [UInt8], spelling spelled: UnescapedBytes) -> [UInt8]? {
    let bytes = spelled.bytes
    var result = TextRewriter(of: text)
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
      // An occurrence without escapes has already been replaced, so these bytes can be part of a substitute.
      if !spelled.isPlain, origin.count == length, length >= MaskedTexts.minimumLength { continue }
      result.replace(origin, by: substitute(for: bytes[found]))
    }
    return result.finish()
  }

  private func substitute(for text: some Collection<UInt8>) -> String.UTF8View {
    key.substitute(for: String(decoding: text, as: UTF8.self)).utf8
  }

  /// Replaces masked strings in Base64, except short ones, which can occur by accident.
  ///
  /// A short string is replaced only if it is the entire encoded content.
  private func replacedInBase64(_ text: [UInt8]) -> [UInt8]? {
    var result = TextRewriter(of: text)
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
    var result = TextRewriter(of: bytes)
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

/// A string with replacements, which are added in ascending order.
private struct TextRewriter {
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

  /// Returns the string, or `nil` if no part was replaced.
  consuming func finish() -> [UInt8]? {
    guard isChanged else { return nil }
    return result + text[copied...]
  }
}

extension [UInt8] {
  /// Whether a range starts and ends at word boundaries.
  ///
  /// A range without letters and digits counts only if it is the complete string.
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
