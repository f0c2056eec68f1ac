import ActionLog

/// The structure of a state without its exact values.
///
/// A shape consists of members and cases, size classes of arrays, strings, and numbers, and Boolean values.
struct StateShape {
  /// A hash of the entire shape.
  let hash: UInt64
  /// Hashes of the strings and numbers in the state, each with a hash of its path.
  private let values: [HashedValue]
  /// Distinct hashes, each of a path and the shape of the value at the path.
  let parts: [UInt64]

  private struct HashedValue {
    var value: UInt64
    var place: UInt64
  }

  init(of state: JSONText) {
    (hash, values, parts) = state.withBytes { bytes in
      var reader = ShapeReader(bytes)
      return (reader.value(), reader.values, reader.parts)
    }
  }

  /// Returns a hash of the paths at which the state contains the values of an action.
  ///
  /// An action for an existing list element therefore has another hash than an action for a missing element, even if
  /// the same number occurs at another path.
  func relation(to action: StateShape) -> UInt64 {
    action.values.reduce(1) { relation, wanted in
      var places: [UInt64] = []
      for value in values where value.value == wanted.value && !places.contains(value.place) {
        places.append(value.place)
      }
      return Self.mix(relation, places.reduce(3, &+))
    }
  }

  /// The number of strings and numbers in the state.
  var valueCount: Int { values.count }

  /// The approximate number of distinct strings and numbers, which is at most 1,024.
  ///
  /// The result is almost exact if it is small.
  var differentValues: Int {
    var bits = [UInt64](repeating: 0, count: 16)
    for value in values { bits[Int(value.value >> 6 & 15)] |= 1 << (value.value & 63) }
    return bits.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// Returns a hash of strings and numbers that is the same in every process.
  static func hash(_ texts: [String], _ numbers: UInt64...) -> UInt64 {
    var hash = seed
    for text in texts {
      for byte in text.utf8 { hash = mix(hash, UInt64(byte)) }
      hash = mix(hash, 0xFF)
    }
    for number in numbers { hash = mix(hash, number) }
    return hash
  }

  fileprivate static let seed: UInt64 = 0xA076_1D64_78BD_642F

  fileprivate static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let product = (hash ^ value).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low ^ (hash << 31 | hash >> 33)
  }

  /// Returns the size class of a number, where the classes are 0, 1, 2, 3 to 4, 5 to 8, and so on.
  static func size(_ number: Int) -> UInt64 {
    UInt64(Int.bitWidth - max(0, number - 1).leadingZeroBitCount) + (number > 0 ? 1 : 0)
  }

  /// Scans JSON without creating values.
  ///
  /// The JSON must be valid, because this process has written it.
  private struct ShapeReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// A hash of the current path.
    private var place = StateShape.seed
    private(set) var values: [HashedValue] = []
    private(set) var parts: [UInt64] = []
    private var knownParts: Set<UInt64> = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func value() -> UInt64 {
      switch byte {
      case UInt8(ascii: "{"): object()
      case UInt8(ascii: "["): array()
      case UInt8(ascii: "\""): kept { StateShape.mix(1, StateShape.size($0.text().count)) }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): word()
      default: kept { $0.number() }
      }
    }

    /// Scans a value with a function, and adds the value to `values`.
    private mutating func kept(_ read: (inout Self) -> UInt64) -> UInt64 {
      let start = index
      let shape = read(&self)
      var value = StateShape.seed
      for byte in bytes[start..<min(index, bytes.count)] {
        value = StateShape.mix(value, UInt64(byte))
      }
      values.append(HashedValue(value: value, place: place))
      recordShape(shape)
      return shape
    }

    /// Adds the current path with a shape to `parts`.
    private mutating func recordShape(_ shape: UInt64) {
      let part = StateShape.mix(place, shape)
      if knownParts.insert(part).inserted { parts.append(part) }
    }

    private mutating func object() -> UInt64 {
      index += 1
      var hash = StateShape.seed
      let whole = place
      defer { place = whole }
      while index < bytes.count, byte != UInt8(ascii: "}") {
        if byte == UInt8(ascii: ",") { index += 1 }
        let key = text()
        var name: UInt64 = 0
        // A key that is long or contains digits is probably an id, so it is not part of the shape.
        if key.count <= 24, !bytes[key].contains(where: { $0 >= 0x30 && $0 <= 0x39 }) {
          for byte in bytes[key] { name = StateShape.mix(name, UInt64(byte)) }
        }
        index += 1
        place = StateShape.mix(whole, name)
        hash = StateShape.mix(StateShape.mix(hash, name), value())
      }
      index += 1
      return hash
    }

    private mutating func array() -> UInt64 {
      index += 1
      var count = 0
      let whole = place
      place = StateShape.mix(whole, 7)
      // The shape contains up to four distinct shapes of elements, in any order.
      var shapes: [UInt64] = []
      while index < bytes.count, byte != UInt8(ascii: "]") {
        if byte == UInt8(ascii: ",") { index += 1 }
        let shape = value()
        count += 1
        if shapes.count < 4, !shapes.contains(shape) { shapes.append(shape) }
      }
      index += 1
      place = whole
      recordShape(StateShape.mix(2, StateShape.size(count)))
      return StateShape.mix(shapes.reduce(2, &+), StateShape.size(count))
    }

    /// Scans a string, and returns the range of its bytes between the quotes.
    private mutating func text() -> Range<Int> {
      index += 1
      let start = index
      while index < bytes.count, byte != UInt8(ascii: "\"") {
        index += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(index, bytes.count)
      index += 1
      return start..<end
    }

    private mutating func word() -> UInt64 {
      let first = byte
      index += first == UInt8(ascii: "f") ? 5 : 4
      recordShape(UInt64(first))
      return UInt64(first)
    }

    private mutating func number() -> UInt64 {
      let isNegative = byte == UInt8(ascii: "-")
      if isNegative { index += 1 }
      var value = 0
      let start = index
      while index < bytes.count {
        switch byte {
        case 0x30...0x39:
          if value < 1 << 40 { value = value * 10 + Int(byte - 0x30) }
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
          UInt8(ascii: "-"):
          break
        default: return StateShape.mix(isNegative ? 4 : 3, StateShape.size(value))
        }
        index += 1
      }
      if index == start { index += 1 }
      return StateShape.mix(isNegative ? 4 : 3, StateShape.size(value))
    }
  }
}
