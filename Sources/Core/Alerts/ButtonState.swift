public import ActionLog
public import Foundation

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// A button of an alert or a dialog.
///
/// ```swift
/// let button = ButtonState(role: .destructive, action: Action.deleteConfirmed) { TextState("Delete") }
/// String(state: button.label)  // Delete
/// ```
@LogValue
public struct ButtonState<Action>: Identifiable {
  /// Distinguishes equal buttons, and is not part of the value.
  @LogIgnored public let id = UUID()
  /// The action of the button.
  public let action: ButtonStateAction<Action>
  /// The label of the button.
  public let label: TextState
  /// The role of the button.
  public let role: ButtonStateRole?

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - role: Its role.
  ///   - action: Its action.
  ///   - label: Its label.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.action = action
    self.label = label()
    self.role = role
  }

  /// Makes a button that sends an action.
  ///
  /// - Parameters:
  ///   - role: Its role.
  ///   - action: The action that it sends.
  ///   - label: Its label.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }

  /// The button with its action turned into another one.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonState<Other> {
    ButtonState<Other>(role: role, action: action.map(transform), label: { label })
  }

  /// Calls a function with the action of the button; `nil` for one that only closes what it is on.
  ///
  /// ```swift
  /// button.withAction { action in
  ///   if let action { store.send(action) }
  /// }
  /// ```
  public func withAction(_ perform: (Action?) -> Void) {
    perform(action.action)
  }

  /// Calls an asynchronous function with the action of the button; `nil` for one that only closes what it is on.
  @MainActor
  public func withAction(_ perform: @MainActor (Action?) async -> Void) async {
    await perform(action.action)
  }
}

/// The action of a button: it sends an action, or closes the alert without one.
///
/// ```swift
/// ButtonState(action: .send(Action.saved, animation: .default)) { TextState("Save") }
/// ```
@LogValue
public struct ButtonStateAction<Action> {
  /// The action that is sent.
  public let action: Action?
  /// The animation of the action's changes, where there are views; not part of the value.
  @LogIgnored public private(set) var animation: Animation?

  private init(action: Action?, animation: Animation?) {
    self.action = action
    self.animation = animation
  }

  /// Sends an action; without one the button only closes what it is on.
  public static func send(_ action: Action?) -> Self {
    Self(action: action, animation: nil)
  }

  /// Sends an action and animates what it changes.
  public static func send(_ action: Action?, animation: Animation?) -> Self {
    Self(action: action, animation: animation)
  }

  /// The button's action, turned into another one.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonStateAction<Other> {
    .send(transform(action), animation: animation)
  }
}

/// The role of a button.
///
/// ```swift
/// ButtonState<Action>(role: .cancel) { TextState("Keep") }
/// ```
@LogValue
public enum ButtonStateRole: Hashable, Sendable {
  /// It leaves things as they are.
  case cancel
  /// It destroys something.
  case destructive
}

extension ButtonState: Equatable where Action: Equatable {
  /// Whether two buttons look and act alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}

extension ButtonState: Hashable where Action: Hashable {
  /// Hashes how the button looks and acts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
    hasher.combine(label)
    hasher.combine(role)
  }
}

extension ButtonState: Sendable where Action: Sendable {}

extension ButtonStateAction: Equatable where Action: Equatable {
  /// Whether two buttons send equal actions.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action
  }
}

extension ButtonStateAction: Hashable where Action: Hashable {
  /// Hashes the action.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
  }
}

extension ButtonStateAction: Sendable where Action: Sendable {}

/// Collects the buttons of an alert or a dialog.
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
  /// One button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// Buttons, one after the other.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// The buttons of a loop.
  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// The buttons of the first branch.
  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of the second branch.
  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of an `if` without `else`.
  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  /// Buttons that not every system has.
  public static func buildLimitedAvailability(
    _ buttons: [ButtonState<Action>]
  ) -> [ButtonState<Action>] {
    buttons
  }
}

/// Text that a state holds for a view to show.
///
/// ```swift
/// TextState("Delete ") + TextState(verbatim: name)
/// ```
public struct TextState: Hashable, Sendable {
  private let text: String

  /// Text as it is.
  public init(verbatim text: String) {
    self.text = text
  }

  /// Text.
  public init(_ text: some StringProtocol) {
    self.text = String(text)
  }

  /// One text followed by another.
  public static func + (lhs: TextState, rhs: TextState) -> TextState {
    TextState(verbatim: lhs.text + rhs.text)
  }
}

extension TextState: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension String {
  /// The text that a state holds.
  public init(state: TextState) {
    self = state.description
  }
}

extension TextState: LogValue {
  /// Writes the text.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(text)
  }

  /// Reads a text.
  public static func decode(from decoder: LogDecoder, over _: TextState?) throws -> TextState {
    TextState(verbatim: try decoder.value(String.self))
  }

  /// Replaces one text by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    String.difference(from: old.text, to: new.text, into: &patch)
  }

  /// Names the type of the text.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(String.self) }
}
