import Synchronization

/// Reports an issue when the action of a store's property is let go of and no reducer has handled it.
final class BindingReceipt: Sendable {
  private let isHandled = Atomic(false)
  /// The action, without its receipt.
  ///
  /// Never changes, and is only shown.
  nonisolated(unsafe) private let action: Any
  private let state: Any.Type
  /// Where the store was made.
  private let location: IssueLocation

  init(of action: Any, settingPropertyOf state: Any.Type, at location: IssueLocation) {
    self.action = action
    self.state = state
    self.location = location
  }

  func markHandled() {
    isHandled.store(true, ordering: .releasing)
  }

  deinit {
    guard !isHandled.load(ordering: .acquiring) else { return }
    reportIssue(Messages.unhandledBinding(action, of: state, at: location), at: location)
  }
}
