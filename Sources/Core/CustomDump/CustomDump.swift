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
///   - value: The value to dump.
///   - name: The label to print before the value; `nil` for no label.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels to print. `…` replaces the contents of deeper values.
/// - Returns: The dumped value, unchanged.
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
/// `…` replaces the contents of a dump beyond 50,000 values or 100 levels. An object that occurs more than once is
/// written in full at its first occurrence, with a number. Later occurrences refer to that number: `#1 Node(↩︎)`. The
/// last line has no line feed.
///
/// - Parameters:
///   - value: The value to dump.
///   - target: The stream that receives the text.
///   - name: The label to write before the value; `nil` for no label.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels to write. `…` replaces the contents of deeper values.
/// - Returns: The dumped value, unchanged.
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
  /// Creates a string that describes a value and its contents, one member per line.
  ///
  /// - Parameters:
  ///   - value: The value to dump.
  ///   - maxDepth: The number of levels to write. `…` replaces the contents of deeper values.
  public init<Value>(customDumping value: Value, maxDepth: Int = .max) {
    let block = DumpPrinter.wholeBlock(of: DumpChild(value: value), depth: maxDepth)
    self = block.lines.map(\.plainText).joined(separator: "\n")
  }
}

/// A type with a custom mirror for dumps.
///
/// ```swift
/// extension Token: CustomDumpReflectable {
///   var customDumpMirror: Mirror { Mirror(self, children: ["owner": owner], displayStyle: .struct) }
/// }
/// ```
public protocol CustomDumpReflectable {
  /// The mirror whose children a dump shows.
  var customDumpMirror: Mirror { get }
}

/// A type whose values are represented by other values in dumps, such as a wrapper around a raw value.
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

/// A type with a custom textual representation for dumps.
///
/// ```swift
/// extension Currency: CustomDumpStringConvertible {
///   var customDumpDescription: String { "Currency(\(code))" }
/// }
/// ```
public protocol CustomDumpStringConvertible {
  /// The text that a dump shows in place of the value's contents.
  var customDumpDescription: String { get }
}
