public import ActionLog

/// The value or the error of an operation in an effect, which can be the payload of an `Equatable` action.
///
/// Two results are equal if they have equal values or equal errors.
///
/// ```swift
/// return .run { send in
///   await send(.factResponse(TaskResult { try await api.fact(number) }))
/// }
/// ```
///
/// Use `Result` with `any Error` for actions that don't need to be `Equatable`.
public enum TaskResult<Success: Sendable>: Sendable {
  /// The operation succeeded with a value.
  case success(Success)
  /// The operation threw an error.
  case failure(any Error)

  /// Creates a result from the value or the error of an operation.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
  ///   - body: The operation to run.
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

  /// Creates a task result from a `Result`.
  public init<Failure: Error>(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// The value of a successful operation.
  ///
  /// - Throws: The error of a failed operation.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): value
      case .failure(let error): throw error
      }
    }
  }

  /// Returns a result with the transformed value, or with the same error.
  public func map<NewSuccess: Sendable>(
    _ transform: (Success) -> NewSuccess
  ) -> TaskResult<NewSuccess> {
    flatMap { .success(transform($0)) }
  }

  /// Returns the result to which a closure transforms the value, or a result with the same error.
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
  /// Returns whether both results have equal values or equal errors.
  ///
  /// Errors that aren't `Equatable` are unequal. Comparing two of the same type reports an issue.
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
  /// All errors that aren't `Hashable` have the same hash value.
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
  /// The case paths of `success` and `failure`.
  public struct AllCasePaths: Sendable {
    /// The case path of `success`, whose payload is the value.
    public var success: AnyCasePath<TaskResult, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The case path of `failure`, whose payload is the error.
    public var failure: AnyCasePath<TaskResult, any Error> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }
  }

  /// The case paths of `success` and `failure`.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension TaskResult: LogValue {
  /// Encodes the result in the format of `Result`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(Result(self))
  }

  /// Decodes a result in the format of `Result`.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    Self(try decoder.value(Result<Success, any Error>.self))
  }

  /// Decodes a result in the format of `Result`, directly from the text of a log.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(try text.value(Result<Success, any Error>.self))
  }
}
