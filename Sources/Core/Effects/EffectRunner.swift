/// The functions of a store that its effect runner calls.
@MainActor
protocol EffectRunnerDelegate<Action>: AnyObject {
  associatedtype Action
  /// Enqueues an action and handles the queue, unless the queue is already being handled.
  func handle(_ action: Action, origin: ActionOrigin, group: Int)
  /// Enqueues an action without handling it.
  func enqueue(_ action: Action, origin: ActionOrigin, group: Int)
  /// Handles the actions in the queue, unless they are already being handled.
  func drainQueue()
  /// Reports an issue for an action that a view sent through a running effect while the store shows a past state.
  func refuse(_ action: Action)
}

/// The object that runs the effects of a root store.
@MainActor
final class EffectRunner<Action> {
  private enum Work {
    case send(Action, EffectLeaf)
    /// An asynchronous operation, with the action that started it, for messages.
    case run(Effect<Action>.Run, of: SentAction<Action>?)
  }

  weak var core: (any EffectRunnerDelegate<Action>)?
  let registry = EffectRegistry()
  /// The number of actions that have started asynchronous work.
  private(set) var started = 0
  /// The work that has not started, by action number and leaf id.
  private var waiting: [Int: [Int: Work]] = [:]
  /// The events of effects that wait while the store shows a past state; `nil` while the store shows the present.
  private var held: DeferredEffectEvents?

  init() {}

  /// Whether no effect is running and no data of effects that have ended is stored.
  var isIdle: Bool { registry.isEmpty && waiting.isEmpty }

  /// Starts the effect of an action, or the effect with which a store resumes if the action is `nil`.
  func start(_ effect: Effect<Action>, of action: Action?, stamp: ActionStamp, in group: Int) {
    if case .send(let sent, let leaf) = effect.operation {
      // A single action needs no schedule. This path makes chains of actions fast.
      let origin = ActionOrigin.effect(tags: leaf.tags, via: nil)
      core?.enqueue(sent.action, origin: origin, group: group)
      return
    }
    var work: [Int: Work] = [:]
    var leaves: [Int: EffectRegistry.Leaf] = [:]
    let plan = plan(for: effect, of: action.map { SentAction(action: $0) }) { leaf, piece in
      let id = registry.nextLeaf()
      work[id] = piece
      leaves[id] = EffectRegistry.Leaf(
        tags: leaf.tags,
        action: stamp.number,
        group: group,
        name: leaf.name,
        location: leaf.location,
        isInternal: leaf.isInternal
      )
      return id
    }
    waiting[stamp.number] = work
    let (steps, hasWork) = registry.start(plan, of: stamp, in: group, leaves: leaves)
    if hasWork { started += 1 }
    carryOut(steps, of: stamp, in: group, isLater: false)
    if !hasWork || waiting[stamp.number]?.isEmpty == true { waiting[stamp.number] = nil }
  }

  private func plan(
    for effect: Effect<Action>,
    of action: SentAction<Action>?,
    adding add: (EffectLeaf, Work) -> Int
  ) -> EffectRegistry.Schedule.Plan {
    switch effect.operation {
    case .none: .none
    case .send(let sent, let leaf): .send(add(leaf, .send(sent.action, leaf)))
    case .run(let run):
      if let child = run.standingChild {
        launch(run, under: child, of: action)
      } else {
        .run(add(run.leaf, .run(run, of: action)))
      }
    case .merge(let effects): .merge(effects.map { plan(for: $0, of: action, adding: add) })
    case .concatenate(let effects):
      .concatenate(effects.map { plan(for: $0, of: action, adding: add) })
    case .cancellable(let effect, let id, let cancelInFlight):
      plan(
        cancelling: cancelInFlight ? registry.alias(of: id) : nil,
        before:
          .cancellable(
            id.key,
            path: id.path,
            cancelInFlight: cancelInFlight,
            plan(for: effect, of: action, adding: add)
          )
      )
    case .cancel(let id, _):
      plan(cancelling: registry.alias(of: id), before: .cancel(id.key, path: id.path))
    }
  }

  private func plan(
    cancelling alias: CancelID?,
    before plan: EffectRegistry.Schedule.Plan
  ) -> EffectRegistry.Schedule.Plan {
    guard let alias else { return plan }
    return .merge([.cancel(alias.key, path: alias.path), plan])
  }

  private func carryOut(
    _ steps: [EffectRegistry.Schedule.EffectCommand],
    of stamp: ActionStamp,
    in group: Int,
    isLater: Bool
  ) {
    registry.reportCancellations()
    for step in steps {
      switch step {
      case .send(let id), .run(let id):
        switch waiting[stamp.number]?.removeValue(forKey: id) {
        case .send(let action, let leaf):
          if isLater { leaf.tags.notify(.started) }
          let origin = ActionOrigin.effect(tags: leaf.tags, via: nil)
          core?.enqueue(action, origin: origin, group: group)
        case .run(let run, let action):
          if isLater { run.leaf.tags.notify(.started) }
          launch(run, as: id, of: action, stamp: stamp, in: group)
        case nil:
          break
        }
      case .cancel(let id, _, _):
        registry.cancelTask(of: id)
      case .cancelElsewhere:
        // Unreachable: a store has one schedule, so no command concerns another one.
        break
      }
    }
  }

