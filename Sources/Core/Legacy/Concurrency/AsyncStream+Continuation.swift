extension AsyncStream {
  /// A stream with the continuation that feeds it.
  ///
  /// - Parameters:
  ///   - elementType: The type of the elements.
  ///   - limit: What becomes of elements that nobody has taken yet.
  /// - Returns: Both.
  @available(*, deprecated, renamed: "makeStream(of:bufferingPolicy:)")
  public static func streamWithContinuation(
    _ elementType: Element.Type = Element.self,
    bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) -> (stream: Self, continuation: Continuation) {
    makeStream(of: elementType, bufferingPolicy: limit)
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream that can throw, with the continuation that feeds it.
  ///
  /// - Parameters:
  ///   - elementType: The type of the elements.
  ///   - limit: What becomes of elements that nobody has taken yet.
  /// - Returns: Both.
  @available(*, deprecated, renamed: "makeStream(of:throwing:bufferingPolicy:)")
  public static func streamWithContinuation(
    _ elementType: Element.Type = Element.self,
    bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) -> (stream: Self, continuation: Continuation) {
    makeStream(of: elementType, throwing: (any Error).self, bufferingPolicy: limit)
  }
}
