/// Prints a value with all that it holds, one member to a line.
///
/// ```swift
/// customDump(user)
/// // User(
/// //   id: 2,
/// //   name: "Blob"
/// // )
/// ```
///
/// - Parameters:
///   - value: The value.
///   - name: The label before it.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels that are written out; deeper ones become `…`.
/// - Returns: The value.
@discardableResult
public func customDump<Value>(
  _ value: Value,
  name: String? = nil,
  indent: Int = 0,
  maxDepth: Int = .max
) -> Value {
  var text = ""
  customDump(value, to: &text, name: name, indent: indent, maxDepth: maxDepth)
  print(text)
  return value
}

/// Writes a value with all that it holds to a stream, one member to a line.
///
/// Very large and very deep values end in `…`. An object that comes more than once is written out where it comes first, with
/// a number, and is referred to by that number from then on: `#1 Node(↩︎)`. No line feed follows the last line.
///
/// - Parameters:
///   - value: The value.
///   - target: The stream.
///   - name: The label before the value.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels that are written out; deeper ones become `…`.
/// - Returns: The value.
@discardableResult
public func customDump<Value, Target: TextOutputStream>(
  _ value: Value,
  to target: inout Target,
  name: String? = nil,
  indent: Int = 0,
  maxDepth: Int = .max
) -> Value {
  let child = DumpChild(label: name, value: value)
  let block = DumpPrinter.wholeBlock(of: child, depth: maxDepth).indented(by: indent)
  target.write(block.lines.map(\.plainText).joined(separator: "\n"))
  return value
}

extension String {
  /// Writes a value with all that it holds, one member to a line.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - maxDepth: The number of levels that are written out; deeper ones become `…`.
  public init<Value>(customDumping value: Value, maxDepth: Int = .max) {
    let block = DumpPrinter.wholeBlock(of: DumpChild(value: value), depth: maxDepth)
    self = block.lines.map(\.plainText).joined(separator: "\n")
  }
}

/// A type that says with a mirror of its own what a dump shows of it.
///
/// ```swift
/// extension Token: CustomDumpReflectable {
///   var customDumpMirror: Mirror { Mirror(self, children: ["owner": owner], displayStyle: .struct) }
/// }
/// ```
public protocol CustomDumpReflectable {
  /// The content of the dump.
  var customDumpMirror: Mirror { get }
}

/// A type that another value represents in a dump, such as a box whose content alone matters.
///
/// ```swift
/// extension ID: CustomDumpRepresentable {
///   var customDumpValue: Any { rawValue }
/// }
/// ```
public protocol CustomDumpRepresentable {
  /// The value that a dump shows.
  var customDumpValue: Any { get }
}

/// A type that says with a text of its own what a dump shows of it.
///
/// ```swift
/// extension Currency: CustomDumpStringConvertible {
///   var customDumpDescription: String { "Currency(\(code))" }
/// }
/// ```
public protocol CustomDumpStringConvertible {
  /// The content of the dump.
  var customDumpDescription: String { get }
}
