import Foundation

/// Takes the changes of a shared value that come from elsewhere.
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
  ///
  /// ```swift
  /// let token = server.observe { value in
  ///   if let value { subscriber.yield(value) } else { subscriber.yieldReturningInitialValue() }
  /// }
  /// ```
  public func yieldReturningInitialValue() { yield(with: .success(nil)) }

  /// Takes an error, which becomes the reference's `loadError`.
  public func yield(throwing error: any Error) { yield(with: .failure(error)) }

  /// Takes a value, nil for none, or an error.
  public func yield(with result: Result<Value?, any Error>) { take(.result(result)) }

  /// Takes the value that a closure finds, in one step with changes of the value; see `SharedUpdate`.
  func yield(finding find: @escaping () throws -> SharedFinding<Value>?) { take(.search(find)) }

  /// Says whether a value is on its way.
  ///
  /// ```swift
  /// subscriber.yieldLoading()  // `$value.isLoading` is true until the value is there
  /// subscriber.yield(try await server.name())
  /// subscriber.yieldLoading(false)
  /// ```
  public func yieldLoading(_ isLoading: Bool = true) { setLoading(isLoading) }
}

/// Ends a subscription when it is cancelled or goes away.
///
/// ```swift
/// let subscription = SharedSubscription { token.cancel() }
/// subscription.cancel()  // as its end does
/// ```
public struct SharedSubscription: Sendable {
  private let cancellation: CancellationHandle

  /// Makes a subscription of what ends it.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    cancellation = CancellationHandle(cancel: cancel)
  }

  /// Ends it; a second time does nothing.
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

/// Takes what a key loads, once.
///
/// ```swift
/// func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///   Task {
///     do { continuation.resume(returning: try await server.name()) } catch {
///       continuation.resume(throwing: error)
///     }
///   }
/// }
/// ```
public struct LoadContinuation<Value>: Sendable {
  private let once: Once<SharedUpdate<Value>>

  init(of key: String, _ resume: @escaping @Sendable (SharedUpdate<Value>) -> Void) {
    once = Once(name: "load", key: key, whenDropped: .result(.success(nil)), call: resume)
  }

  /// Makes one of a function, as a test of a key does.
  ///
  /// ```swift
  /// key.load(context: .userInitiated, continuation: LoadContinuation { result in results.append(result) })
  /// ```
  ///
  /// - Parameters:
  ///   - description: The name of the key in the issue of a key that resumes it twice or never.
  ///   - callback: Takes a value, nil for none, or an error.
  public init(
    _ description: String = "",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    self.init(of: description) { update in callback(Result { try update.value }) }
  }

  /// Takes a value.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Takes that the key has no value, so that the default holds.
  ///
  /// ```swift
  /// guard let saved = defaults.string(forKey: "name") else { return continuation.resumeReturningInitialValue() }
  /// continuation.resume(returning: saved)
  /// ```
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Takes an error, which becomes the reference's `loadError`.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Takes a value, nil for none, or an error.
  public func resume(with result: Result<Value?, any Error>) { once(.result(result)) }

  /// Takes the value that a closure finds, in one step with changes of the value; see `SharedUpdate`.
  func resume(finding find: @escaping () throws -> SharedFinding<Value>?) { once(.search(find)) }
}

/// Takes the outcome of a save, once.
///
/// ```swift
/// func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///   continuation.resume(with: Result { try write(value) })
/// }
/// ```
public struct SaveContinuation: Sendable {
  private let once: Once<Result<Void, any Error>>
  /// Notes that what the key finds from now on comes after the value that it saves.
  ///
  /// A key that finds values in one step with changes calls it before anything can find its value, or what replaced it.
  let didHandOver: @Sendable () -> Void

  init(
    of key: String,
    didHandOver: @escaping @Sendable () -> Void,
    _ resume: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.didHandOver = didHandOver
    once = Once(name: "save", key: key, whenDropped: .success(()), call: resume)
  }

  /// Makes one of a function, as a test of a key does.
  ///
  /// ```swift
  /// key.save(1, context: .didSet, continuation: SaveContinuation { result in results.append(result) })
  /// ```
  ///
  /// - Parameters:
  ///   - description: The name of the key in the issue of a key that resumes it twice or never.
  ///   - callback: Takes the outcome.
  public init(
    _ description: String = "",
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.init(of: description, didHandOver: {}, callback)
  }

  /// Takes that the value is saved.
  public func resume() { once(.success(())) }

  /// Takes an error, which becomes the reference's `saveError`.
  public func resume(throwing error: any Error) { once(.failure(error)) }

  /// Takes either.
  public func resume(with result: Result<Void, any Error>) { once(result) }
}

/// A function that is called once: a second call is an issue, and so is none.
private final class Once<Outcome>: Sendable {
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

/// An update from a key: a value that it has, or a search that finds one.
///
/// A value that was found is out of date as soon as the shared one changes: the app's own earlier value would overwrite
/// its later one. So a search is one step with changes. It does not begin while the key lacks a change; it is repeated
/// if the value changes before the result is taken.
enum SharedUpdate<Value> {
  case result(Result<Value?, any Error>)
  /// Finds a value, or nil when there is nothing new; may be called several times.
  case search(() throws -> SharedFinding<Value>?)
}

extension SharedUpdate {
  /// Calls a function with the value, unless a search finds nothing new.
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

  /// Takes the value, nil for none.
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

/// The result of a key's search.
struct SharedFinding<Value> {
  /// The value, nil for none.
  let value: Value?
  /// Notes that the value was taken.
  let didTake: () -> Void
}
