import Synchronization

/// Runs an operation with the dependencies of a model, and passes them on to models that the operation creates.
///
/// ```swift
/// func rowTapped() {
///   detail = withDependencies(from: self) { DetailModel() }
/// }
/// ```
///
/// The model's dependencies are those of its first `@Dependency` property. A model without such a property has the
/// dependencies of the innermost `withDependencies` call that returned it. Dependencies that are currently set take
/// precedence.
///
/// - Parameters:
///   - model: The model whose dependencies are used. If it has none, the call reports an issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
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

/// Runs an asynchronous operation with the dependencies of a model, and passes them on to models that the
/// operation creates.
///
/// - Parameters:
///   - model: The model whose dependencies are used. If it has none, the call reports an issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
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

/// Runs an operation with the dependencies of a model, some of which a closure changes.
///
/// - Parameters:
///   - model: The model whose dependencies are used. If it has none, the call reports an issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - update: A closure that changes the dependencies of the model.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
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

/// Runs an asynchronous operation with the dependencies of a model, some of which a closure changes.
///
/// - Parameters:
///   - model: The model whose dependencies are used. If it has none, the call reports an issue.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - update: A closure that changes the dependencies of the model.
///   - operation: The operation to run.
/// - Returns: The result of the operation.
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

/// The objects that `withDependencies` calls have returned, with their dependencies.
enum DependencyOwners {
  private struct Owner {
    let isAlive: @Sendable () -> Bool
    let values: DependencyValues
    /// The number of objects that had been registered before this one.
    let number: Int
  }

  private struct OwnerTable {
    var owners: [ObjectIdentifier: Owner] = [:]
    var count = 0
  }

  private static let contents = Mutex(OwnerTable())

  /// Returns the number of objects registered so far; `nil` if the result type of an operation isn't a class.
  static func count<R>(returning _: R.Type) -> Int? {
    R.self is AnyObject.Type ? contents.withLock { $0.count } : nil
  }

  /// Registers an object that an operation has returned, with the dependencies of the operation.
  ///
  /// A result that isn't an object is returned without being registered.
  ///
  /// - Parameters:
  ///   - made: The result of the operation.
  ///   - values: The dependencies of the operation.
  ///   - start: The number of registered objects before the operation; `nil` if the result isn't an object. An object
  ///     that was registered during the operation keeps its values, because they come from a nested operation.
  /// - Returns: The result, unchanged.
  static func remember<R>(_ made: R, with values: DependencyValues, since start: Int?) -> R {
    guard let start else { return made }
    let object = made as AnyObject
    let id = ObjectIdentifier(object)
    let isAlive = liveness(of: object)
    contents.withLock { contents in
      // Removes dead objects, because a new object can have the same address as a dead one.
      contents.owners = contents.owners.filter { $0.value.isAlive() }
      if let owner = contents.owners[id], owner.number >= start { return }
      contents.owners[id] = Owner(isAlive: isAlive, values: values, number: contents.count)
      contents.count += 1
    }
    return made
  }

  /// Returns the dependencies of an object, or reports an issue and returns the current ones if it has none.
  ///
  /// The values that the object's first `@Dependency` property captured take precedence over the registered ones,
  /// because they were captured when the object was created.
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

/// A weak reference to an object, used to find out whether the object is alive.
///
/// Unchecked: the reference is only compared with `nil`, which is safe on any thread.
private final class WeakReference: @unchecked Sendable {
  private weak var object: AnyObject?

  init(_ object: AnyObject) {
    self.object = object
  }

  var isAlive: Bool { object != nil }
}

/// A property wrapper that captures the current dependencies when it is created.
protocol DependencyCapturing {
  var captured: DependencyValues { get }
}
