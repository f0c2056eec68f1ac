/// A stored instance property of a struct, and how generated code gets at it.
struct StoredProperty {
  let name: Snippet
  let isLet: Bool
  let hasInitialValue: Bool
  let declaration: Declaration
  let binding: Variable.Binding
  let access: Access

  enum Access: Equatable {
    /// The property itself, which an initialiser must or may set.
    case direct
    /// A `let` with a value, which no initialiser can set again.
    case constant
    /// A `let` with a literal: the code says what it is, in every value there is.
    case literal
    /// The stored property `_name`: of a wrapper whose own value goes into the log, or of a macro.
    case storage
    /// The same, of a wrapper with arguments, which has made its own initial value: a shared value with its key.
    case keyedStorage
    /// A property wrapper, which has made its own initial value.
    case wrapper
  }

  /// Whether binding actions name the wrapper of the property: `\.$name`.
  var isBindingState: Bool {
    declaration.attributes.contains { ["BindingState", "BindableState"].contains($0.baseName) }
  }

  /// Whether a property wrapper or an accessor macro computes it, from a reference perhaps.
  var isComputed: Bool {
    access == .wrapper || access == .direct && !declaration.wrappers.isEmpty
  }

  /// How encoders read it.
  var expression: String {
    access == .storage || access == .keyedStorage ? name.prefixed("_") : name.text
  }
}

extension NominalType {
  /// The stored properties that go into the log.
  ///
  /// In an observable state the plain variables have storage of their own.
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

  /// Wrappers whose own value goes into the log.
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
  /// Whether it is made of literals alone, without anything that is asked for, such as by an interpolation.
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

  /// Attributes that make no property wrapper.
  private static let plainAttributes: Set<String> = [
    "available", "ObservationStateIgnored", "ObservationStateTracked", "MainActor", "_spi", "objc",
    "usableFromInline", "inlinable", "preconcurrency", "DependencyEndpoint", "backDeployed",
  ]

  /// The stored instance properties that this declaration makes: binding, name, and whether it is a `let`.
  var storedProperties: [(binding: Variable.Binding, name: Snippet, isLet: Bool)] {
    guard let variable, !isStatic, !has(modifier: "lazy") else { return [] }
    // The type or value of `let a, b: Int` belongs to both.
    return variable.bindings.filter(\.isStored).flatMap { binding in
      binding.names.map { (binding, $0, variable.isLet) }
    }
  }
}

extension Declaration {
  /// Whether `@ObservableState` observes this property: a stored instance `var` that nothing else looks after.
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
