extension AsyncStream {
  /// A stream without elements that ends when its task is cancelled.
  public static var never: AsyncStream {
    AsyncStream { _ in }
  }

  /// A stream without elements that has already ended.
  public static var finished: AsyncStream {
    AsyncStream { $0.finish() }
  }

  /// Creates a stream of a sequence's elements; an error of the sequence ends the stream.
  ///
  /// The stream requests an element from the sequence whenever one is requested from the stream.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = ErasedElements(sequence)
    self.init { try? await elements.next() }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream without elements that ends when its task is cancelled.
  public static var never: AsyncThrowingStream {
    AsyncThrowingStream { _ in }
  }

  /// Returns a stream without elements that has already ended, with an error if there is one.
  public static func finished(throwing error: (any Error)? = nil) -> AsyncThrowingStream {
    AsyncThrowingStream { $0.finish(throwing: error) }
  }

  /// Creates a stream of a sequence's elements.
  ///
  /// The stream requests an element from the sequence whenever one is requested from the stream.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = ErasedElements(sequence)
    self.init { try await elements.next() }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Returns the elements of this sequence as a stream; an error ends the stream.
  ///
  /// ```swift
  /// let updates: AsyncStream<Int> = values.map { $0 + 1 }.eraseToStream()
  /// ```
  public func eraseToStream() -> AsyncStream<Element> {
    AsyncStream(self)
  }

  /// Returns the elements of this sequence as a stream that throws the errors of the sequence.
  ///
  /// ```swift
  /// let messages: AsyncThrowingStream<String, any Error> = socket.frames.map(\.text).eraseToThrowingStream()
  /// ```
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(self)
  }
}

/// A sequence with its iterator, which is created for the first element.
///
/// Unchecked: a stream requests one element at a time, so the iterator is never used concurrently.
private final class ErasedElements<S: AsyncSequence & Sendable>: @unchecked Sendable {
  private let sequence: S
  private var iterator: S.AsyncIterator?

  init(_ sequence: S) {
    self.sequence = sequence
  }

  func next() async throws -> S.Element? {
    var iterator = self.iterator ?? sequence.makeAsyncIterator()
    defer { self.iterator = iterator }
    return try await iterator.next()
  }
}

extension Task where Failure == any Error {
  /// The task's result.
  ///
  /// Cancelling the task that waits for it cancels this task.
  ///
  /// ```swift
  /// return .run { send in
  ///   let export = Task { try await files.export() }
  ///   await send(.exported(try await export.cancellableValue))  // cancelled with the effect
  /// }
  /// ```
  ///
  /// By contrast, `value` leaves this task running.
  ///
  /// - Throws: The error of the task.
  public var cancellableValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The task's result.
  ///
  /// Cancelling the task that waits for it cancels this task.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }

  /// Suspends until the task is cancelled and never returns a value.
  ///
  /// ```swift
  /// $0.api.fetch = { _ in try await Task.never() }
  /// ```
  ///
  /// - Throws: `CancellationError`, always.
  public static func never() async throws -> Success {
    try await Task<Never, Never>.never()
  }
}

extension Result {
  /// Creates a result from the value or the error of an asynchronous operation.
  ///
  /// ```swift
  /// await send(.response(Result { try await api.fetch() }))
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - operation: The code to run.
  public init(
    isolation: isolated (any Actor)? = #isolation,
    catching operation: () async throws(Failure) -> Success
  ) async {
    do throws(Failure) {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}
