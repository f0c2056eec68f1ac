/// A mark at the start of a name or text.
///
/// No value of an app starts with one. Marks contain 128 random bits, which differ in each process and are never
/// logged.
struct LogMark {
  private let prefix: String

  private init(_ kind: Character) { prefix = Self.start + String(kind) }

  /// A name that is data, such as the key of a dictionary.
  static let data = LogMark("d")
  /// The names of the property that a binding sets.
  static let names = LogMark("n")
  /// The raw value of an enum.
  static let raw = LogMark("r")
  /// The first name of an object that wraps a partly masked value.
  ///
  /// The member `paths` has the patterns.
  static let masked = LogMark("m")
  /// The first name of an object that holds the secret value behind a substitute.
  static let secret = LogMark("s")

  /// The common start of all marks.
  ///
  /// It begins with a private-use scalar, so that nearly all texts differ in the first byte.
  private static let start: String = {
    // Swift's system generator uses the kernel's.
    var generator = SystemRandomNumberGenerator()
    let bits = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }
    return "\u{10FFFD}" + bits.joined(separator: ".") + "."
  }()

  private static let first = start.utf8.first

  /// The mark without a text.
  var name: String { prefix }

  /// Returns a text with the mark.
  func on(_ text: String) -> String { prefix + text }

  /// Returns the key of a dictionary with the mark.
  ///
  /// A key that starts with `$` gets a second `$`, as names in a log do.
  func on(key: String) -> String { on(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key) }

  /// Returns a text without this mark, or `nil` if it doesn't start with the mark.
  func text(of text: String) -> String? {
    // Most texts have no mark, so the first byte is compared first.
    guard text.utf8.first == Self.first, text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Returns a text of code without its mark, or `nil` if the text may be data.
  static func code(of text: String) -> String? { raw.text(of: text) ?? names.text(of: text) }

  /// Returns a text without a mark of data or code.
  static func removed(from text: String) -> String {
    data.text(of: text) ?? code(of: text) ?? text
  }
}
