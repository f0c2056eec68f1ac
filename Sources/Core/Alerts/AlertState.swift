public import Foundation

/// An alert as a state holds it: what it says, and what its buttons send.
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
/// It has no reducer: `ifLet` removes it after any of its actions.
@LogValue
public struct AlertState<Action>: Identifiable {
  /// Distinguishes equal alerts, so that a new one replaces the last.
  ///
  /// It is not part of the value.
  @LogIgnored public let id = UUID()
  /// The title of the alert.
  public var title: TextState
  /// Its message.
  public var message: TextState?
  /// Its buttons.
  public var buttons: [ButtonState<Action>]

  /// Makes an alert.
  ///
  /// - Parameters:
  ///   - title: The title of the alert.
  ///   - actions: Its buttons.
  ///   - message: Its message.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// The alert with the actions of its buttons turned into others.
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
  /// Whether two alerts look and act alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension AlertState: Hashable where Action: Hashable {
  /// Hashes how the alert looks and acts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension AlertState: Sendable where Action: Sendable {}

/// A dialog as a state holds it: what it says, and what its buttons send.
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
/// It has no reducer: `ifLet` removes it after any of its actions.
@LogValue
public struct ConfirmationDialogState<Action>: Identifiable {
  /// Distinguishes equal dialogs, so that a new one replaces the last.
  ///
  /// It is not part of the value.
  @LogIgnored public let id = UUID()
  /// The title of the dialog.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogTitleVisibility
  /// Its message.
  public var message: TextState?
  /// Its buttons.
  public var buttons: [ButtonState<Action>]

  /// Makes a dialog.
  ///
  /// - Parameters:
  ///   - titleVisibility: Whether the title is shown.
  ///   - title: The title of the dialog.
  ///   - actions: Its buttons.
  ///   - message: Its message.
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

  /// The dialog with the actions of its buttons turned into others.
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
  /// Whether two dialogs look and act alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.titleVisibility == rhs.titleVisibility
      && lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension ConfirmationDialogState: Hashable where Action: Hashable {
  /// Hashes how the dialog looks and acts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(titleVisibility)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension ConfirmationDialogState: Sendable where Action: Sendable {}

/// Whether the title of a dialog is shown.
///
/// ```swift
/// ConfirmationDialogState<Action>(titleVisibility: .visible) { TextState("Delete the note?") }
/// ```
@LogValue
public enum ConfirmationDialogTitleVisibility: Hashable, Sendable {
  /// As the system does it.
  case automatic
  /// It is not.
  case hidden
  /// It is.
  case visible
}

/// Another name of `ConfirmationDialogTitleVisibility`.
public typealias ConfirmationDialogStateTitleVisibility = ConfirmationDialogTitleVisibility
