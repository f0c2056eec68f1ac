import Foundation

/// The steps of a test store, and how many of them the test has asserted.
///
/// Unchecked, and no `Mutex`: states and actions need not be `Sendable`. All of it is used on the main
/// actor, except when a test lets go of its store on another thread, so a lock guards it.
final class TestRecord<State, Action>: @unchecked Sendable {
  /// A state, and the ids that its stacks give from there.
  struct Position {
    var state: State
    let stackElementIDs: StackElementIDs
  }

  /// An action, and what it led to.
  struct TestedAction {
    let action: Action
    let after: Position
  }

  private struct RecordState {
    var asserted: Position
    var received: [TestedAction] = []
    var dependencies: DependencyValues
    var isSending = false
    var isDismissed = false
    /// The actions that have effects, by number.
    var actions: [Int: Action] = [:]
    /// The locations of the sends, by group.
    var locations: [Int: IssueLocation] = [:]
    var lastNumber = 0
    /// Up to which action effects are forgotten.
    var forgotten = 0
  }

  /// The changes of shared values that were not asserted yet.
  let tracker = SharedChangeTracker()
  private let lock = NSLock()
  private var contents: RecordState

  init(_ position: Position, dependencies: DependencyValues) {
    contents = RecordState(asserted: position, dependencies: dependencies)
  }

  /// The dependencies of reducers and of the test's closures.
  var dependencies: DependencyValues {
    get { lock.withLock { contents.dependencies } }
    set { lock.withLock { contents.dependencies = newValue } }
  }

  /// Whether the feature has dismissed itself.
  var isDismissed: Bool { lock.withLock { contents.isDismissed } }

  /// How far the test has asserted.
  var asserted: Position {
    get { lock.withLock { contents.asserted } }
    set { lock.withLock { contents.asserted = newValue } }
  }

  /// The steps that came from effects and were not asserted yet.
  var received: [TestedAction] { lock.withLock { contents.received } }

  /// The changes of shared values in the state that no test has asserted.
  var unassertedSharedChanges: [SharedChange] {
    let changes = tracker.unasserted
    guard !changes.isEmpty else { return [] }
    var search = SharedSearch()
    for state in [asserted.state] + received.suffix(1).map(\.after.state) { search.search(state) }
    return changes.filter { search.roots.contains($0.root) }
  }

  /// Takes down a step.
  func record(_ step: TestedAction, number: Int, hasEffect: Bool) {
    lock.withLock {
      contents.lastNumber = number
      if hasEffect { contents.actions[number] = step.action }
      if contents.isSending {
        contents.isSending = false
        contents.asserted = step.after
      } else {
        contents.received.append(step)
      }
    }
  }

  /// Runs the test's own `send`, whose first step is not a received one.
  @MainActor
  func sending(at location: IssueLocation, _ send: () -> StoreTask) -> StoreTask {
    lock.withLock { contents.isSending = true }
    let task = send()
    lock.withLock {
      contents.isSending = false
      contents.locations[task.group] = location
    }
    return task
  }

  /// Takes the first received steps out of the queue.
  func takeReceived(_ count: Int) -> [TestedAction] {
    lock.withLock {
      let taken = Array(contents.received.prefix(count))
      contents.received.removeFirst(taken.count)
      return taken
    }
  }

  /// Counts the effects that run so far as asserted.
  func forgetEffects() {
    lock.withLock { contents.forgotten = contents.lastNumber }
  }

  /// Takes note that the feature has dismissed itself.
  func dismiss() {
    lock.withLock {
      contents.isDismissed = true
      contents.forgotten = contents.lastNumber
    }
  }

  /// The actions whose effects run and were not skipped.
  func unforgotten(_ running: [EffectRegistry.RunningAction]) -> [RunningAction] {
    let forgotten = lock.withLock { contents.forgotten }
    return actions(of: running.filter { $0.number > forgotten })
  }

  /// The actions whose effects run.
  func actions(of running: [EffectRegistry.RunningAction]) -> [RunningAction] {
    lock.withLock {
      running.compactMap { running in
        contents.actions[running.number].map { action in
          RunningAction(
            action: action,
            effects: running.effects,
            location: contents.locations[running.group]
          )
        }
      }
    }
  }

  /// An action whose effects run.
  struct RunningAction {
    let action: Action
    let effects: [EffectRegistry.RunningEffect]
    /// The `send` that they go back to.
    let location: IssueLocation?
  }
}

/// Runs a feature as a store does, and writes down each of its steps for the test.
///
/// It runs in the same core as in an app, so a test sees the behaviour that users see.
struct TestReducer<Base: Reducer>: Reducer {
  let base: Base
  let record: TestRecord<Base.State, Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let context = DependencyValues._current.storeContext
    var dependencies = record.dependencies
    dependencies.storeContext = context
    dependencies.sharedChangeTracker = record.tracker
    let effect = DependencyValues.$_current.withValue(dependencies) {
      base._reduce(into: &state, action: action)
    }
    record.record(
      TestRecord.TestedAction(
        action: action,
        after: TestRecord.Position(
          state: state,
          stackElementIDs: dependencies.stackElementIDs.copy()
        )
      ),
      number: context?.current?.number ?? 0,
      hasEffect: !effect.isNone
    )
    return effect
  }
}
