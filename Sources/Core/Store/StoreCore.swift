import Observation

/// The implementation of a store: the root, or a part of another one.
@MainActor
class StoreCore<State, Action> {
  /// The state that is published.
  var state: State { fatalError("A store core is a root or a scope.") }

  /// Notes that the state is read.
  func access() {}

  /// Where the root was made.
  var location: IssueLocation { fatalError("A store core is a root or a scope.") }

  /// Whether no effect runs, and nothing of earlier ones is kept.
  var isIdle: Bool { true }

  /// The effects of the features that have not ended, by the marks of those who watch them.
  var unfinishedEffects: [EffectID] { [] }

  /// The place in a log where the root has begun; `nil` for parts.
  var resumption: StoreResumption? { nil }

  /// Starts an effect that no action has returned; only in a root.
  func start(_: Effect<Action>, reachedBy _: @escaping @Sendable (CancelID) -> CancelID?) {}

  /// The past that the root shows; `nil` in the present.
  var past: StorePast? { nil }

  /// How many actions of effects wait for the present.
  var heldActions: Int { 0 }

  /// Shows states of the past from now on; only in a root.
  func enterPast(holding _: Int, didFill _: @escaping () -> Void) -> Bool { false }

  /// Shows a state of the past with these shared values, and has no present; only in a root.
  func beginInPast(_: SharedPast) {}

  /// Shows another state of the past; only in a root.
  func show(_: (StoreContext, State) throws -> State) throws {}

  /// Shows the present again; only in a root.
  func returnToPresent() {}

  /// Makes the state that is shown the present; only in a root.
  func resume(at _: StoreResumption) {}

  /// Adds an observer; only to a root.
  func observe(_: any StoreObserver) {}

  /// Whether the part of the root's state is there; it may have gone while a view still shows it.
  var isPresent: Bool { true }

  /// Whether the store of this core is kept, so that asking again gives the same one.
  var isKept: Bool { true }

  /// The id that the next element of a stack gets.
  var nextElementID: StackElementID { fatalError("A store core is a root or a scope.") }

  /// Hands an action to the root.
  func send(_: Action, origin _: ActionOrigin) -> StoreTask {
    fatalError("A store core is a root or a scope.")
  }

  nonisolated init() {}
}

/// A part of another store.
final class ScopedCore<ParentState, ParentAction, State, Action>: StoreCore<State, Action> {
  private let parent: StoreCore<ParentState, ParentAction>
  private let keyPath: KeyPath<ParentState, State>
  private let casePath: AnyCasePath<ParentAction, Action>

  init(
    _ parent: StoreCore<ParentState, ParentAction>,
    state keyPath: KeyPath<ParentState, State>,
    action casePath: AnyCasePath<ParentAction, Action>
  ) {
    self.parent = parent
    self.keyPath = keyPath
    self.casePath = casePath
  }

  override var state: State { parent.state[keyPath: keyPath] }

  override func access() { parent.access() }

  override var location: IssueLocation { parent.location }

  override var isIdle: Bool { parent.isIdle }

  override var isPresent: Bool { parent.isPresent }

  override var isKept: Bool { parent.isKept }

  override var past: StorePast? { parent.past }

  override var nextElementID: StackElementID { parent.nextElementID }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(casePath.embed(action), origin: origin)
  }
}

/// The root of a store: the state, and the queue of actions.
///
/// An action from outside is handled together with all actions that effects send synchronously. The
/// state is published once, after the last of them.
final class RootCore<R: Reducer>: StoreCore<R.State, R.Action> {
  private struct QueuedAction {
    let action: R.Action
    let stamp: ActionStamp
    let group: Int
  }

  private let reducer: R
  private let dependencies: DependencyValues
  private let context: StoreContext
  let effects: EffectRunner<R.Action>
  private let observers = StateObservers()
  private let madeAt: IssueLocation
  private let identity = StateIdentity<R.State>.make()

  private var published: R.State
  /// The actions that wait for the one that is being handled, from `next` on.
  private var queue: [QueuedAction] = []
  private var next = 0
  /// How many wait.
  ///
  /// Most actions come alone, and asking an array whose element's type is not known takes longer.
  private var waiting = 0
  /// Whether actions are handled, or none may be, because the store shows a state of the past.
  private var isBusy = false
  private var shownPast: StorePast?
  private var lastNumber = 0
  private var lastGroup = 0

