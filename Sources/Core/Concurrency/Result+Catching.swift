extension Result {
  /// What an asynchronous operation returned or threw.
  ///
  /// ```swift
  /// await send(.response(Result { try await api.fetch() }))
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - operation: The operation.
  public init(
    isolation: isolated (any Actor)? = #isolation,
    catching operation: () async throws(Failure) -> Success
  ) async {
    do throws(Failure) {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}
