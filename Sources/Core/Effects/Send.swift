/// A function that sends actions from an effect to the store.
///
/// ```swift
/// .run { send in await send(.tick) }
/// ```
///
/// The function ignores actions that are sent after the effect is canceled.
@MainActor
public struct Send<Action>: Sendable {
  private let send: @MainActor @Sendable (Action) -> Void

  /// Creates a value that forwards each action to a closure.
  nonisolated public init(send: @escaping @MainActor @Sendable (Action) -> Void) {
    self.send = send
  }

  /// Sends an action to the store, unless the current task is canceled.
  public func callAsFunction(_ action: Action) {
    guard !Task.isCancelled else { return }
    send(action)
  }

  nonisolated func pulledBack<Child>(
    by transform: @escaping @Sendable (Child) -> Action
  ) -> Send<Child> {
    let send = send
    return Send<Child> { send(transform($0)) }
  }
}
