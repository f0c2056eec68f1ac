public import Foundation

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// A button of an alert or a dialog.
///
/// ```swift
/// ButtonState(role: .destructive, action: .deleteConfirmed) { TextState("Delete") }
/// ```
@LogValue
public struct ButtonState<Action>: Identifiable {
  /// Tells apart buttons that are equal; no part of the value.
  @LogIgnored public let id = UUID()
  /// What the button does.
  public let action: ButtonStateAction<Action>
  /// What the button says.
  public let label: TextState
  /// What the button is for.
  public let role: ButtonStateRole?

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - role: What it is for.
  ///   - action: What it does.
  ///   - label: What it says.
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
  ///   - role: What it is for.
  ///   - action: What it sends.
  ///   - label: What it says.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }

  /// The button with its action turned into another one.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonState<Other> {
    ButtonState<Other>(role: role, action: action.map(transform), label: { label })
  }

  /// Calls a function with the action of the button.
  public func withAction(_ perform: (Action?) -> Void) {
    perform(action.action)
  }

  /// Calls an asynchronous function with the action of the button.
  @MainActor
  public func withAction(_ perform: @MainActor (Action?) async -> Void) async {
    await perform(action.action)
  }
}

/// What a button does: it sends an action, or closes the alert without one.
@LogValue
public struct ButtonStateAction<Action> {
  /// The action that is sent.
  public let action: Action?
  /// How the changes of the action are animated, where there are views; no part of the value.
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

  /// What the button does, with the action turned into another one.
  public func map<Other>(_ transform: (Action?) -> Other?) -> ButtonStateAction<Other> {
    .send(transform(action), animation: animation)
  }
}

/// What a button is for.
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
