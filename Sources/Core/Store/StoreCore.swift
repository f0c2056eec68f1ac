import Observation

/// The implementation of a store, which is either a root or a scope of another store.
///
/// The members of this class are defaults. Subclasses override the members that they support.
@MainActor
class StoreCore<State, Action> {
  /// The current state that the store has published.
  var state: State { fatalError("A store core is a root or a scope.") }

  /// Registers the current observer for changes to the state.
  func access() {}

  /// The source location of the call that created the root store.
  var location: IssueLocation { fatalError("A store core is a root or a scope.") }

  /// Whether no effect is running and no data of effects that have ended is stored.
  var isIdle: Bool { true }

  /// The ids that observers assigned to the effects that haven't ended.
  var unfinishedEffects: [EffectID] { [] }

  /// The log position from which the root resumed; `nil` for other cores.
  var resumption: StoreResumption? { nil }

  /// Starts an effect without an action, in a root.
  func start(_: Effect<Action>, reachedBy _: @escaping @Sendable (CancelID) -> CancelID?) {}

  /// The past that the root shows; `nil` while the root shows the present.
  var past: StoreTimeTravel? { nil }

  /// The number of actions sent by effects that are held until the store returns to the present.
  var heldActions: Int { 0 }

  /// Freezes a root so that it can show past states, and returns whether it now shows the past.
  func enterPast(holding _: Int, didFill _: @escaping () -> Void) -> Bool { false }

  /// Makes a root show a past state with its shared values, without a present state to which it could return.
  func beginInPast(_: PastSharedValues) {}

  /// Makes a root show another past state.
  func show(_: (StoreContext, State) throws -> State) throws {}

  /// Makes a root show the present state again.
  func returnToPresent() {}

  /// Makes the shown state of a root the present state.
  func resume(at _: StoreResumption) {}

  /// Adds an observer of the activity of a root.
  func observe(_: any StoreObserver) {}

  /// Whether the state of the scope still exists.
  ///
  /// A view may use the store after the state has been removed.
  var isPresent: Bool { true }

  /// Whether the store of the core is kept, so that scoping again returns the same store.
  var isKept: Bool { true }

  /// The id of the next element that is appended to a stack of the root.
  var nextElementID: StackElementID { fatalError("A store core is a root or a scope.") }

  /// Sends an action with its origin to the root.
  func send(_: Action, origin _: ActionOrigin) -> StoreTask {
    fatalError("A store core is a root or a scope.")
  }

  nonisolated init() {}
}

/// The core of a child store, whose state is a property of the parent's state.
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

  override var past: StoreTimeTravel? { parent.past }

  override var nextElementID: StackElementID { parent.nextElementID }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(casePath.embed(action), origin: origin)
  }
}

/// The core of a root store, which contains the state and the queue of actions.
///
/// An action from outside is handled together with all actions that effects send synchronously. The state is published
/// once, after the last of these actions.
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
  private let identity = StateIdentityComparison<R.State>.make()

  private var published: R.State
  /// The enqueued actions.
  ///
  /// The store has dequeued those before the index `next`.
  private var queue: [QueuedAction] = []
  private var next = 0
  /// The number of actions that have not been handled.
  ///
  /// Usually, a single action is sent. Reading a counter is then faster than `isEmpty` of an array whose element type
  /// is generic.
  private var waiting = 0
  /// Whether new actions must wait, because the store is handling other actions or shows a past state.
  private var isBusy = false
  private var shownPast: StoreTimeTravel?
  private var lastNumber = 0
  private var lastGroup = 0
  /// The group of the action that is being handled, or of the last one.
  private var handledGroup = 0

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
    // The number is that of the last action, or 0 before the first one. No action after a restart has this number.
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
    // A reentrant action belongs to the call that is being handled, whose task also covers the action's effects.
    let isReentrant = if case .reentrant = origin { true } else { false }
    handle(action, origin: origin, group: isReentrant ? handledGroup : group)
    // The effects of a reentrant action aren't known yet, so the task of a reentrant `send` call has no work.
    return StoreTask(
      group: group,
      in: effects.registry,
      hasWork: effects.started != startedBefore
    )
  }

  override var past: StoreTimeTravel? { shownPast }

  override var heldActions: Int { effects.heldActions }

  override func enterPast(holding limit: Int, didFill: @escaping () -> Void) -> Bool {
    guard !isBusy else { return shownPast != nil }
    effects.registry.reportCancellations()
    let shared = PastSharedValues(of: madeAt)
    DependencyValues.$_current.withValue(dependencies) { shared.capture(with: published) }
    shownPast = StoreTimeTravel(present: published, shared: shared)
    isBusy = true
    effects.beginHolding(limit: limit, didFill: didFill)
    return true
  }

  override func beginInPast(_ shared: PastSharedValues) {
    shownPast = StoreTimeTravel(present: nil, shared: shared)
    isBusy = true
  }

  override func show(_ change: (StoreContext, R.State) throws -> R.State) throws {
    guard let past = shownPast else { return }
    try EffectContext.$current.withValue(nil) {
      try DependencyValues.$_current.withValue(dependencies) {
        var state = try PastSharedValues.$moving.withValue(past.shared) {
          try change(context, published)
        }
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

extension RootCore: EffectRunnerDelegate {
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

  /// Handles all enqueued actions in the order of their arrival, and publishes the state.
  ///
  /// - Parameter begin: A closure that receives the state and runs before the enqueued actions are handled.
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
      // Handles actions that observers send during the publication, and that must see the published state.
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

  /// Handles all enqueued actions.
  @inline(never) private func drainQueue(into state: inout R.State) {
    while waiting > 0 {
      let entry: QueuedAction
      if waiting == 1 {
        // Reuses the array's storage, which a chain of actions would otherwise extend without limit.
        entry = queue.removeLast()
        if next > 0 { queue.removeAll(keepingCapacity: true) }
        next = 0
      } else {
        entry = queue[next]
        next += 1
      }
      waiting -= 1
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
    handledGroup = group
    let effect = reducer._reduce(into: &state, action: action)
    context.current = nil
    if !effect.isNone { effects.start(effect, of: action, stamp: stamp, in: group) }
  }

  /// Publishes a new state and notifies the observers.
  ///
  /// - Parameters:
  ///   - state: The new state, which is replaced by the previous state on return.
  ///   - beginning: The number of the last change to any state before the changes in `state`.
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

// MARK: - Showing past states

extension RootCore {
  func refuse(_ action: R.Action) {
    guard let past = shownPast else { return }
    if past.countRefusal() { reportIssue(Messages.sentInThePast(action), at: madeAt) }
  }
}

/// The past that a store shows, with the present state and the number of refused actions.
@MainActor
final class StoreTimeTravel {
  /// The present state, to which the store can return; `nil` for a store without a present.
  fileprivate let present: Any?
  fileprivate let shared: PastSharedValues
  /// The number of actions sent by views that were refused.
  private(set) var refused = 0

  fileprivate init(present: Any?, shared: PastSharedValues) {
    self.present = present
    self.shared = shared
  }

  /// Counts a refused action.
  ///
  /// - Returns: Whether the action is the first refused one.
  fileprivate func countRefusal() -> Bool {
    refused += 1
    return refused == 1
  }
}

/// The registration of observers that depend on the complete state of a root.
///
/// The type is not generic, so that its key path is created once. The key path `\.self` is used because it has no
/// components, each of which would be hashed a dozen times for each notification.
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
