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

  /// The place to which an offset belongs; nil for what is neither a name nor a text nor a number.
  ///
  /// - Parameter offset: The offset, which is not before the last one that was asked for.
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
