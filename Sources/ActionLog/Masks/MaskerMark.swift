/// A mark at the start of a name or another string.
///
/// No value of an app starts with a mark. Marks contain 128 random bits, which differ in each process and are never
/// logged.
struct MaskerMark {
  private let prefix: String

  private init(_ kind: Character) { prefix = Self.start + String(kind) }

  /// Marks a name that is data, such as the key of a dictionary.
  static let data = MaskerMark("d")
  /// Marks the names of the property that a binding sets.
  static let names = MaskerMark("n")
  /// Marks the raw value of an enum.
  static let raw = MaskerMark("r")
  /// Marks an object that wraps a value with masked parts, as the object's first name.
  ///
  /// The object's member `paths` contains the patterns for these parts.
  static let masked = MaskerMark("m")
  /// Marks an object that contains the secret value behind a substitute, as the object's first name.
  static let secret = MaskerMark("s")

  /// The common prefix of all marks.
  ///
  /// Begins with a private-use scalar, so that nearly all other strings differ in the first byte.
  private static let start: String = {
    // Swift's system generator uses the random source of the kernel.
    var generator = SystemRandomNumberGenerator()
    let bits = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }
    return "\u{10FFFD}" + bits.joined(separator: ".") + "."
  }()

  private static let first = start.utf8.first

  /// The mark alone, as the name of a member.
  var name: String { prefix }

  /// Returns a string with the mark as its prefix.
  func on(_ text: String) -> String { prefix + text }

  /// Returns the key of a dictionary with the mark as its prefix.
  ///
  /// A key that starts with `$` gets a second `$`, like all names in a log.
  func on(key: String) -> String { on(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key) }

  /// Returns a string without this mark, or `nil` if the string doesn't start with the mark.
  func text(of text: String) -> String? {
    // Most strings have no mark, so the first byte is compared first.
    guard text.utf8.first == Self.first, text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Returns the text after a mark for code, or `nil` if the string has no such mark.
  ///
  /// Code includes the raw values of enums and the names of properties that bindings set.
  static func code(of text: String) -> String? { raw.text(of: text) ?? names.text(of: text) }

  /// Returns a string without its mark for data or code, or the same string if it has no such mark.
  static func removed(from text: String) -> String {
    data.text(of: text) ?? code(of: text) ?? text
  }
}
