import Foundation

/// The last state that a test has asserted, and the steps after it, which the test can still receive.
///
/// Unchecked, and not a `Mutex`: states and actions need not be `Sendable`. The main actor uses the record, but a test
/// may release its store on another thread, so a lock protects the data.
final class TestStepRecord<State, Action>: @unchecked Sendable {
  /// A state, with a generator of the next ids in its stacks.
  struct StateSnapshot {
    var state: State
    let stackElementIDs: StackElementIDs
  }

  /// An action, with the state after the action.
  struct TestedAction {
    let action: Action
    let after: StateSnapshot
  }

  private struct RecordState {
    var asserted: StateSnapshot
    var received: [TestedAction] = []
    var dependencies: DependencyValues
    var isSending = false
    var isDismissed = false
    /// The actions whose effects were started, by action number.
    var actions: [Int: Action] = [:]
    /// The source locations of the test's `send` calls, by group number.
    var locations: [Int: IssueLocation] = [:]
    var lastNumber = 0
    /// The number of the last action whose effects later assertions ignore.
    ///
    /// The test has skipped these effects, or the feature has dismissed itself.
    var forgotten = 0
  }

  /// A tracker of the changes to shared values that the test hasn't asserted.
  let tracker = SharedChangeTracker()
  private let lock = NSLock()
  private var contents: RecordState

  init(_ position: StateSnapshot, dependencies: DependencyValues) {
    contents = RecordState(asserted: position, dependencies: dependencies)
  }

  /// The dependencies of the feature's reducers and of the closures in assertions.
  var dependencies: DependencyValues {
    get { lock.withLock { contents.dependencies } }
    set { lock.withLock { contents.dependencies = newValue } }
  }

  /// Whether the feature of the test store has dismissed itself.
  var isDismissed: Bool { lock.withLock { contents.isDismissed } }

  /// The last state that the test has asserted, with a generator of the next ids.
  var asserted: StateSnapshot {
    get { lock.withLock { contents.asserted } }
    set { lock.withLock { contents.asserted = newValue } }
  }

  /// The steps that were caused by effects and that the test hasn't asserted.
  var received: [TestedAction] { lock.withLock { contents.received } }

  /// The unasserted changes to the shared values in the last asserted state or in the last received one.
  var unassertedSharedChanges: [UnassertedSharedChange] {
    let changes = tracker.unasserted
    guard !changes.isEmpty else { return [] }
    var search = SharedValueSearch()
    for state in [asserted.state] + received.suffix(1).map(\.after.state) { search.visitAll(state) }
    return changes.filter { search.roots.contains($0.root) }
  }

  /// Stores a step as asserted if it is the first one of the test's own `send`, and otherwise as received.
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

  /// Runs a `send` call of the test, whose first step doesn't count as received.
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

  /// Removes and returns the first steps that effects caused.
  func takeReceived(_ count: Int) -> [TestedAction] {
    lock.withLock {
      let taken = Array(contents.received.prefix(count))
      contents.received.removeFirst(taken.count)
      return taken
    }
  }

  /// Makes later assertions ignore the effects of all actions so far.
  func forgetEffects() {
    lock.withLock { contents.forgotten = contents.lastNumber }
  }

  /// Stores that the feature has dismissed itself, and makes later assertions ignore its effects.
  func dismiss() {
    lock.withLock {
      contents.isDismissed = true
      contents.forgotten = contents.lastNumber
    }
  }

  /// Returns the actions with running effects, except those whose effects later assertions ignore.
  func unforgotten(_ running: [EffectRegistry.RunningAction]) -> [RunningAction] {
    let forgotten = lock.withLock { contents.forgotten }
    return actions(of: running.filter { $0.number > forgotten })
  }

  /// Returns the actions with running effects, with the source locations of the `send` calls that led to them.
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

  /// An action that has running effects.
  struct RunningAction {
    let action: Action
    let effects: [EffectRegistry.RunningEffect]
    /// The source location of the `send` call that led to the action; `nil` if it isn't known.
    let location: IssueLocation?
  }
}

/// A reducer that runs a feature and records each of its steps for the test.
///
/// The feature runs in the same store core as in an app, so a test observes the same behavior.
struct TestReducer<Base: Reducer>: Reducer {
  let base: Base
  let record: TestStepRecord<Base.State, Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let context = DependencyValues._current.storeContext
    var dependencies = record.dependencies
    dependencies.storeContext = context
    dependencies.sharedChangeTracker = record.tracker
    let effect = DependencyValues.$_current.withValue(dependencies) {
      base._reduce(into: &state, action: action)
    }
    record.record(
      TestStepRecord.TestedAction(
        action: action,
        after: TestStepRecord.StateSnapshot(
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
