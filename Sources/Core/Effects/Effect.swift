/// What is to be done after an action: nothing, more actions, work that takes time.
///
/// An effect is a tree of data until a store runs it, so it can be looked at, described and
/// compared without running anything.
///
/// ```swift
/// return .run { send in
///   let fact = try await api.fact(number)
///   await send(.factResponse(fact))
/// }
/// .cancellable(id: CancelID.fact)
/// ```
public struct Effect<Action>: Sendable {
  /// The tree.
  package var operation: Operation

  package init(operation: Operation) {
    self.operation = operation
  }
}

/// The effect of a reducer: `EffectOf<Feature>` for `Effect<Feature.Action>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// One node of the tree and what hangs below it.
  package indirect enum Operation: Sendable {
    case none
    case send(SentAction<Action>, EffectLeaf)
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case cancellable(Effect, CancelID, cancelInFlight: Bool)
    case cancel(CancelID, IssueLocation)
  }

  /// Work that takes time.
  package struct Run: Sendable {
    package var leaf: EffectLeaf
    package let priority: TaskPriority?
    /// What the work depends on, as far as the feature told: `.run(name:input:)`.
    package let input: (any Sendable)?
    package var operation: @Sendable (Send<Action>) async throws -> Void
    package let handler: (@Sendable (any Error, Send<Action>) async -> Void)?
    /// Called when the store starts the work, with what hands actions over in its name at once.
    var onLaunch: (@MainActor @Sendable (@escaping Deliver) -> Void)?
    /// The child that it serves, when that was there before the action: then no `send` waits for it.
    var standingChild: CancelID?
  }

  /// Hands an action to the store and says where it comes from.
  typealias Deliver = @MainActor @Sendable (Action, ActionOrigin) -> Void

  /// Whether there is nothing to be done.
  @usableFromInline package var isNone: Bool {
    if case .none = operation { true } else { false }
  }
}

/// The action inside an effect.
///
/// `Action` need not be `Sendable`: effects are made, looked at and carried out where reducers run,
/// on the main actor, and only the operations of `.run` go elsewhere. The language can't see that.
package struct SentAction<Action>: @unchecked Sendable {
  package let action: Action
}
