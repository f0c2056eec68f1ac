import Foundation

/// A value through which a key reports changes that other code makes to a shared value.
///
/// ```swift
/// func subscribe(context: LoadContext<String>, subscriber: SharedSubscriber<String>) -> SharedSubscription {
///   let token = server.observe { subscriber.yield($0) }
///   return SharedSubscription { token.cancel() }
/// }
/// ```
public struct SharedSubscriber<Value>: Sendable {
  private let take: @Sendable (SharedUpdate<Value>) -> Void
  private let setLoading: @Sendable (Bool) -> Void

  init(
    take: @escaping @Sendable (SharedUpdate<Value>) -> Void,
    setLoading: @escaping @Sendable (Bool) -> Void
  ) {
    self.take = take
    self.setLoading = setLoading
  }

  /// Creates a subscriber that calls closures, for tests of a key.
  ///
  /// ```swift
  /// let subscription = key.subscribe(
  ///   context: .userInitiated,
  ///   subscriber: SharedSubscriber(callback: { results.append($0) })
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - callback: A closure that receives a value, an error, or `nil` if the key has no value.
  ///   - onLoading: A closure that receives whether the key is loading a value.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.init(take: { $0.deliver(to: callback) }, setLoading: onLoading)
  }

  /// Reports a new value of the key.
  public func yield(_ value: Value) { yield(with: .success(value)) }

  /// Reports that the key no longer has a value, which restores the default value.
  ///
  /// ```swift
  /// let token = server.observe { value in
  ///   if let value { subscriber.yield(value) } else { subscriber.yieldReturningInitialValue() }
  /// }
  /// ```
  public func yieldReturningInitialValue() { yield(with: .success(nil)) }

  /// Reports an error, which becomes the `loadError` of the shared value.
  public func yield(throwing error: any Error) { yield(with: .failure(error)) }

  /// Reports a value, an error, or `nil` if the key no longer has a value.
  public func yield(with result: Result<Value?, any Error>) { take(.result(result)) }

  /// Finds a value and reports it.
  ///
  /// The search is repeated if the shared value changes in the meantime, so that a newer value isn't overwritten.
  ///
  /// - Parameter find: A closure that returns the value that it finds, or `nil` if the value is unchanged. The closure
  ///   can be called several times.
  func yield(finding find: @escaping () throws -> SharedLookupResult<Value>?) {
    take(.search(find))
  }

  /// Reports whether the key is loading a value.
  ///
  /// ```swift
  /// subscriber.yieldLoading()  // `$value.isLoading` is true until the value arrives
  /// subscriber.yield(try await server.name())
  /// subscriber.yieldLoading(false)
  /// ```
  public func yieldLoading(_ isLoading: Bool = true) { setLoading(isLoading) }
}

/// A subscription that ends when it is canceled or released.
///
/// ```swift
/// let subscription = SharedSubscription { token.cancel() }
/// subscription.cancel()  // the same happens when the subscription is released
/// ```
public struct SharedSubscription: Sendable {
  private let cancellation: CancellationHandle

  /// Creates a subscription with a closure that ends it.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    cancellation = CancellationHandle(cancel: cancel)
  }

  /// Ends the subscription at the first call; further calls have no effect.
  public func cancel() { cancellation.run() }

  private final class CancellationHandle: Sendable {
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

/// A continuation that receives the result of a save.
///
/// Resume the continuation exactly once.
///
/// ```swift
/// func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///   continuation.resume(with: Result { try write(value) })
/// }
/// ```
public struct SaveContinuation: Sendable {
  private let once: ExactlyOnceCallback<Result<Void, any Error>>
  /// A closure that reports that the key has received the saved value.
  ///
  /// Later searches of the key find the saved value or a newer one. A key that searches for values must call the
  /// closure before a search can find either of them.
  let didHandOver: @Sendable () -> Void

  init(
    of key: String,
    didHandOver: @escaping @Sendable () -> Void,
    _ resume: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.didHandOver = didHandOver
    once = ExactlyOnceCallback(name: "save", key: key, whenDropped: .success(()), call: resume)
  }

  /// Creates a continuation that calls a closure, for tests of a key.
  ///
  /// ```swift
  /// key.save(1, context: .didSet, continuation: SaveContinuation { result in results.append(result) })
  /// ```
  ///
  /// - Parameters:
  ///   - description: The name of the key in the issue that is reported unless the continuation is resumed exactly
  ///     once.
  ///   - callback: A closure that receives the success or the error of the save.
  public init(
    _ description: String = "",
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.init(of: description, didHandOver: {}, callback)
  }

  /// Resumes the continuation after a successful save.
  public func resume() { once(.success(())) }

  /// Resumes the continuation with an error, which becomes the `saveError` of the shared value.
  public func resume(throwing error: any Error) { once(.failure(error)) }

  /// Resumes the continuation with the success or the error of a save.
  public func resume(with result: Result<Void, any Error>) { once(result) }
}

/// A closure that must be called exactly once.
///
/// A second call reports an issue, as does the release of a closure that hasn't been called.
final class ExactlyOnceCallback<Outcome>: Sendable {
  private let name: String
  private let key: String
  private let function: LockIsolated<(@Sendable (Outcome) -> Void)?>
  private let whenDropped: @Sendable () -> Outcome

  init(
    name: String,
    key: String,
    whenDropped: @autoclosure @escaping @Sendable () -> Outcome,
    call: @escaping @Sendable (Outcome) -> Void
  ) {
    self.name = name
    self.key = key
    self.whenDropped = whenDropped
    function = LockIsolated(call)
  }

  deinit {
    guard let call = claim() else { return }
    reportIssue(Messages.continuationDropped(of: name, key: key))
    call(whenDropped())
  }

  func callAsFunction(_ outcome: Outcome) {
    guard let call = claim() else {
      return reportIssue(Messages.continuationResumedTwice(of: name, key: key))
    }
    call(outcome)
  }

  private func claim() -> (@Sendable (Outcome) -> Void)? {
    function.withValue { function in
      defer { function = nil }
      return function
    }
  }
}

/// An update from a key, which contains a value, an error, or a search for a value.
///
/// If the shared value changes during a search, the found value is outdated and would overwrite a newer value. A search
/// is therefore atomic with changes. It is skipped if the key has not received all changes by the app, and repeated if
/// the value changes before the result is applied.
enum SharedUpdate<Value> {
  case result(Result<Value?, any Error>)
  /// A closure that finds a value, or returns `nil` if the value is unchanged.
  ///
  /// The closure may be called several times.
  case search(() throws -> SharedLookupResult<Value>?)
}

extension SharedUpdate {
  /// Calls a closure with the value or the error, unless a search finds the value unchanged.
  func deliver(to take: (Result<Value?, any Error>) -> Void) {
    switch self {
    case .result(let result): take(result)
    case .search(let find):
      do {
        guard let found = try find() else { return }
        take(.success(found.value))
        found.didTake()
      } catch { take(.failure(error)) }
    }
  }

  /// The reported or found value; `nil` if the key has no value, or if a search finds the value unchanged.
  ///
  /// Throws the error that the key reports or that the search throws.
  var value: Value? {
    get throws {
      switch self {
      case .result(let result):
        return try result.get()
      case .search(let find):
        let found = try find()
        found?.didTake()
        return found?.value
      }
    }
  }
}

/// The value that a key's search has found.
struct SharedLookupResult<Value> {
  /// The found value; `nil` if the key has no value.
  let value: Value?
  /// A closure that is called when the result of the search is applied to the shared value.
  let didTake: () -> Void
}
