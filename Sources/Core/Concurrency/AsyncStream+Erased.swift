extension AsyncStream {
  /// A stream that gives nothing and ends when its task is cancelled.
  public static var never: AsyncStream {
    AsyncStream { _ in }
  }

  /// A stream that gives nothing and ends at once.
  public static var finished: AsyncStream {
    AsyncStream { $0.finish() }
  }

  /// The elements of a sequence, as a stream; an error of the sequence ends it.
  ///
  /// The sequence is asked for an element when the stream is.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = ErasedElements(sequence)
    self.init { try? await elements.next() }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream that gives nothing and ends when its task is cancelled.
  public static var never: AsyncThrowingStream {
    AsyncThrowingStream { _ in }
  }

  /// A stream that gives nothing and ends at once, with an error if there is one.
  public static func finished(throwing error: (any Error)? = nil) -> AsyncThrowingStream {
    AsyncThrowingStream { $0.finish(throwing: error) }
  }

  /// The elements of a sequence, as a stream.
  ///
  /// The sequence is asked for an element when the stream is.
  public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
    let elements = ErasedElements(sequence)
    self.init { try await elements.next() }
  }
}

extension AsyncSequence where Self: Sendable {
  /// The elements of this sequence as a stream; an error ends it.
  ///
  /// ```swift
  /// let updates: AsyncStream<Int> = values.map { $0 + 1 }.eraseToStream()
  /// ```
  public func eraseToStream() -> AsyncStream<Element> {
    AsyncStream(self)
  }

  /// The elements of this sequence as a stream that throws what the sequence throws.
  ///
  /// ```swift
  /// let messages: AsyncThrowingStream<String, any Error> = socket.frames.map(\.text).eraseToThrowingStream()
  /// ```
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(self)
  }
}

/// The iterator of a sequence, made when the first element is asked for.
///
/// Unchecked: a stream asks for one element after the other, so the iterator is never used from two places at once.
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
  /// The result of the task, which is cancelled when the one that waits for it is.
  ///
  /// ```swift
  /// return .run { send in
  ///   let export = Task { try await files.export() }
  ///   await send(.exported(try await export.cancellableValue))  // cancelled with the effect
  /// }
  /// ```
  ///
  /// `value` alone leaves the task running.
  ///
  /// - Throws: What the task threw.
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
  /// The result of the task, which is cancelled when the one that waits for it is.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }

  /// Suspends until the task is cancelled, in place of a value.
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
  /// The value or the error of an asynchronous operation.
  ///
  /// ```swift
  /// await send(.response(Result { try await api.fetch() }))
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - operation: The operation.
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
