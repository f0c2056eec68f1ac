public import Foundation

/// The state of a confirmation dialog, which consists of a title, a message, and buttons with their actions.
///
/// ```swift
/// ConfirmationDialogState {
///   TextState("Sort by")
/// } actions: {
///   ButtonState(action: .sort(.name)) { TextState("Name") }
///   ButtonState(action: .sort(.date)) { TextState("Date") }
/// }
/// ```
///
/// A dialog has no reducer. `ifLet` removes the dialog from the state after any of its actions.
@LogValue
public struct ConfirmationDialogState<Action>: Identifiable {
  /// An id that distinguishes equal dialogs, so that a new dialog replaces the previous one.
  ///
  /// Equality, hash values, and logs ignore the id.
  @LogIgnored public let id = UUID()
  /// The text at the top of the dialog, shown according to `titleVisibility`.
  public var title: TextState
  /// A value that specifies whether the dialog shows its title.
  public var titleVisibility: ConfirmationDialogTitleVisibility
  /// The text below the title; `nil` if the dialog has no message.
  public var message: TextState?
  /// The buttons, in the order in which the builder lists them.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog.
  ///
  /// - Parameters:
  ///   - titleVisibility: A value that specifies whether the dialog shows its title.
  ///   - title: A closure that returns the title.
  ///   - actions: A builder of the buttons.
  ///   - message: A closure that returns the text below the title; `nil` for no message.
  public init(
    titleVisibility: ConfirmationDialogTitleVisibility = .automatic,
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.titleVisibility = titleVisibility
    self.message = message?()
    buttons = actions()
  }

  /// Returns a dialog with the same title, title visibility, and message, and with button actions that a function maps.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ConfirmationDialogState<Other> {
    ConfirmationDialogState<Other>(
      titleVisibility: titleVisibility,
      title: { title },
      actions: {
        for button in buttons { button.map(transform) }
      },
      message: message.map { message in { message } }
    )
  }
}

extension ConfirmationDialogState: _EphemeralState {}

extension ConfirmationDialogState: Equatable where Action: Equatable {
  /// Returns whether two dialogs have equal titles, title visibilities, messages, and buttons.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.titleVisibility == rhs.titleVisibility
      && lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension ConfirmationDialogState: Hashable where Action: Hashable {
  /// Hashes the title, its visibility, the message, and the buttons.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(titleVisibility)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension ConfirmationDialogState: Sendable where Action: Sendable {}
