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
/// It has no reducer: `ifLet` lets go of it after any of its actions.
@LogValue
public struct AlertState<Action>: Identifiable {
  /// Tells apart alerts that are equal, so that a new one takes the place of the last; no part of
  /// the value.
  @LogIgnored public let id = UUID()
  /// What the alert says.
  public var title: TextState
  /// What it says besides.
  public var message: TextState?
  /// Its buttons.
  public var buttons: [ButtonState<Action>]

  /// Makes an alert.
  ///
  /// - Parameters:
  ///   - title: What the alert says.
  ///   - actions: Its buttons.
  ///   - message: What it says besides.
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
