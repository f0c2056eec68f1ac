/// The `@Presents` macro.
///
/// Generates storage of type `PresentationState` for an optional property.
enum PresentsMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let property = PresentedProperty(context, reporting: true) else { return [] }
    return [
      """
      @storageRestrictions(initializes: \(property.storage))
      init(initialValue) {
        \(property.storage) = TCACore.PresentationState(wrappedValue: initialValue)
      }
      """,
      """
      get {
      \(property.reading.indented())
        return \(property.storage).wrappedValue
      }
      """,
      property.setter("\(property.storage).wrappedValue"),
    ] + property.modifier("\(property.storage).wrappedValue")
  }

  static func peers(in context: MacroContext) -> [String] {
    guard let property = PresentedProperty(context, reporting: false) else { return [] }
    let access = context.declaration.accessLevel.map { $0 + " " } ?? ""
    let type = "TCACore.PresentationState<\(property.wrapped)>"
    let ignored = property.isObservable ? "@TCACore.ObservationStateIgnored " : ""
    return [
      "\(ignored)private var \(property.storage) = \(type)(wrappedValue: \(property.initialValue))\(property.observers)",
      """
      \(access)var \(property.name.prefixed("$")): \(type) {
        get {
      \(property.reading.indented(by: 4))
          return \(property.storage)
        }
      \(([property.setter(property.storage)] + property.modifier(property.storage)).indented())
      }
      """,
    ]
  }

  /// The property with the attribute.
  private struct PresentedProperty {
    let name: Snippet
    let keyPath: String
    let wrapped: String
    let initialValue: String
    /// The `willSet` and `didSet` of the storage, preceded by a space.
    let observers: String
    /// Whether the enclosing type is an observable state and therefore has a registrar.
    let isObservable: Bool

    var storage: String { name.prefixed("_") }

    init?(_ context: MacroContext, reporting: Bool) {
      guard let variable = context.declaration.variable, !variable.isLet,
        variable.bindings.count == 1, variable.bindings[0].isStored,
        let binding = variable.bindings.first, let name = binding.names.first
      else {
        if reporting {
          context.diagnoseAttribute(
            .presentsNeedsVariable,
            fixIts: [context.removalOfAttribute]
          )
        }
        return nil
      }
      guard let wrapped = binding.type?.wrappedType else {
        if reporting { context.diagnose(.presentsNeedsOptional(name.name), at: name.range) }
        return nil
      }
      self.name = name
      self.wrapped = wrapped.text
      keyPath = "\\.\(name.text)"
      initialValue = binding.initialValue?.text ?? "nil"
      observers =
        binding.accessors.map { accessors in
          let storage = "\(name.prefixed("_")).wrappedValue"
          return " "
            + PropertyObservers(context.request.source.text(accessors.range))
            .of(name, storedAs: storage, isBoxed: true)
        } ?? ""
      isObservable = context.request.lexicalContext.first?.attribute("ObservableState") != nil
    }

    var reading: [String] {
      isObservable ? ["_$observationRegistrar.access(self, keyPath: \(keyPath))"] : []
    }

    func setter(_ target: String) -> String {
      guard isObservable else { return "set { \(target) = newValue }" }
      if !observers.isEmpty { return ObservedStorage(target, keyPath).setter }
      return """
        set {
          _$observationRegistrar._$willModify()
          _$observationRegistrar.mutate(
            self, keyPath: \(keyPath), &\(target), newValue, TCACore._$isIdentityEqual
          )
        }
        """
    }

    /// Returns the accessor that changes a target in place, if there are observers to notify.
    func modifier(_ target: String) -> [String] {
      guard isObservable else { return [] }
      if !observers.isEmpty { return [ObservedStorage(target, keyPath).modifier] }
      return [
        """
        _modify {
          _$observationRegistrar._$willModify()
          let oldValue = _$observationRegistrar.willModify(self, keyPath: \(keyPath), &\(target))
          defer {
            _$observationRegistrar.didModify(
              self, keyPath: \(keyPath), &\(target), oldValue, TCACore._$isIdentityEqual
            )
          }
          yield &\(target)
        }
        """
      ]
    }
  }
}

extension TypeReference {
  /// The type `T` in `T?` and `Optional<T>`.
  var wrappedType: TypeReference? {
    switch shape {
    case .optional(let wrapped): wrapped
    case .named(let components) where components.last?.name == "Optional":
      components.last?.arguments.first
    default: nil
    }
  }
}
