public import ActionLog

/// The value or the error of an effect's work.
///
/// Two results are equal if their values or errors are equal.
///
/// ```swift
/// return .run { send in
///   await send(.factResponse(TaskResult { try await api.fact(number) }))
/// }
/// ```
///
/// Use `Result` with `any Error` where actions don't need to be `Equatable`.
public enum TaskResult<Success: Sendable>: Sendable {
  /// The value of successful work.
  case success(Success)
  /// The error that the work threw.
  case failure(any Error)

  /// Runs work and stores its value or error.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - body: The work.
  public init(
    isolation: isolated (any Actor)? = #isolation,
    catching body: () async throws -> Success
  ) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }

  /// Creates a result from a `Result`.
  public init<Failure: Error>(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// The value of a success.
  ///
  /// - Throws: The error of a failure.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): value
      case .failure(let error): throw error
      }
    }
  }

  /// Transforms the value of a success.
  public func map<NewSuccess: Sendable>(
    _ transform: (Success) -> NewSuccess
  ) -> TaskResult<NewSuccess> {
    flatMap { .success(transform($0)) }
  }

  /// Transforms the value of a success into another result.
  public func flatMap<NewSuccess: Sendable>(
    _ transform: (Success) -> TaskResult<NewSuccess>
  ) -> TaskResult<NewSuccess> {
    switch self {
    case .success(let value): transform(value)
    case .failure(let error): .failure(error)
    }
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// Creates a `Result` from a task result.
  public init(_ result: TaskResult<Success>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }
}

extension TaskResult: Equatable where Success: Equatable {
  /// Whether the values or the errors are equal.
  ///
  /// Errors without `==` are unequal, and comparing them reports an issue.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.success(let lhs), .success(let rhs)): lhs == rhs
    case (.failure(let lhs), .failure(let rhs)): isEqual(lhs, rhs)
    default: false
    }
  }

  private static func isEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    if let isEqual = DumpEquality.equated(lhs, rhs) { return isEqual }
    if type(of: lhs) == type(of: rhs) { reportIssue(Messages.errorsNotEquatable(lhs)) }
    return false
  }
}

extension TaskResult: Hashable where Success: Hashable {
  /// Hashes the value or the error.
  ///
  /// All errors that aren't `Hashable` have the same hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .success(let value):
      hasher.combine(0)
      hasher.combine(value)
    case .failure(let error):
      hasher.combine(1)
      Self.hash(error, into: &hasher)
    }
  }

  private static func hash(_ error: Any, into hasher: inout Hasher) {
    (error as? any Hashable)?.hash(into: &hasher)
  }
}

extension TaskResult: CasePathable {
  /// The case paths of a task result.
  public struct AllCasePaths: Sendable {
    /// The case path to the value of a success.
    public var success: AnyCasePath<TaskResult, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The case path to the error of a failure.
    public var failure: AnyCasePath<TaskResult, any Error> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }
  }

  /// The case paths of a task result.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension TaskResult: LogValue {
  /// Writes the result in the format of `Result`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(Result(self))
  }

  /// Reads a result in the format of `Result`.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    Self(try decoder.value(Result<Success, any Error>.self))
  }

  /// Reads a result in the format of `Result`.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(try text.value(Result<Success, any Error>.self))
  }
}
