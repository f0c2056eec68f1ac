import Foundation

/// The search for masked values in a state that was written before they became known.
struct MaskedTextSearch {
  let masks: LogMasks
  let texts: MaskedTexts

  /// Whether what was learned after a version shows in a state where the log has it as it is: in what no mask covers and no
  /// operation of a patch has just written.
  ///
  /// - Parameters:
  ///   - version: The version of the masker by which the state was written last.
  ///   - state: The state, as text.
  ///   - patch: What has changed in it since then.
  /// - Returns: Whether it does; also true when there is too much to look for.
  func shows(since version: Int, in state: [UInt8], besides patch: JSON.Patch) -> Bool {
    guard var finds = finds(since: version, in: state) else { return true }
    guard !finds.isEmpty else { return false }
    finds.sort { $0.offset < $1.offset }
    var places = TextPlaces(text: state)
    let written = WrittenPlaces(patch)
    for find in finds {
      guard let place = places.place(at: find.offset) else { continue }
      switch place.kind {
      case .name:
        guard find.value.changesNames else { continue }
        let outer = JSON.Pointer(place.pointer.tokens.dropLast())
        if !masks.covers(outer), !written.names(place.pointer) { return true }
      case .number:
        guard place.range == find.range else { continue }
        if !masks.covers(place.pointer), !written.values(place.pointer) { return true }
      case .string:
        if !masks.covers(place.pointer), !written.values(place.pointer) { return true }
      }
    }
    return false
  }

  /// Whether what was learned after a version shows anywhere in a state; also true when there is too much to look for.
  func shows(since version: Int, in state: [UInt8]) -> Bool {
    finds(since: version, in: state)?.isEmpty != true
  }

  private func finds(since version: Int, in text: [UInt8]) -> [TextFind]? {
    let values = texts.newer(than: version)
    guard values.count <= Self.mostSearched else { return nil }
    var finds: [TextFind] = []
    text.withUnsafeBytes { text in
      for value in values { TextFind.append(value, in: text, to: &finds) }
    }
    return finds
  }

  /// For more values it is cheaper to compare the whole state.
  private static let mostSearched = 16
}

/// A place in a text where a value stands.
private struct TextFind {
  let offset: Int
  let length: Int
  let value: MaskedTexts.Entry

  var range: Range<Int> { offset..<offset + length }

  /// Finds a value as a text or a number would be written.
  static func append(
    _ value: MaskedTexts.Entry,
    in text: UnsafeRawBufferPointer,
    to finds: inout [TextFind]
  ) {
    let quoted = LogEncoder(writing: String(decoding: value.text, as: UTF8.self)).take()
    let needle = quoted.dropFirst().dropLast()
    guard let base = text.baseAddress, !needle.isEmpty else { return }
    needle.withUnsafeBytes { needle in
      guard let start = needle.baseAddress, needle.count <= text.count else { return }
      let end = text.count - needle.count + 1
      var offset = 0
      while offset < end, let found = memchr(base + offset, Int32(needle[0]), end - offset) {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, start, needle.count) == 0 {
          finds.append(TextFind(offset: place, length: needle.count, value: value))
        }
        offset = place + 1
      }
    }
  }
}

/// What a patch writes as a whole, as far as that can be told without applying it.
private struct WrittenPlaces {
  private let added: Set<JSON.Pointer>
  private let replaced: Set<JSON.Pointer>

  init(_ patch: JSON.Patch) {
    var (added, replaced): (Set<JSON.Pointer>, Set<JSON.Pointer>) = ([], [])
    var isStable = true
    for operation in patch.operations {
      // Behind an element that comes, goes or moves, others have another number.
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

  /// Whether the name of a member is new; that of a member whose value is replaced is not.
  func names(_ place: JSON.Pointer) -> Bool {
    added.contains(place) || values(JSON.Pointer(place.tokens.dropLast()))
  }
}

/// Tells to which place of a JSON value the offsets of its text belong, from the first to the last.
struct TextPlaces {
  private let text: [UInt8]
  private var index = 0
  private var frames: [Frame] = []
  private var last: Place?

  /// A place: the name of a member, or a value that has no parts.
  struct Place {
    enum Kind { case name, string, number }
    let kind: Kind
    /// Where it is; for a name, where the member is.
    let pointer: JSON.Pointer
    /// Its text, without quotes.
    let range: Range<Int>
  }

  private enum Frame {
    case array(Int)
    /// An object and the name that was read last, until its value has ended.
    case object(Range<Int>?)
  }

  /// A walk through a text that the log's encoder has written.
  init(text: [UInt8]) { self.text = text }

  /// The place to which an offset belongs.
  ///
  /// - Parameter offset: The offset, which is not before the last one that was asked for.
  /// - Returns: The place; nil for what is neither a name nor a text nor a number.
  mutating func place(at offset: Int) -> Place? {
    if let last, last.range.contains(offset) { return last }
    while index < text.count, index <= offset {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"): frames.append(.object(nil))
      case UInt8(ascii: "["): frames.append(.array(0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","): step()
      case UInt8(ascii: "\""):
        let range = string()
        var kind = Place.Kind.string
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

  private mutating func found(_ kind: Place.Kind, _ range: Range<Int>) -> Place {
    let tokens = frames.map { frame -> String in
      switch frame {
      case .array(let index): String(index)
      case .object(let range): range.map { name(at: $0) } ?? ""
      }
    }
    let place = Place(kind: kind, pointer: JSON.Pointer(tokens), range: range)
    last = place
    return place
  }

  private func name(at range: Range<Int>) -> String {
    // With its quotes.
    let text = self.text[range.lowerBound - 1...range.upperBound]
    return (try? JSON(parsing: Array(text)))?.string ?? ""
  }

  private mutating func step() {
    switch frames.last {
    case .array(let index): frames[frames.count - 1] = .array(index + 1)
    case .object: frames[frames.count - 1] = .object(nil)
    case nil: break
    }
  }

  /// Goes behind a string, and returns where it stands without its quotes.
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
