/// An attribute of a declaration: `@available(macOS 15, *)`, `@Reducer`, `@TCACore.Reducer`.
struct Attribute: Equatable {
  /// The name as written, qualified or not, without generic arguments.
  let name: String
  /// What the parentheses hold; nil without parentheses.
  let arguments: [Argument]?
  let snippet: Snippet

  /// The name without its qualifiers.
  var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }

  struct Argument: Equatable {
    let label: String?
    let value: Snippet
  }
}

/// A modifier: `public`, `private(set)`, `nonisolated(unsafe)`.
struct Modifier: Equatable {
  let name: String
  /// What stands in its parentheses.
  let detail: String?
  let range: Range<Int>
}
