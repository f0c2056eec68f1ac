import Observation

/// The root of a store: the state, the queue of actions and the wave that works it off.
///
/// A wave begins with an action from outside and goes on until no effect sends another one
/// synchronously. The state is published once, at its end.
final class RootCore<R: Reducer>: StoreCore<R.State, R.Action>, Observable {
  private struct Entry {
    let action: R.Action
    let stamp: ActionStamp
    let group: Int
  }

  private let reducer: R
  private let dependencies: DependencyValues
  private let context: StoreContext
  let effects: RunningEffects<R.Action>
  private let registrar = ObservationRegistrar()
  private let isObservable = R.State.self is any ObservableState.Type

  private var published: R.State
  private var queue: [Entry] = []
  private var isBusy = false
  private var lastNumber = 0
  private var lastGroup = 0

  init(
    state: R.State,
    reducer: R,
    dependencies: DependencyValues,
    context: StoreContext
  ) {
    self.published = state
    self.reducer = reducer
    self.dependencies = dependencies
    self.context = context
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
    registrar.access(self, keyPath: \.published)
  }

  override var isIdle: Bool { effects.isIdle }

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
    enqueue(action, origin: origin, group: group)
    workOff()
  }

  func enqueue(_ action: R.Action, origin: ActionOrigin, group: Int) {
    lastNumber += 1
    let stamp = ActionStamp(number: lastNumber, origin: origin)
    queue.append(Entry(action: action, stamp: stamp, group: group))
  }

  func workOff() {
    guard !isBusy else { return }
    if !queue.isEmpty {
      isBusy = true
      DependencyValues.$_current.withValue(dependencies) {
        // Publishing may make observers send, and what they send sees the state published.
        repeat { publish(wave()) } while !queue.isEmpty
      }
      isBusy = false
    }
    context.didFallIdle()
  }

  /// Works off the queue, first in, first out.
  private func wave() -> R.State {
    var state = published
    var next = 0
    while next < queue.count {
      let entry = queue[next]
      next += 1
      if next == queue.count {
        // Chains of actions reuse the array's front and don't make it longer and longer.
        queue.removeAll(keepingCapacity: true)
        next = 0
      }
      context.current = entry.stamp
      let effect = reducer._reduce(into: &state, action: entry.action)
      context.current = nil
      if !effect.isNone {
        effects.start(effect, of: entry.action, stamp: entry.stamp, in: entry.group)
      }
    }
    queue.removeAll(keepingCapacity: true)
    return state
  }

  private func publish(_ state: R.State) {
    // A state that is still the same one has told the observers of its properties itself.
    guard !isObservable || !_$isIdentityEqual(published, state) else {
      published = state
      return
    }
    registrar.withMutation(of: self, keyPath: \.published) { published = state }
  }
}
