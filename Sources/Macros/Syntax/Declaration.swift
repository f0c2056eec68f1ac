/// A declaration, as far as macros need it.
struct Declaration: Equatable, Sendable {
  let attributes: [Attribute]
  let modifiers: [Modifier]
  /// The word that introduces it: `struct`, `var`, `case`.
  let introducer: Snippet
  let content: Content
  let range: Range<Int>

  indirect enum Content: Equatable, Sendable {
    case nominal(NominalType)
    case variable(Variable)
    case function(Function)
    case cases([EnumCase])
    case alias(Snippet)
    /// Imports, operators, associated types, freestanding macros and so on.
    case other
  }
}

/// A member of a type: a declaration, or several inside `#if`.
enum Member: Equatable, Sendable {
  case declaration(Declaration)
  case conditional([Clause])

  /// `#if DEBUG` or `#else`, with the members that it guards.
  struct Clause: Equatable, Sendable {
    let directive: Snippet
    let members: [Member]
  }
}

/// A struct, enum, class, actor, protocol or extension.
struct NominalType: Equatable, Sendable {
  let name: Snippet
  let genericParameters: [GenericParameter]
  let genericClause: Snippet?
  let inheritance: [TypeReference]
  let whereClause: Snippet?
  let members: [Member]
  /// The braces and all between them.
  let body: Range<Int>
}

/// `T: P` in `struct S<T: P>`.
struct GenericParameter: Equatable, Sendable {
  let name: String
  /// `each`, `let` or nothing.
  let specifier: String?
  let constraint: TypeReference?
}

/// One `var` or `let` with all its bindings.
struct Variable: Equatable, Sendable {
  let isLet: Bool
  let bindings: [Binding]

  struct Binding: Equatable, Sendable {
    /// The names that the pattern binds; one, unless it is a tuple.
    let names: [Snippet]
    let pattern: Snippet
    let type: TypeReference?
    let initialValue: Snippet?
    let accessors: Accessors?
    let range: Range<Int>
  }

  struct Accessors: Equatable, Sendable {
    /// `get`, `set`, `didSet`, ...; empty when the braces hold the getter's body.
    let names: [String]
    let range: Range<Int>
  }
}

/// A function, an initialiser or a subscript.
struct Function: Equatable, Sendable {
  let name: Snippet
  let parameters: [TypeReference.Element]
  let result: TypeReference?
  let body: Snippet?
}

/// One case of an enum; `case a, b` are two of them.
struct EnumCase: Equatable, Sendable {
  let name: Snippet
  /// The associated values; nil without parentheses.
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

  /// The attribute of this name, qualified or not.
  func attribute(_ name: String) -> Attribute? {
    attributes.first { $0.baseName == name }
  }

  func has(modifier name: String) -> Bool {
    modifiers.contains { $0.name == name && $0.detail == nil }
  }

  var isStatic: Bool { has(modifier: "static") || has(modifier: "class") }

  /// `open`, `public`, `package`, `fileprivate` or `private`, if it is stated.
  var accessLevel: String? {
    modifiers.first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name)
        && $0.detail == nil
    }?.name
  }

  /// The access of members generated for this type, followed by a blank: `public `, `package ` or nothing.
  var memberAccess: String {
    switch accessLevel {
    case "open", "public": "public "
    case "package": "package "
    default: ""
    }
  }

  /// The `@available` attributes, each on a line of its own.
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

  /// The nested type, alias or not, of this name.
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
  /// Whether it takes up room in the type: no accessors but observers.
  var isStored: Bool {
    guard let accessors else { return true }
    return !accessors.names.isEmpty
      && accessors.names.allSatisfy { $0 == "willSet" || $0 == "didSet" }
  }
}

extension Snippet {
  /// The name without back quotes.
  var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }
}

/// An attribute of a declaration: `@available(macOS 15, *)`, `@Reducer`, `@TCACore.Reducer`.
struct Attribute: Equatable, Sendable {
  /// The name as written, qualified or not, without generic arguments.
  let name: String
  /// The arguments in parentheses; nil without parentheses.
  let arguments: [Argument]?
  let snippet: Snippet

  /// The name without its qualifiers.
  var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }

  struct Argument: Equatable, Sendable {
    let label: String?
    let value: Snippet
  }
}

/// A modifier: `public`, `private(set)`, `nonisolated(unsafe)`.
struct Modifier: Equatable, Sendable {
  let name: String
  /// The text in its parentheses.
  let detail: String?
  let range: Range<Int>
}
