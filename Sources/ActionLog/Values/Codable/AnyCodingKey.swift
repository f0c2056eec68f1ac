/// A coding key that is nothing but its name.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = Int(name)
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(String(intValue)) }

  /// Where `superEncoder()` of a keyed container writes.
  static let `super` = AnyCodingKey("super")
}
