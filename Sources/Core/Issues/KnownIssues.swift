/// The issues that a testing library records itself, such as those of `#expect`.
enum KnownIssues {
  /// Runs an operation whose issues are expected, and so fail nothing.
  ///
  /// - Parameters:
  ///   - location: Where they are expected.
  ///   - operation: What is run.
  /// - Returns: How many there were; none where the library cannot tell.
  static func count(at location: IssueLocation, in operation: () -> Void) -> Int {
    guard let count = SwiftTestingLibrary.knownIssues(at: location, in: operation) else {
      operation()
      return 0
    }
    return count
  }

  /// Runs an asynchronous operation whose issues are expected, and so fail nothing.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - location: Where they are expected.
  ///   - operation: What is run.
  /// - Returns: How many there were; none where the library cannot tell.
  static func count(
    isolation: isolated (any Actor)? = #isolation,
    at location: IssueLocation,
    in operation: () async -> Void
  ) async -> Int {
    guard let count = await SwiftTestingLibrary.knownIssues(at: location, in: operation) else {
      await operation()
      return 0
    }
    return count
  }
}
