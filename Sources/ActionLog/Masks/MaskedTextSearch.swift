import Foundation

/// A search for masked values in a state that was logged before the masker learned them.
struct MaskedTextSearch {
  let masks: LogMasks
  let texts: MaskedTexts
  let names: MaskedTexts.NameDetection

  /// Whether a value that the masker learned after a version is visible in a state.
  ///
  /// Considers only paths that neither a mask nor the patch covers. Returns `true` if there are too many values to
  /// search for.
  ///
  /// - Parameters:
  ///   - version: The masker's version when the state was last logged.
  ///   - state: The state as JSON text.
  ///   - patch: The changes since the state was last logged.
  /// - Returns: Whether a value is visible.
  func shows(since version: Int, in state: [UInt8], besides patch: JSON.Patch) -> Bool {
    guard var matches = matches(since: version, in: state) else { return true }
    guard !matches.isEmpty else { return false }
    matches.sort { $0.offset < $1.offset }
    var places = OffsetToPathMap(text: state)
    let written = OverwrittenPaths(patch)
    for match in matches {
      guard let place = places.location(at: match.offset), !place.isSecret else { continue }
      switch place.kind {
      case .name:
        guard changes(place, by: match.value) else { continue }
        let outer = JSON.Pointer(place.pointer.tokens.dropLast())
        if !covers(outer), !written.names(place.pointer) { return true }
      case .number:
        // Short numbers are masked only at paths that patterns match.
        guard place.range == match.range, !MaskedTexts.isShort(number: match.value.text) else {
          continue
        }
        if !covers(place.pointer), !written.values(place.pointer) { return true }
      case .string:
        if !covers(place.pointer), !written.values(place.pointer) { return true }
      }
    }
    return false
  }

  private func changes(
    _ place: OffsetToPathMap.TextLocation,
    by value: MaskedTexts.SecretText
  ) -> Bool {
    let name = place.pointer.tokens.last ?? ""
    return switch names {
    case .marked: MaskerMark.data.text(of: name) != nil
    case .guessed: value.changes(name: name.utf8)
    }
  }

  private func covers(_ place: JSON.Pointer) -> Bool {
    masks.covers(
      names == .guessed ? place : JSON.Pointer(place.tokens.map { MaskerMark.removed(from: $0) })
    )
  }

  /// Whether a value that the masker learned after a version is visible anywhere in a state.
  ///
  /// Returns `true` if there are too many values to search for.
  func shows(since version: Int, in state: [UInt8]) -> Bool {
    matches(since: version, in: state)?.isEmpty != true
  }

  /// Whether a value that the masker learned after a version may occur in the texts of a filter.
  func mayShow(since version: Int, in texts: WrittenTextFilter) -> Bool {
    self.texts.newer(than: version).contains { value in
      let isShort = value.text.count < MaskedTexts.minimumLength
      return value.spellings.contains { texts.mayContain($0, asWord: isShort) }
    }
  }

  private func matches(since version: Int, in text: [UInt8]) -> [MaskedValueMatch]? {
    let values = texts.newer(than: version)
    guard values.count <= Self.maximumSearched else { return nil }
    var matches: [MaskedValueMatch] = []
    text.withUnsafeBytes { text in
      for value in values { MaskedValueMatch.append(value, in: text, to: &matches) }
    }
    return matches
  }

  /// The maximum number of values to search for.
  ///
  /// With more values, comparing the complete state is faster.
  private static let maximumSearched = 16
}

/// An occurrence of a masked value in a state's text.
struct MaskedValueMatch {
  let offset: Int
  let length: Int
  let value: MaskedTexts.SecretText

  var range: Range<Int> { offset..<offset + length }

  /// Appends the occurrences of a value in the text, in all possible spellings.
  static func append(
    _ value: MaskedTexts.SecretText,
    in text: UnsafeRawBufferPointer,
    to matches: inout [MaskedValueMatch]
  ) {
    for spelling in value.spellings { append(value, spelledAs: spelling, in: text, to: &matches) }
  }

