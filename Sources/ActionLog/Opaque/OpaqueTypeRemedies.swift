/// Instructions in a log for making opaque types loggable.
///
/// A library other than TCACore may need other macros for some types. Its recorder writes the instructions to
/// `environment` in the header, keyed by the last component of the type's name:
///
/// ```json
/// "remedies":{"State":"add @Loggable beside the @Reducer of {owner}"}
/// ```
package struct OpaqueTypeRemedies: Sendable, Equatable {
  private var lines: [String: String] = [:]

  /// Creates an empty list, for logs whose recorder writes no instructions.
  package init() {}

  /// Reads the instructions from a header's `environment`.
  package init(_ environment: JSON) {
    for (name, line) in environment["remedies"]?.object ?? JSON.Object() {
      if let line = line.string { lines[name] = line }
    }
  }

  /// Returns the instruction for a type, or `nil` if the log has none for it.
  package func line(for type: String) -> String? {
    guard !lines.isEmpty else { return nil }
    let names = type.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count > 1, let line = lines[String(names[names.count - 1])] else { return nil }
    let owner = names.dropLast().joined(separator: ".")
    return Notation.visible(
      line.replacing("{type}", with: type).replacing("{owner}", with: owner)
    )
  }
}
