/// A value inside of an actor.
///
/// `LockIsolated` does the same without suspending.
@available(*, deprecated, message: "Use \"LockIsolated\".")
public final actor ActorIsolated<Value> {
  /// The value as it is now.
  public var value: Value

  /// Puts a value into an actor.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.value = try value()
  }

  /// Works with the value while nobody else does.
  ///
  /// - Parameter operation: What is done.
  /// - Returns: What the operation returns.
  public func withValue<Result>(
    _ operation: (inout Value) throws -> sending Result
  ) rethrows -> sending Result {
    try operation(&value)
  }

  /// Replaces the value.
  public func setValue(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.value = try value()
  }
}
