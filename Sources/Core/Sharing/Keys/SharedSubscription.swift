/// Takes the changes of a shared value that come from elsewhere.
public struct SharedSubscriber<Value>: Sendable {
  private let take: @Sendable (Result<Value?, any Error>) -> Void
  private let setLoading: @Sendable (Bool) -> Void

  init(
    take: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    setLoading: @escaping @Sendable (Bool) -> Void
  ) {
    self.take = take
    self.setLoading = setLoading
  }

  /// Takes a new value.
  public func yield(_ value: Value) { take(.success(value)) }

  /// Takes that there is no value any more, so that the default holds.
  public func yieldReturningInitialValue() { take(.success(nil)) }

  /// Takes an error, which becomes the reference's `loadError`.
  public func yield(throwing error: any Error) { take(.failure(error)) }

  /// Takes a value, nil for none, or an error.
  public func yield(with result: Result<Value?, any Error>) { take(result) }

  /// Says whether a value is on its way.
  public func yieldLoading(_ isLoading: Bool = true) { setLoading(isLoading) }
}

/// Ends a subscription when it is cancelled or goes away.
public struct SharedSubscription: Sendable {
  private let cancellation: Cancellation

  /// Makes a subscription of what ends it.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    cancellation = Cancellation(cancel: cancel)
  }

  /// Ends it; a second time does nothing.
  public func cancel() { cancellation.run() }

  private final class Cancellation: Sendable {
    private let cancel: LockIsolated<(@Sendable () -> Void)?>

    init(cancel: @escaping @Sendable () -> Void) {
      self.cancel = LockIsolated(cancel)
    }

    deinit { run() }

    func run() {
      let cancel = cancel.withValue { cancel in
        defer { cancel = nil }
        return cancel
      }
      cancel?()
    }
  }
}
