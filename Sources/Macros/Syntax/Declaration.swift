/// A declaration, with the parts that macros need.
struct Declaration: Equatable, Sendable {
  let attributes: [Attribute]
  let modifiers: [Modifier]
  /// The keyword that introduces the declaration: `struct`, `var`, `case`.
  let introducer: Snippet
  let content: Content
  let range: Range<Int>

  indirect enum Content: Equatable, Sendable {
    case nominal(NominalType)
    case variable(Variable)
    case function(Function)
    case cases([EnumCase])
    case alias(Snippet)
    /// Any other declaration, such as an import, an operator, an associated type or a freestanding macro.
    case other
  }
}

/// A member of a type: a declaration, or several inside `#if`.
enum Member: Equatable, Sendable {
  case declaration(Declaration)
  case conditional([Clause])

  /// A clause such as `#if DEBUG` or `#else`, with its members.
  struct Clause: Equatable, Sendable {
    let directive: Snippet
    let members: [Member]
  }
}

/// A structure, enum, class, actor, protocol or extension.
struct NominalType: Equatable, Sendable {
  let name: Snippet
  let genericParameters: [GenericParameter]
  let genericClause: Snippet?
  let inheritance: [TypeReference]
  let whereClause: Snippet?
  let members: [Member]
  /// The braces and their contents.
  let body: Range<Int>
}

/// A generic parameter, such as `T: P` in `struct S<T: P>`.
struct GenericParameter: Equatable, Sendable {
  let name: String
  /// The specifier `each` or `let`, or `nil`.
  let specifier: String?
  let constraint: TypeReference?
}

/// A `var` or `let` with all its bindings.
struct Variable: Equatable, Sendable {
  let isLet: Bool
  let bindings: [Binding]

  struct Binding: Equatable, Sendable {
    /// The names that the pattern binds.
    ///
    /// A tuple pattern binds several.
    let names: [Snippet]
    let pattern: Snippet
    let type: TypeReference?
    let initialValue: Snippet?
    let accessors: Accessors?
    let range: Range<Int>
  }

  struct Accessors: Equatable, Sendable {
    /// The accessors, such as `get`, `set` and `didSet`.
    ///
    /// Empty if the braces contain the body of the getter.
    let names: [String]
    let range: Range<Int>
  }
}

/// A function, an initializer or a subscript.
struct Function: Equatable, Sendable {
  let name: Snippet
  let parameters: [TypeReference.Element]
  let result: TypeReference?
  let body: Snippet?
}

/// A case of an enum.
///
/// `case a, b` declares two.
struct EnumCase: Equatable, Sendable {
  let name: Snippet
  /// The associated values, or `nil` without parentheses.
  let payload: [TypeReference.Element]?
  let rawValue: Snippet?
  let range: Range<Int>
}

extension Declaration {
  var nominal: NominalType? {
    if case .nominal(let type) = content { type } else { nil }
  }

  var variable: Variable? {
    if case .variable(let variable) = content { variable } else { nil }
  }

  var function: Function? {
    if case .function(let function) = content { function } else { nil }
  }

  /// Returns the attribute with a name, qualified or not.
  func attribute(_ name: String) -> Attribute? {
    attributes.first { $0.baseName == name }
  }

  func has(modifier name: String) -> Bool {
    modifiers.contains { $0.name == name && $0.detail == nil }
  }

  var isStatic: Bool { has(modifier: "static") || has(modifier: "class") }

  /// The explicit access level: `open`, `public`, `package`, `fileprivate`, `private`, or `nil`.
  var accessLevel: String? {
    modifiers.first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name)
        && $0.detail == nil
    }?.name
  }

  /// The access level of members generated for this type, followed by a space: `public `, `package ` or empty.
  var memberAccess: String {
    switch accessLevel {
    case "open", "public": "public "
    case "package": "package "
    default: ""
    }
  }

  /// The `@available` attributes, one per line.
  var availability: String {
    attributes.filter { $0.name == "available" }.map { $0.snippet.text + "\n" }.joined()
  }
}

extension NominalType {
  /// The declarations among the members, including those inside `#if`.
  var declarations: [Declaration] { members.flatMap(\.declarations) }

  func inherits(_ name: String) -> Bool {
    inheritance.contains { $0.baseName == name }
  }

  /// Returns the nested type or type alias with a name.
  func nestedType(_ name: String) -> Declaration? {
    declarations.first { declaration in
      switch declaration.content {
      case .nominal(let type):
        type.name.text == name && declaration.introducer.text != "extension"
      case .alias(let alias): alias.text == name
      default: false
      }
    }
  }
}

extension Member {
  var declarations: [Declaration] {
    switch self {
    case .declaration(let declaration): [declaration]
    case .conditional(let clauses): clauses.flatMap { $0.members.flatMap(\.declarations) }
    }
  }
}

extension Variable.Binding {
  /// Whether the property is stored: it has no accessors except observers.
  var isStored: Bool {
    guard let accessors else { return true }
    return !accessors.names.isEmpty
      && accessors.names.allSatisfy { $0 == "willSet" || $0 == "didSet" }
  }
}

extension Snippet {
  /// The name without backticks.
  var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }
}

/// An attribute of a declaration: `@available(macOS 15, *)`, `@Reducer`, `@TCACore.Reducer`.
struct Attribute: Equatable, Sendable {
  /// The name as written, possibly qualified, without generic arguments.
  let name: String
  /// The arguments in parentheses, or `nil` without parentheses.
  let arguments: [Argument]?
  let snippet: Snippet

  /// The name without qualifiers.
  var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }

  struct Argument: Equatable, Sendable {
    let label: String?
    let value: Snippet
  }
}

/// A modifier: `public`, `private(set)`, `nonisolated(unsafe)`.
struct Modifier: Equatable, Sendable {
  let name: String
  /// The text in parentheses, or `nil`.
  let detail: String?
  let range: Range<Int>
}
