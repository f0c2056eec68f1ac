/// A declaration, as far as macros have to know it.
struct Declaration: Equatable {
  let attributes: [Attribute]
  let modifiers: [Modifier]
  /// The word that introduces it: `struct`, `var`, `case`.
  let introducer: Snippet
  let content: Content
  let range: Range<Int>

  indirect enum Content: Equatable {
    case nominal(NominalType)
    case variable(Variable)
    case function(Function)
    case cases([EnumCase])
    case alias(Snippet)
    /// Imports, operators, associated types, freestanding macros and so on.
    case other
  }
}

/// A member of a type: a declaration, or some behind `#if`.
enum Member: Equatable {
  case declaration(Declaration)
  case conditional([Clause])

  /// `#if DEBUG` or `#else`, with the members that it guards.
  struct Clause: Equatable {
    let directive: Snippet
    let members: [Member]
  }
}

/// A struct, enum, class, actor, protocol or extension.
struct NominalType: Equatable {
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
struct GenericParameter: Equatable {
  let name: String
  /// `each`, `let` or nothing.
  let specifier: String?
  let constraint: TypeReference?
}

/// One `var` or `let` with all its bindings.
struct Variable: Equatable {
  let isLet: Bool
  let bindings: [Binding]

  struct Binding: Equatable {
    /// The names that the pattern binds; one, unless it is a tuple.
    let names: [Snippet]
    let pattern: Snippet
    let type: TypeReference?
    let initialValue: Snippet?
    let accessors: Accessors?
    let range: Range<Int>
  }

  struct Accessors: Equatable {
    /// `get`, `set`, `didSet`, ...; empty when the braces hold the getter's body.
    let names: [String]
    let range: Range<Int>
  }
}

/// A function, an initialiser or a subscript.
struct Function: Equatable {
  let name: Snippet
  let parameters: [TypeReference.Element]
  let result: TypeReference?
  let body: Snippet?
}

/// One case of an enum; `case a, b` are two of them.
struct EnumCase: Equatable {
  let name: Snippet
  /// The associated values; nil without parentheses.
  let payload: [TypeReference.Element]?
  let rawValue: Snippet?
  let range: Range<Int>
}
