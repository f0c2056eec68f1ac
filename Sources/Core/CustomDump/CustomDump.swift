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
///   - name: What stands before it, as a label.
///   - indent: How many spaces stand before each line.
///   - maxDepth: How many levels are written out; below them stands `…`.
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
  print(text, terminator: "")
  return value
}

/// Writes a value with all that it holds to a stream, one member to a line.
///
/// Very large and very deep values end in `…`, and objects that hold themselves in `(↩︎)`.
///
/// - Parameters:
///   - value: The value.
///   - target: The stream.
///   - name: What stands before the value, as a label.
///   - indent: How many spaces stand before each line.
///   - maxDepth: How many levels are written out; below them stands `…`.
/// - Returns: The value.
@discardableResult
public func customDump<Value, Target: TextOutputStream>(
  _ value: Value,
  to target: inout Target,
  name: String? = nil,
  indent: Int = 0,
  maxDepth: Int = .max
) -> Value {
  var printer = DumpPrinter()
  let child = DumpChild(label: name, value: value)
  let block = printer.block(of: child, isRoot: true, depth: maxDepth).indented(by: indent)
  for line in block.lines { target.write(line.plainText + "\n") }
  return value
}

extension String {
  /// Writes a value with all that it holds, one member to a line.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - maxDepth: How many levels are written out; below them stands `…`.
  public init<Value>(customDumping value: Value, maxDepth: Int = .max) {
    var printer = DumpPrinter()
    let block = printer.block(of: DumpChild(value: value), isRoot: true, depth: maxDepth)
    self = block.lines.map(\.plainText).joined(separator: "\n")
  }
}
