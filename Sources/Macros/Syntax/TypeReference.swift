/// A type as written, with the structure that macros need.
struct TypeReference: Equatable, Sendable {
  let snippet: Snippet
  let shape: Shape

  var text: String { snippet.text }

  indirect enum Shape: Equatable, Sendable {
    /// A named type with its components from left to right: `A.B<C>`.
    case named([Component])
    case optional(TypeReference)
    case implicitlyUnwrapped(TypeReference)
    case tuple([Element])
    case function(FunctionType)
    /// A type with attributes or specifiers: `@Sendable () -> Void`, `inout T`.
    case attributed([String], TypeReference)
    /// A constrained type: `some P` or `any P`.
    case constrained(String, TypeReference)
    case other
  }

  struct Component: Equatable, Sendable {
    let name: String
    let arguments: [TypeReference]
  }

  struct Element: Equatable, Sendable {
    let label: String?
    let secondName: String?
    let type: TypeReference
    let defaultValue: Snippet?
    let range: Range<Int>
  }

  struct FunctionType: Equatable, Sendable {
    let parameters: [Element]
    let isAsync: Bool
    let isThrowing: Bool
    /// The text of `E` in `throws(E)`.
    let thrownType: String?
    let result: TypeReference
  }
}

extension TypeReference {
  /// The components of a plain type name, possibly in parentheses, or `nil` for other types.
  var components: [Component]? {
    switch shape {
    case .named(let components): components
    case .tuple(let elements) where elements.count == 1 && elements[0].label == nil:
      elements[0].type.components
    default: nil
    }
  }

  /// The name without qualifiers: `B` for `A.B<C>`.
  var baseName: String? { components?.last?.name }

  /// The function type without attributes and parentheses, or `nil`.
  var function: FunctionType? {
    switch shape {
    case .function(let function): function
    case .attributed(_, let type): type.function
    case .tuple(let elements) where elements.count == 1 && elements[0].label == nil:
      elements[0].type.function
    default: nil
    }
  }

  var isOptional: Bool {
    switch shape {
    case .optional, .implicitlyUnwrapped: true
    case .named(let components): components.last?.name == "Optional"
    case .attributed(_, let type): type.isOptional
    default: false
    }
  }

  var isVoid: Bool {
    switch shape {
    case .tuple(let elements): elements.isEmpty
    case .named(let components): components.map(\.name).suffix(2).last == "Void"
    default: false
    }
  }
}
