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
  ///   - maxDepth: How many levels are written out; below them stands `…`.
  public init<Value>(customDumping value: Value, maxDepth: Int = .max) {
    let block = DumpPrinter.wholeBlock(of: DumpChild(value: value), depth: maxDepth)
    self = block.lines.map(\.plainText).joined(separator: "\n")
  }
}
