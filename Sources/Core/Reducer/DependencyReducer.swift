extension Reducer {
  /// Returns a reducer that sets a dependency for this one and its effects.
  ///
  /// If several calls set the same dependency, the call closest to the reducer takes precedence.
  ///
  /// ```swift
  /// Feature().dependency(\.uuid, .incrementing)
  /// ```
  @warn_unqualified_access
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value
  ) -> DependencyReducer<Self> {
    DependencyReducer(self) { $0[keyPath: keyPath] = value }
  }

  /// Returns a reducer that sets a dependency for this one and its effects, with the dependency's type as its key.
  @warn_unqualified_access
  public func dependency<Key: TestDependencyKey>(
    _ value: Key
  ) -> DependencyReducer<Self> where Key.Value == Key {
    DependencyReducer(self) { $0[Key.self] = value }
  }

  /// Returns a reducer that changes a dependency for this one and its effects.
  ///
  /// ```swift
  /// Onboarding().transformDependency(\.api) { $0.fetch = { [] } }  // the other endpoints are unchanged
  /// ```
  @warn_unqualified_access
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    transform: @escaping (_ dependency: inout Value) -> Void
  ) -> DependencyReducer<Self> {
    DependencyReducer(self) { transform(&$0[keyPath: keyPath]) }
  }
}

/// A reducer that sets dependencies for another reducer and its effects.
///
/// ```swift
/// Feature()
///   .dependency(\.uuid, .incrementing)
///   .dependency(\.date, .constant(now))
/// ```
public struct DependencyReducer<Base: Reducer>: Reducer {
  private let base: Base
  private let update: (inout DependencyValues) -> Void

  init(_ base: Base, _ update: @escaping (inout DependencyValues) -> Void) {
    self.base = base
    self.update = update
  }

  /// Returns a reducer that also sets another dependency.
  ///
  /// If two calls set the same dependency, the first call takes precedence.
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value
  ) -> Self {
    updating { $0[keyPath: keyPath] = value }
  }

  /// Returns a reducer that also sets another dependency, with the dependency's type as its key.
  public func dependency<Key: TestDependencyKey>(_ value: Key) -> Self where Key.Value == Key {
    updating { $0[Key.self] = value }
  }

  /// Returns a reducer that also changes another dependency.
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    transform: @escaping (_ dependency: inout Value) -> Void
  ) -> Self {
    updating { transform(&$0[keyPath: keyPath]) }
  }

  private func updating(_ first: @escaping (inout DependencyValues) -> Void) -> Self {
    Self(base) { [update] values in
      first(&values)
      update(&values)
    }
  }

  /// Runs the base reducer with the changed dependencies.
  public func reduce(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    var values = DependencyValues._current
    DependencyDefaults.$isSetting.withValue(true) { update(&values) }
    return DependencyValues.$_current.withValue(values) {
      base._reduce(into: &state, action: action)
    }
  }
}
