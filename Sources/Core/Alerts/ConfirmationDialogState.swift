public import Foundation

/// The state of a confirmation dialog: its texts, and the actions of its buttons.
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
/// A dialog has no reducer. `ifLet` removes it after any of its actions.
@LogValue
public struct ConfirmationDialogState<Action>: Identifiable {
  /// An id that distinguishes equal dialogs, so that a new dialog replaces the previous one.
  ///
  /// Equality, hashes and logs ignore it.
  @LogIgnored public let id = UUID()
  /// The title of the dialog.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogTitleVisibility
  /// The message, if any.
  public var message: TextState?
  /// The buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog.
  ///
  /// - Parameters:
  ///   - titleVisibility: Whether the title is shown.
  ///   - title: The title of the dialog.
  ///   - actions: Builds the buttons.
  ///   - message: The message, if any.
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

  /// Returns the dialog with the actions of its buttons mapped.
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
  /// Returns whether two dialogs have equal texts, visibilities and buttons.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.titleVisibility == rhs.titleVisibility
      && lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension ConfirmationDialogState: Hashable where Action: Hashable {
  /// Hashes the texts, the visibility and the buttons.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(titleVisibility)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension ConfirmationDialogState: Sendable where Action: Sendable {}