  private static func append(
    _ value: MaskedTexts.SecretText,
    spelledAs spelling: [UInt8],
    in text: UnsafeRawBufferPointer,
    to matches: inout [MaskedValueMatch]
  ) {
    let needle = spelling[...]
    let isShort = value.text.count < MaskedTexts.minimumLength
    guard let base = text.baseAddress, !needle.isEmpty else { return }
    needle.withUnsafeBytes { needle in
      guard let start = needle.baseAddress, needle.count <= text.count else { return }
      let end = text.count - needle.count + 1
      var offset = 0
      while offset < end, let found = memchr(base + offset, Int32(needle[0]), end - offset) {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, start, needle.count) == 0,
          !isShort || mayBeWord(text, place..<place + needle.count)
        {
          matches.append(MaskedValueMatch(offset: place, length: needle.count, value: value))
        }
        offset = place + 1
      }
    }
  }
}

extension MaskedValueMatch {
  /// Whether a short string is a separate word at this range, so that it might have to be masked.
  ///
  /// Letters beyond ASCII count as word boundaries. So does an escape before the range, because it can represent any
  /// character.
  static func mayBeWord(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    func isPart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: false
      }
    }
    let before = text[max(0, range.lowerBound - 6)..<range.lowerBound]
    let continues = before.last.map { isPart($0) } ?? false
    if continues, isPart(text[range.lowerBound]), !before.contains(UInt8(ascii: "\\")) {
      return false
    }
    guard range.upperBound < text.count else { return true }
    return !isPart(text[range.upperBound]) || !isPart(text[range.upperBound - 1])
  }
}

extension MaskedTexts.SecretText {
  /// The possible spellings of the value in a logged string: plain, in a debug description, in a URL, or in Base64.
  ///
  /// A short string has only its plain spelling.
  fileprivate var spellings: [[UInt8]] {
    func written(_ text: String) -> [UInt8] {
      LogEncoder(writing: text).releaseBytes().dropFirst().dropLast()
    }
    let plain = String(decoding: text, as: UTF8.self)
    guard text.count >= MaskedTexts.minimumLength else {
      return [written(plain)]
    }
    var texts: Set<String> = [plain, String(plain.debugDescription.dropFirst().dropLast())]
    for set in [CharacterSet.alphanumerics, .urlQueryAllowed, .urlPathAllowed, .urlHostAllowed] {
      // Percent encoding also encodes letters beyond ASCII, whichever character set is allowed.
      if let encoded = plain.addingPercentEncoding(withAllowedCharacters: set) {
        texts.insert(encoded)
        texts.insert(encoded.replacing("%20", with: "+"))
      }
    }
    // The number of preceding bytes determines how the value's bytes are aligned with Base64 digits.
    for skipped in 0..<3 {
      let digits = Data([UInt8](repeating: 0, count: skipped) + text).base64EncodedString()
      let first = (skipped * 8 + 5) / 6
      let last = (skipped + text.count) * 8 / 6
      texts.insert(String(digits.prefix(last).dropFirst(first)))
    }
    return texts.map(written)
  }
}

/// The paths that a patch writes completely.
///
/// Empty if they can't be known without applying the patch.
private struct OverwrittenPaths {
  private let added: Set<JSON.Pointer>
  private let replaced: Set<JSON.Pointer>

  init(_ patch: JSON.Patch) {
    var (added, replaced): (Set<JSON.Pointer>, Set<JSON.Pointer>) = ([], [])
    var isStable = true
    for operation in patch.operations {
      // After an insertion, removal, or move, later elements have other indexes.
      let isElement = operation.path.tokens.last.map { Int($0) != nil } ?? false
      switch operation {
      case .add(let path, _):
        added.insert(path)
        if isElement, patch.operations.count > 1 { isStable = false }
      case .replace(let path, _): replaced.insert(path)
      case .remove, .move, .copy, .test, .splice: if isElement { isStable = false }
      }
    }
    (self.added, self.replaced) = isStable ? (added, replaced) : ([], [])
  }

