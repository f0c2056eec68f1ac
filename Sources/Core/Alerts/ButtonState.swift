public import ActionLog
public import Foundation

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// The state of a button of an alert or a dialog.
///
/// ```swift
/// let button = ButtonState(role: .destructive, action: Action.deleteConfirmed) { TextState("Delete") }
/// String(state: button.label)  // Delete
/// ```
@LogValue
public struct ButtonState<Action>: Identifiable {
  /// An id that distinguishes equal buttons.
  ///
  /// Equality, hash values, and logs ignore the id.
  @LogIgnored public let id = UUID()
  /// The action that a tap on the button performs.
  public let action: ButtonStateAction<Action>
  /// The text that the button shows.
  public let label: TextState
  /// The semantic role of the button; `nil` for a button without a special role.
  public let role: ButtonStateRole?

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - role: The semantic role; `nil` for a button without a special role.
  ///   - action: The action to perform. The default just closes the alert or dialog.
  ///   - label: A closure that returns the text on the button.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.action = action
    self.label = label()
    self.role = role
  }

  /// Creates a button that sends an action.
  ///
  /// - Parameters:
  ///   - role: The semantic role; `nil` for a button without a special role.
  ///   - action: The action to send.
  ///   - label: A closure that returns the text on the button.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }

  /// Returns a button with the same label and role, and with an action that a function maps.
  ///
  /// The function receives `nil` for a button that sends no action. The new button keeps the animation of the action.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonState<Other> {
    ButtonState<Other>(role: role, action: action.map(transform), label: { label })
  }

  /// Calls a function with the button's action, or with `nil` for a button that just closes the alert or dialog.
  ///
  /// ```swift
  /// button.withAction { action in
  ///   if let action { store.send(action) }
  /// }
  /// ```
  public func withAction(_ perform: (Action?) -> Void) {
    perform(action.action)
  }

  /// Calls an asynchronous function with the button's action, or with `nil` for a button that just closes the alert or
  /// dialog.
  @MainActor
  public func withAction(_ perform: @MainActor (Action?) async -> Void) async {
    await perform(action.action)
  }
}

/// The action of a button, which sends an action or just closes the alert or dialog.
///
/// ```swift
/// ButtonState(action: .send(Action.saved, animation: .default)) { TextState("Save") }
/// ```
@LogValue
public struct ButtonStateAction<Action> {
  /// The action to send; `nil` for a button that just closes the alert or dialog.
  public let action: Action?
  /// The animation of the state changes that the action causes; `nil` for no animation.
  ///
  /// Equality, hash values, and logs ignore the animation.
  @LogIgnored public private(set) var animation: Animation?

  private init(action: Action?, animation: Animation?) {
    self.action = action
    self.animation = animation
  }

  /// Returns a button action that sends an action; `nil` just closes the alert or dialog.
  public static func send(_ action: Action?) -> Self {
    Self(action: action, animation: nil)
  }

  /// Returns a button action that sends an action with an animation; `nil` just closes the alert or dialog.
  public static func send(_ action: Action?, animation: Animation?) -> Self {
    Self(action: action, animation: animation)
  }

  /// Returns a button action with an action that a function maps, and with the same animation.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonStateAction<Other> {
    .send(transform(action), animation: animation)
  }
}

/// The semantic role of a button, which determines its appearance and position.
///
/// ```swift
/// ButtonState<Action>(role: .cancel) { TextState("Keep") }
/// ```
@LogValue
public enum ButtonStateRole: Hashable, Sendable {
  /// The button cancels the operation.
  case cancel
  /// The button deletes data or performs another destructive operation.
  case destructive
}

extension ButtonState: Equatable where Action: Equatable {
  /// Returns whether two buttons have equal labels, roles, and actions.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}

extension ButtonState: Hashable where Action: Hashable {
  /// Hashes the label, the role, and the action.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
    hasher.combine(label)
    hasher.combine(role)
  }
}

extension ButtonState: Sendable where Action: Sendable {}

extension ButtonStateAction: Equatable where Action: Equatable {
  /// Returns whether two button actions send equal actions; ignores their animations.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action
  }
}

extension ButtonStateAction: Hashable where Action: Hashable {
  /// Hashes the action that is sent; ignores its animation.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
  }
}

extension ButtonStateAction: Sendable where Action: Sendable {}

/// A result builder for the buttons of an alert or a dialog.
///
/// ```swift
/// AlertState {
///   TextState("Delete the note?")
/// } actions: {
///   ButtonState(role: .destructive, action: Action.deleteConfirmed) { TextState("Delete") }
///   if canArchive { ButtonState(action: Action.archived) { TextState("Archive") } }
///   for folder in folders { ButtonState(action: Action.moved(to: folder)) { TextState("Move to \(folder)") } }
/// }
/// ```
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// Returns a list with one button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// Returns the buttons of all statements of a block, in order.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// Returns the buttons of all iterations of a `for` loop, in order.
  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// Returns the buttons of the first branch of an `if` or `switch` statement.
  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// Returns the buttons of the second branch of an `if` or `switch` statement.
  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// Returns the buttons of an `if` statement without `else`, or an empty list if the condition is false.
  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  /// Returns the buttons of an `if #available` statement.
  public static func buildLimitedAvailability(
    _ buttons: [ButtonState<Action>]
  ) -> [ButtonState<Action>] {
    buttons
  }
}

/// A string in a feature's state that a view shows as text.
///
/// ```swift
/// TextState("Delete ") + TextState(verbatim: name)
/// ```
public struct TextState: Hashable, Sendable {
  private let text: String

  /// Creates a text state from a string, without localization.
  public init(verbatim text: String) {
    self.text = text
  }

  /// Creates a text state from a string or a substring, without localization.
  public init(_ text: some StringProtocol) {
    self.text = String(text)
  }

  /// Concatenates two text states.
  public static func + (lhs: TextState, rhs: TextState) -> TextState {
    TextState(verbatim: lhs.text + rhs.text)
  }
}

extension TextState: CustomStringConvertible {
  /// The string that the text state contains.
  public var description: String { text }
}

extension String {
  /// Creates a string from a text state.
  public init(state: TextState) {
    self = state.description
  }
}

extension TextState: LogValue {
  /// Encodes the text state as a JSON string.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(text)
  }

  /// Decodes a text state from a JSON string.
  public static func decode(from decoder: LogDecoder, over _: TextState?) throws -> TextState {
    TextState(verbatim: try decoder.value(String.self))
  }

  /// Adds a change of the text to a patch, if the two text states differ.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    String.difference(from: old.text, to: new.text, into: &patch)
  }

  /// Adds `String`, the type of the encoded value, to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(String.self) }
}
