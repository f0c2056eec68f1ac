/// A property wrapper that reads a dependency.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// @Dependency(\.date.now) var now
/// @Dependency(APIClient.self) var api
/// ```
///
/// The wrapper captures the current dependencies when it is created. At each access, dependencies that are set for the
/// current task take precedence over the captured ones.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  let captured: DependencyValues
  private let location: IssueLocation
  private let readsKey: Bool
  private let read: @Sendable (DependencyValues) -> Value

  /// Creates a property that reads the dependency at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path from `DependencyValues` to the dependency.
  ///   - fileID: The module and name of the file that contains the property.
  ///   - filePath: The path of the file that contains the property.
  ///   - line: The line number of the property.
  ///   - column: The column number of the property.
  public init(
    _ keyPath: any KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.captured = DependencyValues._current
    self.location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.readsKey = false
    self.read = { $0[keyPath: keyPath] }
  }

  /// Creates a property that reads the dependency of a key.
  ///
  /// - Parameters:
  ///   - key: The type that serves as the dependency's key.
  ///   - fileID: The module and name of the file that contains the property.
  ///   - filePath: The path of the file that contains the property.
  ///   - line: The line number of the property.
  ///   - column: The column number of the property.
  public init<Key: TestDependencyKey & SendableMetatype>(
    _ key: Key.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Key.Value == Value {
    self.captured = DependencyValues._current
    self.location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.readsKey = true
    self.read = { $0[key] }
  }

  /// Creates a property that reads the dependency at a key path as a concrete type, such as a type that only tests
  /// use.
  ///
  /// ```swift
  /// @Dependency(\.continuousClock, as: TestClock<Duration>.self) var clock
  /// ```
  ///
  /// If the dependency has another type, reading the property is a fatal error.
  ///
  /// - Parameters:
  ///   - keyPath: The key path from `DependencyValues` to the dependency.
  ///   - type: The concrete type of the dependency.
  ///   - fileID: The module and name of the file that contains the property.
  ///   - filePath: The path of the file that contains the property.
  ///   - line: The line number of the property.
  ///   - column: The column number of the property.
  public init<Base>(
    _ keyPath: any KeyPath<DependencyValues, Base> & Sendable,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Value: SendableMetatype {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.captured = DependencyValues._current
    self.location = location
    self.readsKey = false
    self.read = { cast($0[keyPath: keyPath], to: type, at: location) }
  }

  /// Creates a property that reads the dependency of a key as a concrete type, such as the type that a test has set.
  ///
  /// If the dependency has another type, reading the property is a fatal error.
  ///
  /// - Parameters:
  ///   - key: The type that serves as the dependency's key.
  ///   - type: The concrete type of the dependency.
  ///   - fileID: The module and name of the file that contains the property.
  ///   - filePath: The path of the file that contains the property.
  ///   - line: The line number of the property.
  ///   - column: The column number of the property.
  public init<Key: TestDependencyKey & SendableMetatype>(
    _ key: Key.Type,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Value: SendableMetatype {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.captured = DependencyValues._current
    self.location = location
    self.readsKey = true
    self.read = { cast($0[key], to: type, at: location) }
  }

  /// The current value of the dependency.
  public var wrappedValue: Value {
    var values = DependencyValues._current.over(captured)
    values.reader = (location, readsKey)
    return read(values)
  }
}

extension Dependency: DependencyCapturing {}

/// A dependency that wraps another one, such as a clock whose reads are recorded.
protocol DependencyWrapping {
  var wrappedDependency: Any { get }
}

private func cast<Value>(_ value: Any, to type: Value.Type, at location: IssueLocation) -> Value {
  let found = (value as? any DependencyWrapping)?.wrappedDependency ?? value
  guard let value = found as? Value ?? value as? Value else {
    fatalError(
      Messages.dependencyOfAnotherType(Swift.type(of: found), expected: type),
      file: location.filePath,
      line: location.line
    )
  }
  return value
}
