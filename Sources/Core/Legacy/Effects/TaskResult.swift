public import ActionLog

/// The value of an effect's work, or its error; equal to another one if the values or the errors are.
///
/// ```swift
/// return .run { send in
///   await send(.factResponse(TaskResult { try await api.fact(number) }))
/// }
/// ```
///
/// `Result` with `any Error` does the same, where actions need not be `Equatable`.
public enum TaskResult<Success: Sendable>: Sendable {
  /// The value.
  case success(Success)
  /// The error.
  case failure(any Error)

  /// Does work and keeps what becomes of it.
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

  /// Takes a result over.
  public init<Failure: Error>(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// The value.
  ///
  /// - Throws: The error.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): value
      case .failure(let error): throw error
      }
    }
  }

  /// The result with its value changed.
  public func map<NewSuccess: Sendable>(
    _ transform: (Success) -> NewSuccess
  ) -> TaskResult<NewSuccess> {
    flatMap { .success(transform($0)) }
  }

  /// The result with another one in the place of its value.
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
  /// Takes a result over.
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
  /// Errors that cannot be compared are an issue, and differ.
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
  /// Hashes the value or the error; all errors that have no hash have the same one.
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
  /// The case paths of a result.
  public struct AllCasePaths: Sendable {
    /// The value of a success.
    public var success: AnyCasePath<TaskResult, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The error of a failure.
    public var failure: AnyCasePath<TaskResult, any Error> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }
  }

  /// The case paths of a result.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension TaskResult: LogValue {
  /// Writes what `Result` writes.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(Result(self))
  }

  /// Reads what `Result` reads.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    Self(try decoder.value(Result<Success, any Error>.self))
  }

  /// Reads what `Result` reads.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(try text.value(Result<Success, any Error>.self))
  }
}
