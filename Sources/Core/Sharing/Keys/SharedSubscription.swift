/// Takes the changes of a shared value that come from elsewhere.
public struct SharedSubscriber<Value>: Sendable {
  private let take: @Sendable (SharedNews<Value>) -> Void
  private let setLoading: @Sendable (Bool) -> Void

  init(
    take: @escaping @Sendable (SharedNews<Value>) -> Void,
    setLoading: @escaping @Sendable (Bool) -> Void
  ) {
    self.take = take
    self.setLoading = setLoading
  }

  /// Makes one of functions, as a test of a key does.
  ///
  /// ```swift
  /// let subscription = key.subscribe(
  ///   context: .userInitiated,
  ///   subscriber: SharedSubscriber(callback: { results.append($0) })
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - callback: Takes a value, nil for none, or an error.
  ///   - onLoading: Takes whether a value is on its way.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.init(take: { $0.deliver(to: callback) }, setLoading: onLoading)
  }

  /// Takes a new value.
  public func yield(_ value: Value) { yield(with: .success(value)) }

  /// Takes that there is no value any more, so that the default holds.
  public func yieldReturningInitialValue() { yield(with: .success(nil)) }

  /// Takes an error, which becomes the reference's `loadError`.
  public func yield(throwing error: any Error) { yield(with: .failure(error)) }

  /// Takes a value, nil for none, or an error.
  public func yield(with result: Result<Value?, any Error>) { take(.result(result)) }

  /// Takes what a closure finds, in one step with changes of the value; see `SharedNews`.
  func yield(finding find: @escaping () throws -> SharedFinding<Value>?) { take(.search(find)) }

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