  /// Starts an operation that serves an existing child, independently of the action.
  ///
  /// The operation starts before the commands of the action's plan are carried out, because the plan can remove the
  /// child. The operation runs at least until the child is removed.
  ///
  /// - Returns: An empty plan.
  private func launch(
    _ run: Effect<Action>.Run,
    under child: CancelID,
    of starter: SentAction<Action>?
  ) -> EffectRegistry.Schedule.Plan {
    let (id, stamp) = registry.start(under: child)
    launch(run, as: id, of: starter, stamp: stamp, in: stamp.number)
    return .none
  }

  private func launch(
    _ run: Effect<Action>.Run,
    as id: Int,
    of starter: SentAction<Action>?,
    stamp: ActionStamp,
    in group: Int
  ) {
    let tags = run.leaf.tags
    let deliver: Effect<Action>.Deliver = { [weak self] action, origin in
      guard let self else { return }
      guard held == nil else {
        if case .view = origin {
          core?.refuse(action)
          return
        }
        hold(.action) { [weak self] in
          self?.deliver(action, origin, from: id, at: run.leaf.location, of: starter, in: group)
        }
        return
      }
      self.deliver(action, origin, from: id, at: run.leaf.location, of: starter, in: group)
    }
    run.onLaunch?(deliver)
    let send = Send<Action> { deliver($0, .effect(tags: tags, via: nil)) }
    let context = EffectContext(registry: registry, tags: tags, calls: DependencyCallScope(tags))
    let task = Task(priority: run.priority) { @MainActor [weak self, registry] in
      let error = await EffectContext.$current.withValue(context) {
        await DependencyValues.$_current.withValue(run.leaf.dependencies) {
          await run.perform(send)
        }
      }
      if let self {
        self.finish(id, of: stamp, error: error)
      } else {
        registry.finishWithoutStore(id)
      }
    }
    registry.attach(id) { task.cancel() }
  }

  private func deliver(
    _ action: Action,
    _ origin: ActionOrigin,
    from id: Int,
    at location: IssueLocation,
    of starter: SentAction<Action>?,
    in group: Int
  ) {
    switch registry.deliver(from: id) {
    case .dropped: return
    case .late:
      let message = Messages.sentAfterCompletion(action, of: starter?.action, at: location)
      reportIssue(message, at: location)
    case .delivered: break
    }
    core?.handle(action, origin: origin, group: group)
  }

  private func finish(_ id: Int, of stamp: ActionStamp, error: (any Error)?) {
    guard held != nil else { return endLeaf(id, of: stamp, error: error) }
    hold(.end) { [weak self] in self?.endLeaf(id, of: stamp, error: error) }
  }

  private func endLeaf(_ id: Int, of stamp: ActionStamp, error: (any Error)?) {
    guard let end = registry.finish(id, error: error) else { return }
    carryOut(end.steps, of: stamp, in: end.leaf.group, isLater: true)
    if end.actionEnded || waiting[stamp.number]?.isEmpty == true { waiting[stamp.number] = nil }
    core?.drainQueue()
    registry.removeIfFinished(end.leaf.group)
  }
}

// MARK: - Events held while showing a past state

/// The events of effects that occur while a store shows a past state, in order.
struct DeferredEffectEvents {
  /// The kind of a held event.
  enum Kind {
    /// An effect sent an action.
    case action
    /// The operation of an effect returned.
    case end
  }

  private var events: ArraySlice<(kind: Kind, perform: () -> Void)> = []
  /// The number of held events that are actions.
  private(set) var actions = 0
  /// The number of held actions at which `didFill` is called.
  let limit: Int
  /// A closure that is called when the limit is reached, so that the store can return to the present.
  let didFill: () -> Void

  init(limit: Int, didFill: @escaping () -> Void) {
    self.limit = limit
    self.didFill = didFill
  }

  mutating func append(_ kind: Kind, _ perform: @escaping () -> Void) {
    events.append((kind, perform))
    if kind == .action { actions += 1 }
  }

  mutating func popFirst() -> (kind: Kind, perform: () -> Void)? {
    guard let event = events.popFirst() else { return nil }
    if event.kind == .action { actions -= 1 }
    return event
  }
}

extension EffectRunner {
  /// The number of actions that are held while the store shows a past state.
  var heldActions: Int { held?.actions ?? 0 }

  /// Starts to hold the actions that effects send, and the ends of effects.
  ///
  /// - Parameters:
  ///   - limit: The number of held actions at which `didFill` is called.
  ///   - didFill: A closure that is called when the limit is reached.
  func beginHolding(limit: Int, didFill: @escaping () -> Void) {
    held = DeferredEffectEvents(limit: limit, didFill: didFill)
    registry.ignoresTasks(true)
  }

  private func hold(_ kind: DeferredEffectEvents.Kind, _ perform: @escaping () -> Void) {
    held?.append(kind, perform)
    if kind == .action, let held, held.actions == held.limit { held.didFill() }
  }

  /// Performs the held events in order, and then events that occur while this function runs.
  func deliverHeld() {
    registry.ignoresTasks(false)
    while let event = held?.popFirst() { event.perform() }
    held = nil
  }

  /// Cancels all effects, drops the held actions, and performs the held ends of effects.
  func cancelAll() {
    registry.ignoresTasks(false)
    registry.cancelAll()
    waiting = [:]
    while let event = held?.popFirst() { if event.kind == .end { event.perform() } }
    held = nil
  }
}
