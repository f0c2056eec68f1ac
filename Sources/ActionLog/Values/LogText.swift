import Foundation

/// The text of a value while it is read from front to back, without a tree of it.
///
/// What is read is what encoders write: no blanks, members in the order in which the code asks for them, all of them and no
/// others. Whatever looks different is given up, and read again as a tree, which also finds the words for what is wrong:
/// so there is one set of rules for what can be read and what it means.
final class LogText: LogDecoder.Context {
  let bytes: [UInt8]
  /// Where the text is read next.
  var position = 0
  /// Where the last value began that was read to its end.
  private var finished = -1
  private var depth = 0
  private var isGivenUp = false

  override var text: LogText? { self }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where a value stands.
  struct Place {
    let start: Int
    /// Where the enum stands whose payload it is; -1 for others.
    var enclosing = -1
  }

  /// What is thrown where the text looks different.
  struct Surprise: Error {}

  /// Whether all of the text was read as one value, with nothing that looked different.
  var isRead: Bool {
    !isGivenUp && finished == 0 && position == bytes.count && drift.isEmpty
  }

  /// Takes note that the text has to be read as a tree.
  func giveUp() { isGivenUp = true }

  /// The value at a place, as a tree.
  func json(at place: Place) -> JSON {
    bytes.withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      parser.position = place.start
      parser.depth = depth
      guard let json = try? parser.value() else {
        giveUp()
        return .null
      }
      position = parser.position
      finished = place.start
      return json
    }
  }

  /// Whether an object of the format's own stands there, such as `{"$double":"nan"}`.
  func isTagged(at place: Place) -> Bool {
    byte(at: place.start) == UInt8(ascii: "{") && byte(at: place.start + 2) == UInt8(ascii: "$")
  }

  /// Makes sure that a value was read to its end.
  func finish(_ place: Place) throws(Surprise) {
    guard finished == place.start else { throw Surprise() }
  }

  private func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func take(_ byte: UInt8) -> Bool {
    guard self.byte(at: position) == byte else { return false }
    position += 1
    return true
  }

  private func enter(_ byte: UInt8, at place: Place) throws(Surprise) {
    position = place.start
    depth += 1
    guard take(byte), depth <= JSON.deepestNesting else { throw Surprise() }
  }
}

extension LogText {
  /// Opens an object whose members are to be read.
  func beginObject(at place: Place) throws(Surprise) { try enter(UInt8(ascii: "{"), at: place) }

  /// Steps to the next member, which must have this name.
  func member(_ name: String) throws(Surprise) -> Place {
    guard take(UInt8(ascii: ",")) || position > 0 && bytes[position - 1] == UInt8(ascii: "{") else {
      throw Surprise()
    }
    var name = name
    let isNext = name.withUTF8 { name in
      bytes.withUnsafeBufferPointer { bytes in
        guard bytes.count - position > name.count + 3, let text = bytes.baseAddress,
          bytes[position] == UInt8(ascii: "\""), let base = name.baseAddress,
          memcmp(text + position + 1, base, name.count) == 0,
          bytes[position + name.count + 1] == UInt8(ascii: "\""),
          bytes[position + name.count + 2] == UInt8(ascii: ":")
        else { return false }
        // Names with a dollar are written with two.
        return name.first != UInt8(ascii: "$")
      }
    }
    guard isNext else { throw Surprise() }
    position += name.utf8.count + 3
    return Place(start: position)
  }

  /// Closes an object, and the enum whose payload it is.
  func endObject(at place: Place) {
    guard take(UInt8(ascii: "}")) else { return giveUp() }
    depth -= 1
    finished = place.start
    guard place.enclosing >= 0 else { return }
    guard take(UInt8(ascii: "}")) else { return giveUp() }
    depth -= 1
    finished = place.enclosing
  }

