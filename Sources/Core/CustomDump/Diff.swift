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
/// At each level, `Equatable` values are compared with `==`, and all others by their mirrors. Equal members are
/// abbreviated.
///
/// - Parameters:
///   - lhs: The first value, marked `-`.
///   - rhs: The second value, marked `+`.
///   - format: The marks before the lines.
/// - Returns: The differences, or `nil` if the values are equal.
public func diff<Value>(_ lhs: Value, _ rhs: Value, format: DiffFormat = .default) -> String? {
  guard !DumpEquality.areEqual(lhs, rhs) else { return nil }
  var printer = DiffPrinter()
  let block = printer.difference(DumpChild(value: lhs), DumpChild(value: rhs), isRoot: true)
  return block.lines.map { $0.text(in: format) }.joined(separator: "\n")
}

/// The marks before the lines of a difference.
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

  /// Creates a format from three marks.
  public init(first: String, second: String, both: String) {
    self.first = first
    self.second = second
    self.both = both
  }

  /// The marks `-`, `+` and a space, for monospaced text.
  public static let `default` = DiffFormat(first: "-", second: "+", both: " ")

  /// A minus sign, `+` and a figure space, which have equal widths in the proportional fonts of editor messages.
  ///
  /// ```swift
  /// if let difference = diff(expected, actual, format: .proportional) { XCTFail(difference) }
  /// ```
  public static let proportional = DiffFormat(first: "\u{2212}", second: "+", both: "\u{2007}")
}

/// An object that stores its value before a change, so that a diff of the object with itself shows the change.
public protocol _CustomDiffObject {
  /// The values of the object before and after the change.
  var _customDiffValues: (Any, Any) { get }

  /// The identity of the object.
  var _objectIdentifier: ObjectIdentifier { get }
}

extension _CustomDiffObject where Self: AnyObject {
  /// The identity of the object.
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Returns the earlier and the current value of an object if both values are that object.
func customDiffValues(_ lhs: Any, _ rhs: Any) -> (before: Any, after: Any)? {
  guard let lhs = lhs as? any _CustomDiffObject, let rhs = rhs as? any _CustomDiffObject,
    lhs._objectIdentifier == rhs._objectIdentifier
  else { return nil }
  return lhs._customDiffValues
}

/// Compares values of any type: with `==` if available, otherwise by their mirrors.
struct DumpEquality {
  /// Pairs of objects that have been compared or are being compared.
  ///
  /// A recursive occurrence counts as equal.
  private var pairs: Set<[ObjectIdentifier]> = []
  private var depth = 0

  private init() {}

  static func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    var equality = DumpEquality()
    return equality.isEqual(lhs, rhs)
  }

  private mutating func isEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    if let change = customDiffValues(lhs, rhs) { return isEqual(change.before, change.after) }
    if let equal = Self.equated(lhs, rhs) { return equal }
    let first = SharedChangeTracker.onLeftSide { DumpShape.represented(lhs) }
    let second = DumpShape.represented(rhs)
    guard type(of: first) == type(of: second) else { return false }
    if let equal = Self.equated(first, second) { return equal }
    if type(of: first) is AnyClass {
      let ids = [ObjectIdentifier(first as AnyObject), ObjectIdentifier(second as AnyObject)]
      if ids[0] == ids[1] || !pairs.insert(ids).inserted { return true }
    }
    // Dumps don't show deeper levels, so the comparison ignores them.
    guard depth < DumpPrinter.deepest else { return true }
    depth += 1
    defer { depth -= 1 }
    return isEqual(DumpShape(of: first), DumpShape(of: second))
  }

  private mutating func isEqual(_ lhs: DumpShape, _ rhs: DumpShape) -> Bool {
    switch (lhs, rhs) {
    case (.text(let lhs), .text(let rhs)): return lhs == rhs
    case (.string(let lhs), .string(let rhs)): return lhs == rhs
    case (.container(let lhs), .container(let rhs)):
      guard lhs.isComparable(to: rhs), lhs.children.count == rhs.children.count else {
        return false
      }
      if lhs.arrangement == .unordered { return isEqual(unordered: lhs, rhs) }
      for (lhs, rhs) in zip(lhs.children, rhs.children) {
        guard lhs.label == rhs.label, isEqual(lhs.value, rhs.value) else { return false }
      }
      return true
    default: return false
    }
  }

  private mutating func isEqual(unordered lhs: DumpContainer, _ rhs: DumpContainer) -> Bool {
    let second = Dictionary(rhs.children.map { ($0.identity, $0.value) }) { first, _ in first }
    for child in lhs.children {
      guard let other = second[child.identity], isEqual(child.value, other) else { return false }
    }
    return true
  }

  /// Returns the result of `==`, or `nil` if the type isn't `Equatable`.
  static func equated(_ lhs: Any, _ rhs: Any) -> Bool? {
    func isEqual<Value: Equatable>(_ lhs: Value) -> Bool {
      guard type(of: lhs as Any) == type(of: rhs), let rhs = rhs as? Value else { return false }
      return lhs == rhs
    }
    return (lhs as? any Equatable).map { isEqual($0) }
  }
}
