import Synchronization

/// Reports an issue when the action of a store's property is let go of and no reducer has handled it.
final class BindingReceipt: Sendable {
  private let isHandled = Atomic(false)
  private let action: String

  init(of action: String) {
    self.action = action
  }

  func markHandled() {
    isHandled.store(true, ordering: .releasing)
  }

  deinit {
    if !isHandled.load(ordering: .acquiring) { reportIssue(Messages.unhandledBinding(action)) }
  }
}
