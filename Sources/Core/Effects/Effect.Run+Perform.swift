extension Effect.Run {
  /// Does the work.
  ///
  /// - Returns: The error that the work threw, nil when it was cancelled instead.
  func perform(_ send: Send<Action>) async -> (any Error)? {
    do {
      try await operation(send)
      return nil
    } catch is CancellationError {
      return nil
    } catch {
      guard !Task.isCancelled else { return nil }
      if let handler {
        await handler(error, send)
      } else {
        reportIssue(Messages.unhandled(error, at: leaf.location), at: leaf.location)
      }
      return error
    }
  }
}
