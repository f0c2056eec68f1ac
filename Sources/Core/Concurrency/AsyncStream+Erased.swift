extension AsyncStream {
  /// A stream that has no elements and ends when the task that iterates over it is canceled.
  public static var never: AsyncStream {
    AsyncStream { _ in }
  }

  /// A stream that has no elements and has already ended.
  public static var finished: AsyncStream {
    AsyncStream { $0.finish() }
  }

  /// Creates a stream from the elements of a sequence.
  ///
  /// An error of the sequence ends the stream. Each request for an element of the stream requests one element of the
  /// sequence.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = LazyAsyncIterator(sequence)
    self.init { try? await elements.next() }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream that has no elements and ends when the task that iterates over it is canceled.
  public static var never: AsyncThrowingStream {
    AsyncThrowingStream { _ in }
  }

  /// Returns a stream that has no elements and has already ended, with an error if `error` isn't `nil`.
  public static func finished(throwing error: (any Error)? = nil) -> AsyncThrowingStream {
    AsyncThrowingStream { $0.finish(throwing: error) }
  }

  /// Creates a stream from the elements of a sequence.
  ///
  /// The stream throws the error of the sequence. Each request for an element of the stream requests one element of the
  /// sequence.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = LazyAsyncIterator(sequence)
    self.init { try await elements.next() }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Returns a stream of the sequence's elements.
  ///
  /// An error of the sequence ends the stream.
  ///
  /// ```swift
  /// let updates: AsyncStream<Int> = values.map { $0 + 1 }.eraseToStream()
  /// ```
  public func eraseToStream() -> AsyncStream<Element> {
    AsyncStream(self)
  }

  /// Returns a stream of the sequence's elements that throws the error of the sequence.
  ///
  /// ```swift
  /// let messages: AsyncThrowingStream<String, any Error> = socket.frames.map(\.text).eraseToThrowingStream()
  /// ```
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(self)
  }
}

/// An asynchronous sequence and its iterator, which is created when the first element is requested.
///
/// Unchecked: a stream requests one element at a time, so the iterator is never used concurrently.
private final class LazyAsyncIterator<S: AsyncSequence & Sendable>: @unchecked Sendable {
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
  /// The value of the task.
  ///
  /// If the task that waits for the value is canceled, this task is canceled too.
  ///
  /// ```swift
  /// return .run { send in
  ///   let export = Task { try await files.export() }
  ///   await send(.exported(try await export.cancellableValue))  // canceled with the effect
  /// }
  /// ```
  ///
  /// By contrast, `value` leaves this task running.
  ///
  /// - Throws: The error that the task throws.
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
  /// The value of the task.
  ///
  /// If the task that waits for the value is canceled, this task is canceled too.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }

  /// Suspends until the current task is canceled, and never returns a value.
  ///
  /// ```swift
  /// $0.api.fetch = { _ in try await Task.never() }
  /// ```
  ///
  /// - Throws: `CancellationError`, when the task is canceled.
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
  ///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
  ///   - operation: The operation whose value or error becomes the result.
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
