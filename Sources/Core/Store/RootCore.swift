/// The root of a store: the state, the queue of actions and the wave that works it off.
///
/// A wave begins with an action from outside and goes on until no effect sends another one
/// synchronously. The state is published once, at its end.
final class RootCore<R: Reducer>: StoreCore<R.State, R.Action> {
  private struct Entry {
    let action: R.Action
    let stamp: ActionStamp
    let group: Int
  }

  private let reducer: R
  private let dependencies: DependencyValues
  private let context: StoreContext
  let effects: RunningEffects<R.Action>
  private let observers = StateObservers()
  private let madeAt: IssueLocation
  private let identity = StateIdentity<R.State>.make()

  private var published: R.State
  /// The actions that wait for the one that is being handled, from `next` on.
  private var queue: [Entry] = []
  private var next = 0
  /// How many wait.
  ///
  /// Most actions come alone, and asking an array whose element's type is not known takes longer.
  private var waiting = 0
  private var isBusy = false
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
    self.effects = RunningEffects()
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

  override func send(_ action: R.Action, origin: ActionOrigin) -> StoreTask {
    var origin = origin
    if isBusy, case .view = origin {
      let current = context.current?.number ?? lastNumber
      reportIssue(Messages.reentrantSend(of: action))
      origin = .reentrant(action: current)
    }
    lastGroup += 1
    let group = lastGroup
    let startedBefore = effects.started
    handle(action, origin: origin, group: group)
    // Whoever sends while the store is busy gets a task before anything is known of its work.
    return StoreTask(
      group: group,
      in: effects.registry,
      hasWork: effects.started != startedBefore
    )
  }
}

extension RootCore: EffectHost {
  func handle(_ action: R.Action, origin: ActionOrigin, group: Int) {
    effects.registry.tellCancellations()
    guard !isBusy, waiting == 0 else {
      enqueue(action, origin: origin, group: group)
      return workOff()
    }
    lastNumber += 1
    let stamp = ActionStamp(number: lastNumber, origin: origin)
    work { state in reduce(into: &state, action, stamp, in: group) }
    context.didFallIdle()
  }

  func enqueue(_ action: R.Action, origin: ActionOrigin, group: Int) {
    lastNumber += 1
    let stamp = ActionStamp(number: lastNumber, origin: origin)
    queue.append(Entry(action: action, stamp: stamp, group: group))
    waiting += 1
  }

  func workOff() {
    guard !isBusy else { return }
    if waiting > 0 { work { _ in } }
    context.didFallIdle()
  }

  /// Handles all actions that wait, first in, first out, and publishes the state.
  ///
  /// - Parameter begin: What comes before them.
  private func work(_ begin: (inout R.State) -> Void) {
    isBusy = true
    DependencyValues.$_current.withValue(dependencies) {
      var state = published
      var beginning = ObservableStateID.lastChange
      context.beginningOfWork = beginning
      begin(&state)
      if waiting > 0 { workOff(into: &state) }
      publish(&state, since: beginning)
      // Publishing may make observers send, and what they send sees the state published.
      while waiting > 0 {
        state = published
        beginning = ObservableStateID.lastChange
        context.beginningOfWork = beginning
        workOff(into: &state)
        publish(&state, since: beginning)
      }
      context.beginningOfWork = 0
    }
    isBusy = false
  }

  /// Handles all actions that wait.
  @inline(never) private func workOff(into state: inout R.State) {
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
    if let identity, identity.hasTold(state, replacing: published, since: beginning) {
      swap(&published, &state)
    } else {
      observers.willChange()
      swap(&published, &state)
      observers.didChange()
    }
  }
}
