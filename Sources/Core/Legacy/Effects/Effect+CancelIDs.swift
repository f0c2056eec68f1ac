/// A cancellation id that represents a type, such as an enum without cases.
struct TypeCancelID<ID>: Hashable, Sendable {}

extension CancelID {
  /// Creates an id from a type, in the namespace of the feature whose reducer or effect is running.
  init(here type: Any.Type) {
    func id<ID>(_: ID.Type) -> CancelID { CancelID(here: TypeCancelID<ID>()) }
    self = _openExistential(type, do: id)
  }

  /// Creates an id from a type-erased value, in the namespace of the feature whose reducer or effect is running.
  init(here id: AnyHashable) {
    self.init(key: CancelKey(erased: id), path: DependencyValues._current.navigationPath)
  }
}

extension Effect {
  /// Returns an effect with a type as its cancellation id.
  ///
  /// `cancel(id:)` with this type cancels the effect while it runs.
  ///
  /// - Parameters:
  ///   - id: A type that only this feature uses as an id, such as a private enum without cases.
  ///   - cancelInFlight: Whether starting this effect first cancels the effects with the same type as their id.
  /// - Returns: An effect with the cancellation id.
  @available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
  public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Effect {
    cancellable(CancelID(here: id), cancelInFlight: cancelInFlight)
  }

  /// Returns an effect with a type-erased cancellation id.
  ///
  /// `cancel(id:)` with this id cancels the effect while it runs.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use an id of a \"Sendable\" type.")
  public func cancellable(id: AnyHashable, cancelInFlight: Bool = false) -> Effect {
    cancellable(CancelID(here: id), cancelInFlight: cancelInFlight)
  }

  private func cancellable(_ id: CancelID, cancelInFlight: Bool) -> Effect {
    if isNone && !cancelInFlight { return self }
    return Effect(operation: .cancellable(self, id, cancelInFlight: cancelInFlight))
  }

  /// Returns an effect that cancels the running effects with a type as their id.
  @available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
  public static func cancel(
    id: Any.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .cancel(CancelID(here: id), location))
  }

  /// Returns an effect that cancels the running effects with a type-erased id.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use an id of a \"Sendable\" type.")
  public static func cancel(
    id: AnyHashable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .cancel(CancelID(here: id), location))
  }

  /// Returns an effect that cancels the running effects with any of several ids.
  @available(*, deprecated, message: "Merge one \"cancel(id:)\" for each.")
  public static func cancel(
    ids: [AnyHashable],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return .merge(ids.map { Effect(operation: .cancel(CancelID(here: $0), location)) })
  }

  /// Returns an effect that cancels the running effects with any of several types as their id.
  @available(*, deprecated, message: "Merge one \"cancel(id:)\" for each.")
  public static func cancel(
    ids: [Any.Type],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return .merge(ids.map { Effect(operation: .cancel(CancelID(here: $0), location)) })
  }
}

extension Task where Success == Never, Failure == Never {
  /// Cancels the running effects with a type as their id, in the store whose effect is running.
  @available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
  public static func cancel(id: Any.Type) {
    func cancel<ID>(_: ID.Type) { Task.cancel(id: TypeCancelID<ID>()) }
    _openExistential(id, do: cancel)
  }
}

/// Runs an operation inside an effect, with a type as the operation's cancellation id.
///
/// - Parameters:
///   - id: A type that only this feature uses as an id, such as a private enum without cases.
///   - cancelInFlight: Whether to first cancel the running effects and operations with the same type as their id.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
@available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
public func withTaskCancellation<T: Sendable>(
  id: Any.Type,
  cancelInFlight: Bool = false,
  operation: @escaping @Sendable () async throws -> T
) async rethrows -> T {
  try await withTaskCancellation(
    id: CancelID(here: id).key,
    cancelInFlight: cancelInFlight,
    operation: operation
  )
}
