/// A stored instance property of a structure and its access from generated code.
struct StoredProperty {
  let name: Snippet
  let isLet: Bool
  let hasInitialValue: Bool
  let declaration: Declaration
  let binding: Variable.Binding
  let access: Access

  enum Access: Equatable {
    /// The property itself, which an initializer sets.
    case direct
    /// A `let` with an initial value, which an initializer can't set again.
    case constant
    /// A `let` with a literal value, which is the same in all instances.
    case literal
    /// The storage `_name` of a macro, or of a wrapper that is itself logged.
    case storage
    /// The storage `_name` of a wrapper with arguments, which creates its own initial value, such as a shared value
    /// with a key.
    case keyedStorage
    /// A property wrapper that creates its own initial value.
    case wrapper
  }

  /// Whether binding actions refer to the wrapper of the property: `\.$name`.
  var isBindingState: Bool {
    declaration.attributes.contains { ["BindingState", "BindableState"].contains($0.baseName) }
  }

  /// Whether a property wrapper or an accessor macro computes the property, possibly from a reference.
  var isComputed: Bool {
    access == .wrapper || access == .direct && !declaration.wrappers.isEmpty
  }

  /// The expression with which encoders read the property.
  var expression: String {
    access == .storage || access == .keyedStorage ? name.prefixed("_") : name.text
  }
}

extension NominalType {
  /// Returns the stored properties that logs contain.
  ///
  /// In an observable state, plain variables have separate storage.
  static func loggedProperties(
    of declaration: Declaration,
    isObservable: Bool
  ) -> [StoredProperty] {
    declaration.storedProperties.compactMap { binding, name, isLet in
      guard let access = access(of: declaration, binding, isLet, isObservable) else { return nil }
      return StoredProperty(
        name: name,
        isLet: isLet,
        hasInitialValue: binding.initialValue != nil,
        declaration: declaration,
        binding: binding,
        access: access
      )
    }
  }

  /// Property wrappers that are logged themselves.
  private static let storingWrappers = [
    "BindableState", "BindingState", "PresentationState", "Presents",
  ]

  private static func access(
    of declaration: Declaration,
    _ binding: Variable.Binding,
    _ isLet: Bool,
    _ isObservable: Bool
  ) -> StoredProperty.Access? {
    let names = declaration.attributes.map(\.baseName)
    if names.contains("Dependency") || names.contains("LogIgnored") { return nil }
    if isLet {
      guard let value = binding.initialValue else { return .direct }
      return value.isLiteral ? .literal : .constant
    }
    if names.contains(where: storingWrappers.contains) { return .storage }
    if let shared = declaration.attribute("Shared") ?? declaration.attribute("SharedReader") {
      return shared.arguments == nil ? .storage : .keyedStorage
    }
    if let wrapper = declaration.wrappers.first {
      return binding.initialValue == nil && wrapper.arguments == nil ? .direct : .wrapper
    }
    return isObservable && declaration.isTrackable ? .storage : .direct
  }
}

extension Snippet {
  /// Whether the expression consists only of literals, without any evaluation such as an interpolation.
  fileprivate var isLiteral: Bool {
    guard let tokens = try? Lexer.tokens(of: SourceText(text)), !tokens.isEmpty else {
      return false
    }
    return tokens.allSatisfy { token in
      switch token.kind {
      case .number, .punctuation, .operator: true
      case .string: !token.text.contains("\\")
      case .identifier: ["true", "false", "nil"].contains(token.text)
      case .regex, .directive, .arrow: false
      }
    }
  }
}

extension Declaration {
  /// The attributes that may be property wrappers.
  fileprivate var wrappers: [Attribute] {
    attributes.filter { !Self.plainAttributes.contains($0.baseName) }
  }

  /// Attributes that are known not to be property wrappers.
  private static let plainAttributes: Set<String> = [
    "available", "ObservationStateIgnored", "ObservationStateTracked", "MainActor", "_spi", "objc",
    "usableFromInline", "inlinable", "preconcurrency", "DependencyEndpoint", "backDeployed",
  ]

  /// The stored instance properties of this declaration: the binding, the name, and whether it is a `let`.
  var storedProperties: [(binding: Variable.Binding, name: Snippet, isLet: Bool)] {
    guard let variable, !isStatic, !has(modifier: "lazy") else { return [] }
    // In `let a, b: Int`, the type or value belongs to both names.
    return variable.bindings.filter(\.isStored).flatMap { binding in
      binding.names.map { (binding, $0, variable.isLet) }
    }
  }
}

extension Declaration {
  /// Whether `@ObservableState` tracks this property: a stored instance variable that no other macro or wrapper
  /// manages.
  var isTrackable: Bool {
    guard let variable, !variable.isLet, !storedProperties.isEmpty else { return false }
    return attribute("ObservationStateIgnored") == nil
      && !attributes.contains { attribute in
        Self.untrackedAttributes.contains(attribute.baseName)
          || attribute.baseName.hasPrefix("Fetch")
      }
  }

  private static let untrackedAttributes: Set<String> = [
    "Presents", "Shared", "SharedReader", "ObservationIgnored", "PresentationState",
  ]
}
