import Synchronization

/// Runs an operation with the dependencies of a model, so that what it makes has them too.
///
/// ```swift
/// func rowTapped() {
///   detail = withDependencies(from: self) { DetailModel() }
/// }
/// ```
///
/// The model has the dependencies of the first of its `@Dependency` properties, else those with which it was returned from
/// `withDependencies`, of several around each other the innermost. The current ones win over them.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try withDependencies({ $0 = $0.over(values) }, operation: operation)
}

/// Runs an asynchronous operation with the dependencies of a model, so that what it makes has them too.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: The actor of the caller.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try await withDependencies({ $0 = $0.over(values) }, operation: operation)
}

/// Runs an operation with the dependencies of a model, some of them changed.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - update: Sets further dependencies.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try withDependencies(
    {
      $0 = $0.over(values)
      try update(&$0)
    },
    operation: operation
  )
}

/// Runs an asynchronous operation with the dependencies of a model, some of them changed.
///
/// - Parameters:
///   - model: Whose dependencies are used; it is an issue if it has none.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: The actor of the caller.
///   - update: Sets further dependencies.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let values = DependencyOwners.dependencies(of: model, at: location)
  return try await withDependencies(
    {
      $0 = $0.over(values)
      try await update(&$0)
    },
    operation: operation
  )
}

/// The objects that were made with dependencies of their own.
enum DependencyOwners {
  private struct Owner {
    let isAlive: @Sendable () -> Bool
    let values: DependencyValues
    /// How many objects were remembered before.
    let number: Int
  }

  private struct OwnerTable {
    var owners: [ObjectIdentifier: Owner] = [:]
    var count = 0
  }

  private static let contents = Mutex(OwnerTable())

  /// How many objects have been remembered, for `remember`; nil if what an operation returns is no object.
  static func count<R>(returning _: R.Type) -> Int? {
    R.self is AnyObject.Type ? contents.withLock { $0.count } : nil
  }

  /// Remembers the dependencies that an object was made with, and gives it back; anything else it just gives back.
  ///
  /// - Parameters:
  ///   - made: What an operation has returned.
  ///   - values: The dependencies of the operation.
  ///   - start: The count before the operation. What was remembered since was within it, and has its values and more.
  /// - Returns: What was made.
  static func remember<R>(_ made: R, with values: DependencyValues, since start: Int?) -> R {
    guard let start else { return made }
    let object = made as AnyObject
    let id = ObjectIdentifier(object)
    let isAlive = liveness(of: object)
    contents.withLock { contents in
      // Others have the address of an object once that has gone.
      contents.owners = contents.owners.filter { $0.value.isAlive() }
      if let owner = contents.owners[id], owner.number >= start { return }
      contents.owners[id] = Owner(isAlive: isAlive, values: values, number: contents.count)
      contents.count += 1
    }
    return made
  }

  /// The dependencies of an object, the current ones and an issue if it has none.
  ///
  /// Those of its own `@Dependency` properties come first: they are of where it was made.
  static func dependencies<Model: AnyObject>(
    of model: Model,
    at location: IssueLocation
  ) -> DependencyValues {
    var mirror: Mirror? = Mirror(reflecting: model)
    while let current = mirror {
      for case (_, let wrapper as any DependencyCapturing) in current.children {
        return wrapper.captured
      }
      mirror = current.superclassMirror
    }
    let owner = contents.withLock { $0.owners[ObjectIdentifier(model)] }
    if let owner, owner.isAlive() { return owner.values }
    reportIssue(Messages.modelWithoutDependencies(model), at: location)
    return DependencyValues._current
  }

  private static func liveness(of object: AnyObject) -> @Sendable () -> Bool {
    let reference = WeakReference(object)
    return { reference.isAlive }
  }
}

/// Unchecked: the reference is only compared with nil, which any thread may do.
private final class WeakReference: @unchecked Sendable {
  private weak var object: AnyObject?

  init(_ object: AnyObject) {
    self.object = object
  }

  var isAlive: Bool { object != nil }
}

/// A property wrapper that captured dependencies when it was made.
protocol DependencyCapturing {
  var captured: DependencyValues { get }
}
