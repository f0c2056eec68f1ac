import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// A state space, which consists of search states and the steps between them.
///
/// A search state is a point between two steps of an order. If two search states have the same key, the same orders are
/// possible from both.
protocol SearchStateSpace: AnyObject {
  associatedtype ChoicePoint
  associatedtype Key: SearchKey

  /// Returns the search state before the first step.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func start() throws -> SearchVisitResult<ChoicePoint, Key>

  /// Executes a step.
  ///
  /// - Parameters:
  ///   - step: The index of a step that is enabled in the search state.
  ///   - place: The search state before the step.
  ///   - delayed: The threads that wait until all others have finished. They help to predict the next steps.
  /// - Returns: The search state after the step.
  /// - Throws: `HostFailure`, `StreamError`.
  func visit(
    _ step: Int,
    from place: ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> SearchVisitResult<ChoicePoint, Key>

  /// Returns whether a step from the last visited search state is known to be unclear.
  ///
  /// If so, the step counts as executed.
  func isKnownUnclear(_ step: Int) -> Bool

  /// Stores what is needed to return to the last visited search state.
  func retain(_ place: ChoicePoint)

  /// Returns the indexes of the steps that lead to a search state, in order.
  func steps(to place: ChoicePoint) -> [Int]

  /// Whether the memory for search states is used up.
  var isFull: Bool { get }
}

/// A value that identifies a search state.
protocol SearchKey: Hashable {
  /// Returns a hash of the key and a number, such as the index of a step.
  func edge(_ number: Int) -> UInt64
}

extension Digest: SearchKey {}

/// The result of visiting a search state.
///
/// If the verdict is `unclear`, the other properties are not meaningful.
struct SearchVisitResult<Place, Key: SearchKey> {
  let place: Place
  let key: Key
  /// The indexes of the steps that can come next, in the order of the log.
  let enabled: [Int]
  let verdict: SearchJudge.Verdict
}

extension EventReplayer.OrderIndependentFinding {
  /// Whether the finding is a fault of the feature's code.
  var isFault: Bool { code == .runtimeIssue || code == .deadEffect }
}

extension ThreadedLog.ThreadStep {
  /// Whether the step comes from the user, or is a dismissal that the library sends.
  var isFromUser: Bool {
    if case .effect(_, .some) = action?.origin { return true }
    return thread == .user
  }
}

extension SearchJudge.Verdict {
  var isClear: Bool { self == .clear }
}