  init(
    state: R.State,
    reducer: R,
    dependencies: DependencyValues,
    context: StoreContext,
    location: IssueLocation
  ) {
    self.published = state
    self.reducer = reducer
    self.dependencies = dependencies
    self.context = context
    self.madeAt = location
    self.effects = EffectRunner()
    super.init()
    effects.core = self
    context.setRoot(R.self)
  }

  deinit {
    effects.registry.close()
    context.didClose()
  }

  override var state: R.State { published }

  override func access() {
    observers.access()
  }

  override var location: IssueLocation { madeAt }

  override var isIdle: Bool { effects.isIdle }

  override var unfinishedEffects: [EffectID] { effects.registry.unfinished }

  override var resumption: StoreResumption? { context.resumption }

  override var nextElementID: StackElementID { context.stackElementIDs.peek() }

  override func start(
    _ effect: Effect<R.Action>,
    reachedBy alias: @escaping @Sendable (CancelID) -> CancelID?
  ) {
    effects.registry.setAlias(alias)
    lastGroup += 1
    // Actions count from 1, so this is before the first one, and none after a restart has its number.
    let stamp = ActionStamp(number: lastNumber, origin: .view)
    effects.start(effect, of: nil, stamp: stamp, in: lastGroup)
    drainQueue()
  }

  override func send(_ action: R.Action, origin: ActionOrigin) -> StoreTask {
    var origin = origin
    if isBusy, case .view = origin {
      if shownPast != nil {
        refuse(action)
        return StoreTask(group: 0, in: effects.registry, hasWork: false)
      }
      let current = context.current?.number ?? lastNumber
      reportIssue(Messages.reentrantSend(of: action))
      origin = .reentrant(action: current)
    }
    lastGroup += 1
    let group = lastGroup
    let startedBefore = effects.started
    handle(action, origin: origin, group: group)
    // A send while the store is busy gets a task before its work is known.
    return StoreTask(
      group: group,
      in: effects.registry,
      hasWork: effects.started != startedBefore
    )
  }

  override var past: StorePast? { shownPast }

  override var heldActions: Int { effects.heldActions }

  override func enterPast(holding limit: Int, didFill: @escaping () -> Void) -> Bool {
    guard !isBusy else { return shownPast != nil }
    effects.registry.reportCancellations()
    let shared = SharedPast(of: madeAt)
    DependencyValues.$_current.withValue(dependencies) { shared.capture(with: published) }
    shownPast = StorePast(present: published, shared: shared)
    isBusy = true
    effects.beginHolding(limit: limit, didFill: didFill)
    return true
  }

  override func beginInPast(_ shared: SharedPast) {
    shownPast = StorePast(present: nil, shared: shared)
    isBusy = true
  }

  override func show(_ change: (StoreContext, R.State) throws -> R.State) throws {
    guard let past = shownPast else { return }
    try EffectContext.$current.withValue(nil) {
      try DependencyValues.$_current.withValue(dependencies) {
        var state = try SharedPast.$moving.withValue(past.shared) { try change(context, published) }
        publish(&state, since: 0)
      }
    }
  }

  override func returnToPresent() {
    guard let past = shownPast, var state = past.present as? R.State else { return }
    past.shared.release(keepingShown: false)
    shownPast = nil
    DependencyValues.$_current.withValue(dependencies) { publish(&state, since: 0) }
    isBusy = false
    effects.deliverHeld()
    drainQueue()
  }

  override func observe(_ observer: any StoreObserver) { context.observe(observer) }

  override func resume(at resumption: StoreResumption) {
    guard let past = shownPast else { return }
    effects.cancelAll()
    lastNumber += 1
    context.restart(at: resumption, before: lastNumber + 1)
    past.shared.release(keepingShown: true)
    shownPast = nil
    isBusy = false
  }
}

