import Foundation

/// Takes what a key loads, once.
public struct LoadContinuation<Value>: Sendable {
  private let once: Once<SharedNews<Value>>

  init(of key: String, _ resume: @escaping @Sendable (SharedNews<Value>) -> Void) {
    once = Once(name: "load", key: key, whenDropped: .result(.success(nil)), call: resume)
  }

  /// Takes a value.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Takes that the key has no value, so that the default holds.
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Takes an error, which becomes the reference's `loadError`.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Takes a value, nil for none, or an error.
  public func resume(with result: Result<Value?, any Error>) { once(.result(result)) }

  /// Takes what a closure finds, in one step with changes of the value; see `SharedNews`.
  func resume(finding find: @escaping () throws -> SharedFinding<Value>?) { once(.search(find)) }
}

/// Takes the outcome of a save, once.
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
    guard let call = take() else { return }
    reportIssue(Messages.continuationDropped(of: name, key: key))
    call(whenDropped())
  }

  func callAsFunction(_ outcome: Outcome) {
    guard let call = take() else {
      return reportIssue(Messages.continuationResumedTwice(of: name, key: key))
    }
    call(outcome)
  }

  private func take() -> (@Sendable (Outcome) -> Void)? {
    function.withValue { function in
      defer { function = nil }
      return function
    }
  }
}
