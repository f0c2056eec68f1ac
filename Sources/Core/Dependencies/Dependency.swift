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
  let captured: DependencyValues
  private let location: IssueLocation
  private let readsKey: Bool
  private let read: @Sendable (DependencyValues) -> Value

  /// Reads the dependency at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: Where it is in the values of dependencies.
  ///   - fileID: The file of the property, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line of the property.
  ///   - column: The column of the property.
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

  /// Reads the dependency of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - fileID: The file of the property, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line of the property.
  ///   - column: The column of the property.
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

  /// Reads the dependency at a key path as a type that it is known to have, as in a test.
  ///
  /// ```swift
  /// @Dependency(\.continuousClock, as: TestClock<Duration>.self) var clock
  /// ```
  ///
  /// Reading it ends the program when it has another type.
  ///
  /// - Parameters:
  ///   - keyPath: Where it is in the values of dependencies.
  ///   - type: Its type.
  ///   - fileID: The file of the property, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line of the property.
  ///   - column: The column of the property.
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

  /// Reads the dependency of a key as a type that it is known to have, as in a test.
  ///
  /// Reading it ends the program when it has another type.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The dependency's type.
  ///   - fileID: The file of the property, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line of the property.
  ///   - column: The column of the property.
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

  /// The dependency as it is now.
  public var wrappedValue: Value {
    var values = DependencyValues._current.over(captured)
    values.reader = (location, readsKey)
    return read(values)
  }
}

extension Dependency: DependencyCapturing {}

/// A dependency that wraps another one.
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
