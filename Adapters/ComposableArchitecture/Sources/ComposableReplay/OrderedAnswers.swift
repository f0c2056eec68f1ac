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
      let index = min(count + AnswerRehearsal.calls(of: self), answers.count - 1)
      if !AnswerRehearsal.isRunning { count = min(count + 1, answers.count - 1) }
      return answers[index]
    }
  }
}

/// The reduction of an action whose calls do not count, because the action is reduced again.
enum AnswerRehearsal {
  @TaskLocal private static var current: Calls?

  private final class Calls: Sendable { let counts = Mutex<[ObjectIdentifier: Int]>([:]) }

  static var isRunning: Bool { current != nil }

  /// Runs an operation whose calls do not count.
  static func run<Result>(_ operation: () -> Result) -> Result {
    $current.withValue(Calls(), operation: operation)
  }

  /// Returns the number of previous calls in the current rehearsal, and counts one.
  static func calls(of answers: AnyObject) -> Int {
    current?.counts
      .withLock { counts in
        defer { counts[ObjectIdentifier(answers), default: 0] += 1 }
        return counts[ObjectIdentifier(answers), default: 0]
      } ?? 0
  }
}
