/// The `@ObservationStateTracked` macro.
///
/// Generates storage `_x` for a property, and accessors that notify observers.
enum ObservationStateTrackedMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let binding = binding(in: context), let name = binding.names.first else { return [] }
    let storage = name.prefixed("_")
    let keyPath = "\\.\(name.text)"
    return initAndGet(storage, keyPath)
      + (binding.accessors == nil
        ? setAndModify(storage, keyPath)
        : [
          ObservedStorage(storage, keyPath, compared: true).setter,
          ObservedStorage(storage, keyPath).modifier,
        ])
  }

  private static func initAndGet(_ storage: String, _ keyPath: String) -> [String] {
    [
      """
      @storageRestrictions(initializes: \(storage))
      init(initialValue) {
        \(storage) = initialValue
      }
      """,
      """
      get {
        _$observationRegistrar.access(self, keyPath: \(keyPath))
        return \(storage)
      }
      """,
    ]
  }

  private static func setAndModify(_ storage: String, _ keyPath: String) -> [String] {
    [
      """
      set {
        _$observationRegistrar._$willModify()
        _$observationRegistrar.mutate(
          self, keyPath: \(keyPath), &\(storage), newValue,
          TCACore._$isIdentityEqual, TCACore._$shouldNotifyObservers
        )
      }
      """,
      """
      _modify {
        _$observationRegistrar._$willModify()
        let oldValue = _$observationRegistrar.willModify(self, keyPath: \(keyPath), &\(storage))
        defer {
          _$observationRegistrar.didModify(
            self, keyPath: \(keyPath), &\(storage), oldValue, TCACore._$isIdentityEqual
          )
        }
        yield &\(storage)
      }
      """,
    ]
  }

  static func peers(in context: MacroContext) -> [String] {
    guard let binding = binding(in: context), let name = binding.names.first else { return [] }
    let attributes = context.declaration.attributes
      .filter { $0.baseName != "ObservationStateTracked" }
      .map { $0.snippet.text + " " }
      .joined()
    let type = binding.type.map { ": \($0.text)" } ?? ""
    let value = binding.initialValue.map { " = \($0.text)" } ?? ""
    let observers =
      binding.accessors.map {
        let text = context.request.source.text($0.range)
        return " " + PropertyObservers(text).of(name, storedAs: name.prefixed("_"))
      } ?? ""
    return [
      "@TCACore.ObservationStateIgnored \(attributes)private var \(name.prefixed("_"))\(type)\(value)\(observers)"
    ]
  }

  private static func binding(in context: MacroContext) -> Variable.Binding? {
    guard let variable = context.declaration.variable, variable.bindings.count == 1,
      variable.bindings[0].isStored
    else { return nil }
    return variable.bindings[0]
  }
}
