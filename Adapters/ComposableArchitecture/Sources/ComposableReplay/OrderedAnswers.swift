import Synchronization

/// The answers of a dependency client to a reducer, in the order in which it asks.
///
/// A log does not have these answers. Pass all of them if an answer changes within a session:
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

  /// Answers, of which the last one is given again and again.
  public init(_ first: Answer, _ others: Answer...) { answers = [first] + others }

  /// The next answer.
  ///
  /// - Returns: The answer to a question that has not been asked yet.
  public func next() -> Answer {
    count.withLock { count in
      defer { count = min(count + 1, answers.count - 1) }
      return answers[count]
    }
  }
}
