import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// A state space that a search explores: search states, each with the steps that can come next.
///
/// A search state is a point between two steps of an order. Two search states with the same key have the same possible
/// futures.
protocol SearchWorld: AnyObject {
  associatedtype ChoicePoint
  associatedtype Key: SearchKey

  /// Returns the search state before the first step.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func start() throws -> SearchVisit<ChoicePoint, Key>

  /// Executes a step.
  ///
  /// - Parameters:
  ///   - step: A step that is enabled in the search state.
  ///   - place: The search state before the step.
  ///   - delayed: The delayed threads, from which the next requests can be predicted.
  /// - Returns: The search state after the step.
  /// - Throws: `HostFailure`, `StreamError`.
  func visit(
    _ step: Int,
    from place: ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> SearchVisit<ChoicePoint, Key>

  /// Returns whether a step from the last visited search state is known to be unclear, in which case it counts as
  /// executed.
  func isKnownUnclear(_ step: Int) -> Bool

  /// Prepares for a return to the last visited search state.
  func retain(_ place: ChoicePoint)

  /// Returns the steps that lead to a search state.
  func steps(to place: ChoicePoint) -> [Int]

  /// Whether there is no memory for further search states.
  var isFull: Bool { get }
}

/// The identity of a search state.
protocol SearchKey: Hashable {
  /// Returns a hash of the key and a number.
  func edge(_ number: Int) -> UInt64
}

extension Digest: SearchKey {}

/// A visited search state.
///
/// If the verdict is unclear, the other properties are not used.
struct SearchVisit<Place, Key: SearchKey> {
  let place: Place
  let key: Key
  /// The steps that can come next, in the order of the log.
  let enabled: [Int]
  let verdict: SearchJudge.Verdict
}

extension EventReplayer.Finding {
  /// Whether the finding is a fault of the code.
  var isFault: Bool { code == .runtimeIssue || code == .deadEffect }
}

extension ThreadedLog.ThreadStep {
  /// Whether the step is the user's, or a dismissal by the library.
  var isUsers: Bool {
    if case .effect(_, .some) = action?.origin { return true }
    return thread == .user
  }
}

extension SearchJudge.Verdict {
  var isClear: Bool { self == .clear }
}
