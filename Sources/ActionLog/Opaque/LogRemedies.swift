/// The lines of code that a log itself names for types of which it has nothing but the name.
///
/// An implementation of the model marks some types in a way of its own. Its recorder says so in the `environment` of the header, by the
/// last part of the types' names:
///
/// ```json
/// "remedies":{"State":"add @Loggable beside the @Reducer of {owner}"}
/// ```
package struct LogRemedies: Sendable, Equatable {
  private var lines: [String: String] = [:]

  /// None: all types are marked as values are.
  package init() {}

  /// Those of the `environment` in a header.
  package init(_ environment: JSON) {
    for (name, line) in environment["remedies"]?.object ?? JSON.Object() {
      if let line = line.string { lines[name] = line }
    }
  }

  /// The line for a type; `nil` when it is marked as any value is.
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