  /// Reads the name of an enum's case.
  func enumCase(at place: Place) throws(Surprise) -> (name: String, payload: Place) {
    try enter(UInt8(ascii: "{"), at: place)
    guard take(UInt8(ascii: "\"")), byte(at: position) != UInt8(ascii: "$") else {
      throw Surprise()
    }
    let start = position
    let name = bytes.withUnsafeBufferPointer { bytes in
      var end = start
      while end < bytes.count, Self.isPlain(bytes[end]) { end += 1 }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
    position += name.utf8.count
    guard take(UInt8(ascii: "\"")), take(UInt8(ascii: ":")) else { throw Surprise() }
    return (name, Place(start: position, enclosing: place.start))
  }

  /// Reads the elements of an array.
  func elements<Element>(
    at place: Place,
    _ read: (Place) throws -> Element
  ) throws -> [Element] {
    try enter(UInt8(ascii: "["), at: place)
    var elements: [Element] = []
    if !take(UInt8(ascii: "]")) {
      repeat { elements.append(try read(Place(start: position))) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw Surprise() }
    }
    depth -= 1
    finished = place.start
    return elements
  }

  /// Whether a byte stands for itself in a string; those beyond ASCII do too, and are looked at apart.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

// Scalars: `nil` for what does not look as expected, which is then read the long way.
extension LogText {
  private func take(_ text: StaticString, at place: Place) -> Bool {
    let count = text.utf8CodeUnitCount
    let isThere = bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count - place.start >= count, let base = bytes.baseAddress else { return false }
      return memcmp(base + place.start, text.utf8Start, count) == 0
    }
    guard isThere else { return false }
    position = place.start + count
    finished = place.start
    return true
  }

  /// Reads `null`.
  func null(at place: Place) -> Bool { take("null", at: place) }

  /// Reads a truth value.
  func bool(at place: Place) -> Bool? {
    if take("true", at: place) { return true }
    return take("false", at: place) ? false : nil
  }

  /// Reads a string.
  func string(at place: Place) -> String? {
    bytes.withUnsafeBufferPointer { bytes in
      guard byte(at: place.start) == UInt8(ascii: "\"") else { return nil }
      var parser = JSON.Parser(bytes: bytes)
      parser.position = place.start
      guard let text = try? parser.string() else { return nil }
      position = parser.position
      finished = place.start
      return text
    }
  }

  /// Reads an integer of at most 18 digits.
  func integer(at place: Place) -> Int? {
    guard let number = decimal(at: place), number.fractionDigits == 0,
      !number.hasPoint, !(number.isNegative && number.digits == 0)
    else { return nil }
    return number.isNegative ? -number.digits : number.digits
  }

  /// Reads a number that is the nearest `Double` to a quotient of two that `Double` holds exactly, and so rounded once.
  func double(at place: Place) -> Double? {
    guard let number = decimal(at: place), number.digits <= 1 << 53 else { return nil }
    let value = Double(number.digits) / Self.powersOfTen[number.fractionDigits]
    return number.isNegative ? -value : value
  }

  /// 10^0 to 10^18, each of which `Double` holds exactly.
  private static let powersOfTen: [Double] = (0...18).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private struct Decimal {
    var isNegative = false
    /// All digits, as one number.
    var digits = 0
    var fractionDigits = 0
    var hasPoint = false
  }

  /// Reads a number of at most 18 digits without an exponent.
  private func decimal(at place: Place) -> Decimal? {
    bytes.withUnsafeBufferPointer { bytes in
      var number = Decimal()
      var index = place.start
      func next() -> UInt8 { index < bytes.count ? bytes[index] : 0 }
      if next() == UInt8(ascii: "-") {
        number.isNegative = true
        index += 1
      }
      let start = index
      func digits() -> Int {
        let start = index
        while next() >= 0x30, next() <= 0x39 {
          number.digits = number.digits &* 10 &+ Int(next() & 0x0F)
          index += 1
        }
        return index - start
      }
      let whole = digits()
      guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
      if next() == UInt8(ascii: ".") {
        index += 1
        number.hasPoint = true
        number.fractionDigits = digits()
        guard number.fractionDigits > 0 else { return nil }
      }
      guard whole + number.fractionDigits <= 18, !JSON.Parser.isNumberByte(next()) else {
        return nil
      }
      position = index
      finished = place.start
      return number
    }
  }
}
