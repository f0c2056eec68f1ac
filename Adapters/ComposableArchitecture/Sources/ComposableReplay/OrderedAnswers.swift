import Synchronization

/// Answers of a dependency client to a reducer, in the order of its calls.
///
/// A log does not contain these answers. Pass all of them if an answer changes within a session:
///
/// ```swift
/// ReplayFeature("App") {
///   let answers = OrderedAnswers(false, true)
///   return AppFeature().dependency(\\.account.isSignedIn, { answers.next() })
/// } initialState: {
///   AppFeature.State()
/// }
/// ```
public final class OrderedAnswers<Answer: Sendable>: Sendable {
  private let answers: [Answer]
  private let count = Mutex(0)

  /// Creates a list of answers.
  ///
  /// The last one is repeated.
  public init(_ first: Answer, _ others: Answer...) { answers = [first] + others }

  /// Returns the next answer.
  ///
  /// - Returns: The answer to the next call.
  public func next() -> Answer {
    count.withLock { count in
      defer { count = min(count + 1, answers.count - 1) }
      return answers[count]
    }
  }
}
