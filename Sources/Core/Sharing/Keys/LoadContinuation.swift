import Foundation

/// A continuation that receives the value that a key loads.
///
/// Resume the continuation exactly once.
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
  private let once: ExactlyOnceCallback<SharedUpdate<Value>>

  init(of key: String, _ resume: @escaping @Sendable (SharedUpdate<Value>) -> Void) {
    once = ExactlyOnceCallback(
      name: "load",
      key: key,
      whenDropped: .result(.success(nil)),
      call: resume
    )
  }

  /// Creates a continuation that calls a closure, for tests of a key.
  ///
  /// ```swift
  /// key.load(context: .userInitiated, continuation: LoadContinuation { result in results.append(result) })
  /// ```
  ///
  /// - Parameters:
  ///   - description: The name of the key in the issue that is reported unless the continuation is resumed exactly
  ///     once.
  ///   - callback: A closure that receives a value, an error, or `nil` if the key has no value.
  public init(
    _ description: String = "",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    self.init(of: description) { update in callback(Result { try update.value }) }
  }

  /// Resumes the continuation with a value.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Resumes the continuation without a value, so that the shared value stays unchanged.
  ///
  /// ```swift
  /// guard let saved = defaults.string(forKey: "name") else { return continuation.resumeReturningInitialValue() }
  /// continuation.resume(returning: saved)
  /// ```
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Resumes the continuation with an error, which becomes the `loadError` of the shared value.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Resumes the continuation with a value, an error, or `nil` if the key has no value.
  public func resume(with result: Result<Value?, any Error>) { once(.result(result)) }

  /// Resumes the continuation with the result of a search for a value, atomically with changes to the shared value.
  ///
  /// `SharedUpdate` describes the search.
  func resume(finding find: @escaping () throws -> SharedLookupResult<Value>?) {
    once(.search(find))
  }
}
