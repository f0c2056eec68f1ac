/// The signs that stand before the lines of a difference.
public struct DiffFormat: Hashable, Sendable {
  /// Stands before what only the first value has.
  public var first: String
  /// Stands before what only the second value has.
  public var second: String
  /// Stands before what both values have.
  public var both: String

  /// Makes a format.
  public init(first: String, second: String, both: String) {
    self.first = first
    self.second = second
    self.both = both
  }

  /// `-`, `+` and a space, for text of fixed width.
  public static let `default` = DiffFormat(first: "-", second: "+", both: " ")

  /// A minus sign and a space that are as wide as `+` in proportional type, such as in an editor's messages.
  public static let proportional = DiffFormat(first: "\u{2212}", second: "+", both: "\u{2007}")
}
