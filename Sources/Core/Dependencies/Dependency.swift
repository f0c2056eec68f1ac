/// Reads a dependency where a feature uses it.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// @Dependency(\.date.now) var now
/// @Dependency(APIClient.self) var api
/// ```
///
/// The values that surround the wrapper's creation are captured. On access they are joined with
/// those of the current task, which win.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let captured: DependencyValues
  private let read: @Sendable (DependencyValues) -> Value

  /// Reads the dependency at a key path.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.captured = DependencyValues._current
    self.read = { $0[keyPath: keyPath] }
  }

  /// Reads the dependency of a key.
  public init<Key: TestDependencyKey & SendableMetatype>(_ key: Key.Type) where Key.Value == Value {
    self.captured = DependencyValues._current
    self.read = { $0[key] }
  }

  /// The dependency as it is now.
  public var wrappedValue: Value {
    read(DependencyValues._current.over(captured))
  }
}
