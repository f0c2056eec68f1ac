/// Returns the differences between the contents of two values.
///
/// ```swift
/// diff(User(id: 1, name: "Blob"), User(id: 1, name: "Blob Jr."))
/// //   User(
/// //     id: 1,
/// // -   name: "Blob"
/// // +   name: "Blob Jr."
/// //   )
/// ```
///
/// At each level, `Equatable` values are compared with `==`, and all others by their mirrors. The result abbreviates
/// equal members.
///
/// - Parameters:
///   - lhs: The first value. By default, its lines are marked `-`.
///   - rhs: The second value. By default, its lines are marked `+`.
///   - format: The marks before the lines of each value.
/// - Returns: The differences, or `nil` if the values are equal.
public func diff<Value>(_ lhs: Value, _ rhs: Value, format: DiffFormat = .default) -> String? {
  guard !DumpEquality.areEqual(lhs, rhs) else { return nil }
  var printer = DiffPrinter()
  let block = printer.difference(DumpChild(value: lhs), DumpChild(value: rhs), isRoot: true)
  return block.lines.map { $0.text(in: format) }.joined(separator: "\n")
}

/// The marks before the lines of a difference between two values.
///
/// ```swift
/// diff(1, 2, format: DiffFormat(first: "<", second: ">", both: " "))
/// // < 1
/// // > 2
/// ```
public struct DiffFormat: Hashable, Sendable {
  /// The mark of lines that belong to the first value.
  public var first: String
  /// The mark of lines that belong to the second value.
  public var second: String
  /// The mark of lines that belong to both values.
  public var both: String

  /// Creates a format from the marks of the first value, the second value, and both values.
  public init(first: String, second: String, both: String) {
    self.first = first
    self.second = second
    self.both = both
  }

  /// The marks `-`, `+`, and a space, for monospaced text.
  public static let `default` = DiffFormat(first: "-", second: "+", both: " ")

  /// The marks `−` (minus sign), `+`, and a figure space, which have equal widths in the proportional fonts of editors.
  ///
  /// ```swift
  /// if let difference = diff(expected, actual, format: .proportional) { XCTFail(difference) }
  /// ```
  public static let proportional = DiffFormat(first: "\u{2212}", second: "+", both: "\u{2007}")
}

/// An object that stores its value before a change, so that a diff of the object with itself shows the change.
public protocol _CustomDiffObject {
  /// The value of the object before the change, and its current value.
  var _customDiffValues: (Any, Any) { get }

  /// The identity of the object.
  var _objectIdentifier: ObjectIdentifier { get }
}

extension _CustomDiffObject where Self: AnyObject {
  /// The identity of the object.
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Returns the values before and after a change if both arguments are the same `_CustomDiffObject`, otherwise `nil`.
func customDiffValues(_ lhs: Any, _ rhs: Any) -> (before: Any, after: Any)? {
  guard let lhs = lhs as? any _CustomDiffObject, let rhs = rhs as? any _CustomDiffObject,
    lhs._objectIdentifier == rhs._objectIdentifier
  else { return nil }
  return lhs._customDiffValues
}