extension RootCore: EffectHost {
  func handle(_ action: R.Action, origin: ActionOrigin, group: Int) {
    effects.registry.reportCancellations()
    guard !isBusy, waiting == 0 else {
      enqueue(action, origin: origin, group: group)
      return drainQueue()
    }
    lastNumber += 1
    let stamp = ActionStamp(number: lastNumber, origin: origin)
    work { state in reduce(into: &state, action, stamp, in: group) }
    context.didFallIdle()
  }

  func enqueue(_ action: R.Action, origin: ActionOrigin, group: Int) {
    lastNumber += 1
    let stamp = ActionStamp(number: lastNumber, origin: origin)
    queue.append(QueuedAction(action: action, stamp: stamp, group: group))
    waiting += 1
  }

  func drainQueue() {
    guard !isBusy else { return }
    if waiting > 0 { work { _ in } }
    context.didFallIdle()
  }

  /// Handles all actions that wait, first in, first out, and publishes the state.
  ///
  /// - Parameter begin: What comes before them.
  private func work(_ begin: (inout R.State) -> Void) {
    EffectContext.withoutCalls { handleActions(begin) }
  }

  private func handleActions(_ begin: (inout R.State) -> Void) {
    isBusy = true
    DependencyValues.$_current.withValue(dependencies) {
      var state = published
      var beginning = ObservableStateID.lastChange
      context.beginningOfWork = beginning
      begin(&state)
      if waiting > 0 { drainQueue(into: &state) }
      publish(&state, since: beginning)
      // Publishing may make observers send, and what they send sees the state published.
      while waiting > 0 {
        state = published
        beginning = ObservableStateID.lastChange
        context.beginningOfWork = beginning
        drainQueue(into: &state)
        publish(&state, since: beginning)
      }
      context.beginningOfWork = 0
    }
    isBusy = false
  }

  /// Handles all actions that wait.
  @inline(never) private func drainQueue(into state: inout R.State) {
    while waiting > 0 {
      let entry = queue[next]
      waiting -= 1
      next += 1
      if waiting == 0 {
        // Chains of actions reuse the array's front and don't make it longer and longer.
        queue.removeAll(keepingCapacity: true)
        next = 0
      }
      reduce(into: &state, entry.action, entry.stamp, in: entry.group)
    }
  }

  private func reduce(
    into state: inout R.State,
    _ action: R.Action,
    _ stamp: ActionStamp,
    in group: Int
  ) {
    context.current = stamp
    let effect = reducer._reduce(into: &state, action: action)
    context.current = nil
    if !effect.isNone { effects.start(effect, of: action, stamp: stamp, in: group) }
  }

  /// - Parameters:
  ///   - state: The new state; the old one afterwards.
  ///   - beginning: The last change of all states before those of the new one.
  private func publish(_ state: inout R.State, since beginning: UInt64) {
    if let identity, identity.hasNotified(state, replacing: published, since: beginning) {
      swap(&published, &state)
    } else {
      observers.willChange()
      swap(&published, &state)
      observers.didChange()
    }
  }
}

// MARK: - The past

extension RootCore {
  func refuse(_ action: R.Action) {
    guard let past = shownPast else { return }
    if past.countRefusal() { reportIssue(Messages.sentInThePast(action), at: madeAt) }
  }
}

/// The past that a store shows: what it goes back to, and what was refused meanwhile.
@MainActor
final class StorePast {
  /// The state of the present; `nil` if there is none.
  fileprivate let present: Any?
  fileprivate let shared: SharedPast
  /// How many actions of views were refused.
  private(set) var refused = 0

  fileprivate init(present: Any?, shared: SharedPast) {
    self.present = present
    self.shared = shared
  }

  /// Counts an action that is refused.
  ///
  /// - Returns: Whether it is the first one.
  fileprivate func countRefusal() -> Bool {
    refused += 1
    return refused == 1
  }
}

/// Those who observe the state of a root as a whole.
///
/// The type has no parameters, so that its key path is made once and not for every access. It represents the state itself: its
/// key path has no parts, because each part would be hashed a dozen times for each notification.
private final class StateObservers: Observable {
  private let registrar = ObservationRegistrar()

  func access() {
    registrar.access(self, keyPath: \.self)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.self)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.self)
  }
}
