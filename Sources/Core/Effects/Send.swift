/// A function that sends actions from an effect to the store.
///
/// ```swift
/// .run { send in await send(.tick) }
/// ```
///
/// Ignores actions after the effect is cancelled.
@MainActor
public struct Send<Action>: Sendable {
  private let send: @MainActor @Sendable (Action) -> Void

  /// Creates a value that calls a function.
  nonisolated public init(send: @escaping @MainActor @Sendable (Action) -> Void) {
    self.send = send
  }

  /// Sends an action to the store.
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
