public import Foundation

/// The state of an alert, which consists of a title, a message, and buttons with their actions.
///
/// ```swift
/// AlertState {
///   TextState("Delete?")
/// } actions: {
///   ButtonState(role: .destructive, action: .deleteConfirmed) { TextState("Delete") }
/// } message: {
///   TextState("This cannot be undone.")
/// }
/// ```
///
/// An alert has no reducer. `ifLet` removes the alert from the state after any of its actions.
@LogValue
public struct AlertState<Action>: Identifiable {
  /// An id that distinguishes equal alerts, so that a new alert replaces the previous one.
  ///
  /// Equality, hash values, and logs ignore the id.
  @LogIgnored public let id = UUID()
  /// The text at the top of the alert.
  public var title: TextState
  /// The text below the title; `nil` if the alert has no message.
  public var message: TextState?
  /// The buttons, in the order in which the builder lists them.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert.
  ///
  /// - Parameters:
  ///   - title: A closure that returns the title.
  ///   - actions: A builder of the buttons. Without buttons, the system adds a button that closes the alert.
  ///   - message: A closure that returns the text below the title; `nil` for no message.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// Returns an alert with the same title and message, and with buttons whose actions a function maps.
  public func map<Other>(_ transform: (Action?) -> Other?) -> AlertState<Other> {
    AlertState<Other>(
      title: { title },
      actions: {
        for button in buttons { button.map(transform) }
      },
      message: message.map { message in { message } }
    )
  }
}

extension AlertState: _EphemeralState {}

extension AlertState: Equatable where Action: Equatable {
  /// Returns whether two alerts have equal titles, messages, and buttons.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension AlertState: Hashable where Action: Hashable {
  /// Hashes the title, the message, and the buttons.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension AlertState: Sendable where Action: Sendable {}

/// A value that specifies whether a confirmation dialog shows its title.
///
/// ```swift
/// ConfirmationDialogState<Action>(titleVisibility: .visible) { TextState("Delete the note?") }
/// ```
@LogValue
public enum ConfirmationDialogTitleVisibility: Hashable, Sendable {
  /// The system decides whether to show the title.
  case automatic
  /// The dialog hides its title.
  case hidden
  /// The dialog shows its title.
  case visible
}

/// An alternative name for `ConfirmationDialogTitleVisibility`, used in existing code.
public typealias ConfirmationDialogStateTitleVisibility = ConfirmationDialogTitleVisibility
