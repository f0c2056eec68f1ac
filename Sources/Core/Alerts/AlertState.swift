public import Foundation

/// The state of an alert: its texts, and the actions of its buttons.
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
/// An alert has no reducer. `ifLet` removes it after any of its actions.
@LogValue
public struct AlertState<Action>: Identifiable {
  /// An id that distinguishes equal alerts, so that a new alert replaces the previous one.
  ///
  /// Equality, hashes and logs ignore it.
  @LogIgnored public let id = UUID()
  /// The title of the alert.
  public var title: TextState
  /// The message, if any.
  public var message: TextState?
  /// The buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert.
  ///
  /// - Parameters:
  ///   - title: The title of the alert.
  ///   - actions: Builds the buttons.
  ///   - message: The message, if any.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// Returns the alert with the actions of its buttons mapped.
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
  /// Returns whether two alerts have equal texts and buttons.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension AlertState: Hashable where Action: Hashable {
  /// Hashes the texts and buttons.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension AlertState: Sendable where Action: Sendable {}

/// Whether the title of a dialog is shown.
///
/// ```swift
/// ConfirmationDialogState<Action>(titleVisibility: .visible) { TextState("Delete the note?") }
/// ```
@LogValue
public enum ConfirmationDialogTitleVisibility: Hashable, Sendable {
  /// The system decides.
  case automatic
  /// The title is hidden.
  case hidden
  /// The title is shown.
  case visible
}

/// Another name of `ConfirmationDialogTitleVisibility`.
public typealias ConfirmationDialogStateTitleVisibility = ConfirmationDialogTitleVisibility
