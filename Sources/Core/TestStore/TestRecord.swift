import Foundation

/// The steps of a test store, and how many of them the test has asserted.
///
/// Unchecked, and not a `Mutex`: states and actions need not be `Sendable`. The main actor uses the record, but a test
/// may release its store on another thread. A lock protects against that.
final class TestRecord<State, Action>: @unchecked Sendable {
  /// A state, with the next ids of its stacks.
  struct Position {
    var state: State
    let stackElementIDs: StackElementIDs
  }

  /// An action, with the state after it.
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
    /// The actions with effects, by number.
    var actions: [Int: Action] = [:]
    /// The source locations of the sends, by group.
    var locations: [Int: IssueLocation] = [:]
    var lastNumber = 0
    /// The number of the last action whose effects are ignored, because the test has skipped them.
    var forgotten = 0
  }

  /// The changes of shared values that are not asserted yet.
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

  /// The last state that the test has asserted.
  var asserted: Position {
    get { lock.withLock { contents.asserted } }
    set { lock.withLock { contents.asserted = newValue } }
  }

  /// The steps that effects caused and that are not asserted yet.
  var received: [TestedAction] { lock.withLock { contents.received } }

  /// The unasserted changes of the shared values in the state.
  var unassertedSharedChanges: [SharedChange] {
    let changes = tracker.unasserted
    guard !changes.isEmpty else { return [] }
    var search = SharedSearch()
    for state in [asserted.state] + received.suffix(1).map(\.after.state) { search.visitAll(state) }
    return changes.filter { search.roots.contains($0.root) }
  }

  /// Records a step.
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

  /// Runs the test's own `send`, whose first step does not count as received.
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

  /// Removes and returns the first received steps.
  func takeReceived(_ count: Int) -> [TestedAction] {
    lock.withLock {
      let taken = Array(contents.received.prefix(count))
      contents.received.removeFirst(taken.count)
      return taken
    }
  }

  /// Ignores the effects of all actions so far in later assertions.
  func forgetEffects() {
    lock.withLock { contents.forgotten = contents.lastNumber }
  }

  /// Records that the feature has dismissed itself, and ignores its effects from then on.
  func dismiss() {
    lock.withLock {
      contents.isDismissed = true
      contents.forgotten = contents.lastNumber
    }
  }

  /// Returns the actions with running effects that the test has not skipped.
  func unforgotten(_ running: [EffectRegistry.RunningAction]) -> [RunningAction] {
    let forgotten = lock.withLock { contents.forgotten }
    return actions(of: running.filter { $0.number > forgotten })
  }

  /// Returns the actions with running effects.
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

  /// An action with running effects.
  struct RunningAction {
    let action: Action
    let effects: [EffectRegistry.RunningEffect]
    /// The source location of the `send` that led to the action.
    let location: IssueLocation?
  }
}

/// A reducer that runs a feature and records each of its steps for the test.
///
/// The feature runs in the same store core as in an app, so a test observes the behavior of the app.
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
