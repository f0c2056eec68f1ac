/// What stands behind a store: the root, or a part of another one.
@MainActor
class StoreCore<State, Action> {
  /// The state that is published.
  var state: State { fatalError("A store core is a root or a scope.") }

  /// Takes note that someone reads the state.
  func access() {}

  /// Where the root was made.
  var location: IssueLocation { fatalError("A store core is a root or a scope.") }

  /// Whether no effect runs, and nothing of earlier ones is kept.
  var isIdle: Bool { true }

  /// The effects of the features that have not ended, by the marks of those who watch them.
  var unfinishedEffects: [EffectID] { [] }

  /// Whether the part of the root's state is there; it may have gone while a view still shows it.
  var isPresent: Bool { true }

  /// Whether the store that it stands behind is kept, so that asking again gives the same one.
  var isKept: Bool { true }

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

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(casePath.embed(action), origin: origin)
  }
}
