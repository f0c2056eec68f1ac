/// Prints a value and its contents, one member per line.
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
///   - value: The value to print.
///   - name: The label before the value.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels to print. Deeper values are shown as `…`.
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

/// Writes a value and its contents to a stream, one member per line.
///
/// Very large and very deep values end in `…`. An object that occurs more than once is written in full at its first
/// occurrence, with a number. Later occurrences refer to that number: `#1 Node(↩︎)`. The last line has no line feed.
///
/// - Parameters:
///   - value: The value to write.
///   - target: The stream.
///   - name: The label before the value.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels to write. Deeper values are shown as `…`.
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
  /// Creates a string from a value and its contents, one member per line.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - maxDepth: The number of levels to write. Deeper values are shown as `…`.
  public init<Value>(customDumping value: Value, maxDepth: Int = .max) {
    let block = DumpPrinter.wholeBlock(of: DumpChild(value: value), depth: maxDepth)
    self = block.lines.map(\.plainText).joined(separator: "\n")
  }
}

/// A type that provides a custom mirror for dumps.
///
/// ```swift
/// extension Token: CustomDumpReflectable {
///   var customDumpMirror: Mirror { Mirror(self, children: ["owner": owner], displayStyle: .struct) }
/// }
/// ```
public protocol CustomDumpReflectable {
  /// The mirror that a dump shows.
  var customDumpMirror: Mirror { get }
}

/// A type that another value represents in dumps, such as a wrapper around a raw value.
///
/// ```swift
/// extension ID: CustomDumpRepresentable {
///   var customDumpValue: Any { rawValue }
/// }
/// ```
public protocol CustomDumpRepresentable {
  /// The value that a dump shows in place of this one.
  var customDumpValue: Any { get }
}

/// A type that provides custom text for dumps.
///
/// ```swift
/// extension Currency: CustomDumpStringConvertible {
///   var customDumpDescription: String { "Currency(\(code))" }
/// }
/// ```
public protocol CustomDumpStringConvertible {
  /// The text that a dump shows.
  var customDumpDescription: String { get }
}