  func values(_ place: JSON.Pointer) -> Bool {
    guard !added.isEmpty || !replaced.isEmpty else { return false }
    return (0...place.tokens.count).contains { count in
      let outer = JSON.Pointer(Array(place.tokens.prefix(count)))
      return added.contains(outer) || replaced.contains(outer)
    }
  }

  /// Whether the patch writes the name of the member at a path.
  ///
  /// Replacing a member's value doesn't write its name.
  func names(_ place: JSON.Pointer) -> Bool {
    added.contains(place) || values(JSON.Pointer(place.tokens.dropLast()))
  }
}

/// A map from offsets in JSON text to paths in the value, for offsets in ascending order.
private struct OffsetToPathMap {
  private let text: [UInt8]
  private var index = 0
  private var frames: [ContainerFrame] = []
  private var last: TextLocation?

  /// The name of a member, or a string or number, in the text.
  struct TextLocation {
    enum Kind { case name, string, number }
    let kind: Kind
    /// The path of the value, or of the member in the case of a name.
    let pointer: JSON.Pointer
    /// The range of the name or value in the text, without quotes.
    let range: Range<Int>

    /// Whether the value belongs to a secret that is never logged, because the log contains its substitute.
    var isSecret: Bool { pointer.tokens.contains { MaskerMark.secret.text(of: $0) != nil } }
  }

  private enum ContainerFrame {
    case array(Int)
    /// An object, with the range of the current member's name, or `nil` before a name.
    case object(Range<Int>?)
  }

  /// Creates a locator for JSON text that the log's encoder has written.
  init(text: [UInt8]) { self.text = text }

  /// Returns the name or value at an offset.
  ///
  /// - Parameter offset: The offset, which must not decrease between calls.
  /// - Returns: The name or value, or `nil` if the offset is not inside a name, a string, or a number.
  mutating func location(at offset: Int) -> TextLocation? {
    if let last, last.range.contains(offset) { return last }
    while index < text.count, index <= offset {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"): frames.append(.object(nil))
      case UInt8(ascii: "["): frames.append(.array(0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","): advanceElement()
      case UInt8(ascii: "\""):
        let range = string()
        var kind = TextLocation.Kind.string
        if case .object(nil) = frames.last {
          kind = .name
          frames[frames.count - 1] = .object(range)
        }
        if range.contains(offset) { return found(kind, range) }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = index - 1
        while index < text.count, Self.isPartOfNumber(text[index]) { index += 1 }
        if offset < index { return found(.number, start..<index) }
      default: break
      }
    }
    return nil
  }

  private mutating func found(_ kind: TextLocation.Kind, _ range: Range<Int>) -> TextLocation {
    let tokens = frames.map { frame -> String in
      switch frame {
      case .array(let index): String(index)
      case .object(let range): range.map { name(at: $0) } ?? ""
      }
    }
    let place = TextLocation(kind: kind, pointer: JSON.Pointer(tokens), range: range)
    last = place
    return place
  }

  private func name(at range: Range<Int>) -> String {
    // The JSON parser needs the string with its quotes.
    let text = self.text[range.lowerBound - 1...range.upperBound]
    return (try? JSON(parsing: Array(text)))?.string ?? ""
  }

  private mutating func advanceElement() {
    switch frames.last {
    case .array(let index): frames[frames.count - 1] = .array(index + 1)
    case .object: frames[frames.count - 1] = .object(nil)
    case nil: break
    }
  }

  /// Skips a string and returns its range without quotes.
  private mutating func string() -> Range<Int> {
    let start = index
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(index, text.count)
    index = end + 1
    return start..<end
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
