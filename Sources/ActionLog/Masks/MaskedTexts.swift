/// What has been masked so far, so that it is found again where no path names it: in an error's description, in the key
/// of a dictionary, in a copy of the value.
package struct MaskedTexts: Sendable {
  /// Shorter values are masked only where a path names them: they would be found everywhere.
  static let shortest = 4
  /// Names of members are only changed for values of this length, or a short one would make the log unreadable.
  static let shortestInName = 8
  /// How many values are remembered while recording; the oldest go first.
  package static let most = 50_000

  private let most: Int
  private var order: [[UInt8]] = []
  private var oldest = 0
  /// The values and when each of them was learned.
  private var known: [[UInt8]: Int] = [:]
  /// The values by their first four bytes, the longest first.
  private var byStart: [UInt32: [[UInt8]]] = [:]

  init(most: Int) { self.most = most }

  /// Grows with each new value.
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
      // What belongs to the format is no secret, and a type's name isn't either.
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
    if name.utf8.count >= Self.shortestInName { insert(name) }
  }

  mutating func insert(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.shortest, known[bytes] == nil else { return }
    version += 1
    known[bytes] = version
    order.append(bytes)
    let start = Self.start(of: bytes[...])
    byStart[start, default: []].append(bytes)
    byStart[start]?.sort { $0.count > $1.count }
    guard known.count > most else { return }
    let gone = order[oldest]
    oldest += 1
    known[gone] = nil
    byStart[Self.start(of: gone[...])]?.removeAll { $0 == gone }
    if oldest > most {
      order.removeFirst(oldest)
      oldest = 0
    }
  }

  /// The values that were learned after a version.
  func newer(than version: Int) -> ArraySlice<[UInt8]> {
    order[oldest...].suffix(max(0, self.version - version))
  }

  /// Whether a number is one that was masked, in a version or before it.
  func contains(_ number: JSON.Number, by version: Int) -> Bool {
    known[Array(number.literal.utf8)].map { $0 <= version } ?? false
  }

  /// A text in which every value that was masked in a version or before it is replaced; `nil` when there is none in it.
  func replaced(
    in text: String,
    atLeast shortest: Int,
    by key: MaskKey,
    asOf version: Int
  ) -> String? {
    guard !known.isEmpty, text.utf8.count >= shortest else { return nil }
    var text = text
    return text.withUTF8 { replaced(in: $0, atLeast: shortest, by: key, asOf: version) }
  }

  private func replaced(
    in bytes: UnsafeBufferPointer<UInt8>,
    atLeast shortest: Int,
    by key: MaskKey,
    asOf version: Int
  ) -> String? {
    var result: [UInt8]?
    var index = 0
    var copied = 0
    while index + Self.shortest <= bytes.count {
      let rest = bytes[index...]
      let found = byStart[Self.start(of: rest)]?.first {
        $0.count >= shortest && rest.starts(with: $0) && known[$0].map { $0 <= version } ?? false
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

  private static func start(of bytes: some Collection<UInt8>) -> UInt32 {
    bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
