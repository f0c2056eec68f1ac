extension Reducer {
  /// Sets a dependency for a reducer and its effects.
  ///
  /// The one that is set closest to the reducer wins.
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

  /// Sets a dependency that is its own key.
  @warn_unqualified_access
  public func dependency<Key: TestDependencyKey>(
    _ value: Key
  ) -> DependencyReducer<Self> where Key.Value == Key {
    DependencyReducer(self) { $0[Key.self] = value }
  }

  /// Changes a dependency for a reducer and its effects.
  @warn_unqualified_access
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    transform: @escaping (_ dependency: inout Value) -> Void
  ) -> DependencyReducer<Self> {
    DependencyReducer(self) { transform(&$0[keyPath: keyPath]) }
  }
}

/// A reducer for which dependencies are set.
public struct DependencyReducer<Base: Reducer>: Reducer {
  private let base: Base
  private let update: (inout DependencyValues) -> Void

  init(_ base: Base, _ update: @escaping (inout DependencyValues) -> Void) {
    self.base = base
    self.update = update
  }

  /// Runs the reducer with the dependencies set.
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
