/// Compares two values by what they hold, and shows where they differ.
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
/// Values that can be compared with `==` are, at each level; all others by what a mirror shows of them. What is the same
/// on both sides is shortened.
///
/// - Parameters:
///   - lhs: The first value, marked `-`.
///   - rhs: The second value, marked `+`.
///   - format: The signs before the lines.
/// - Returns: The difference, nil if there is none.
public func diff<Value>(_ lhs: Value, _ rhs: Value, format: DiffFormat = .default) -> String? {
  guard !DumpEquality.areEqual(lhs, rhs) else { return nil }
  var printer = DiffPrinter()
  let block = printer.difference(DumpChild(value: lhs), DumpChild(value: rhs), isRoot: true)
  return block.lines.map { $0.text(in: format) }.joined(separator: "\n")
}
