/// A type as the id of effects, such as an enum without cases.
struct TypeCancelID<ID>: Hashable, Sendable {}

extension CancelID {
  /// A type as an id, at the place of the running reducer or effect.
  init(here type: Any.Type) {
    func id<ID>(_: ID.Type) -> CancelID { CancelID(here: TypeCancelID<ID>()) }
    self = _openExistential(type, do: id)
  }

  /// A value whose type has been erased, as an id.
  init(here id: AnyHashable) {
    self.init(key: CancelKey(erased: id), path: DependencyValues._current.navigationPath)
  }
}

extension Effect {
  /// Lets an effect be cancelled by a type while it runs.
  ///
  /// - Parameters:
  ///   - id: A type of the feature's own, such as a private enum without cases.
  ///   - cancelInFlight: Whether effects under the same type are cancelled when this one starts.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
  public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Effect {
    cancellable(CancelID(here: id), cancelInFlight: cancelInFlight)
  }

  /// Lets an effect be cancelled by an id whose type has been erased.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use an id of a \"Sendable\" type.")
  public func cancellable(id: AnyHashable, cancelInFlight: Bool = false) -> Effect {
    cancellable(CancelID(here: id), cancelInFlight: cancelInFlight)
  }

  private func cancellable(_ id: CancelID, cancelInFlight: Bool) -> Effect {
    if isNone && !cancelInFlight { return self }
    return Effect(operation: .cancellable(self, id, cancelInFlight: cancelInFlight))
  }

  /// Cancels the effects that run under a type.
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

  /// Cancels the effects that run under an id whose type has been erased.
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

  /// Cancels the effects that run under any of several ids.
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

  /// Cancels the effects that run under any of several types.
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
  /// Cancels the effects of the running store that a type reaches.
  @available(*, deprecated, message: "Use a value as the id, such as a case of an enum.")
  public static func cancel(id: Any.Type) {
    func cancel<ID>(_: ID.Type) { Task.cancel(id: TypeCancelID<ID>()) }
    _openExistential(id, do: cancel)
  }
}

/// Runs an operation that can be cancelled by a type, a part of an effect.
///
/// - Parameters:
///   - id: The type.
///   - cancelInFlight: Whether what runs under the type is cancelled first.
///   - operation: What is run.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
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
